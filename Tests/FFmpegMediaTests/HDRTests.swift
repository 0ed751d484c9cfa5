import CVitrailFFmpeg
import MediaIO
import Testing

@testable import FFmpegMedia

/// Mastering display and content light, in the stream, in the container, and made by hand.
@Suite struct HDRTests {
    static let x265 = [
        "-c:v", "libx265", "-pix_fmt", "yuv420p10le", "-x265-params",
        "log-level=none:hdr10=1:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:max-cll=1000,400"
            + ":master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(40000000,50)",
    ]

    @Test(arguments: ["a.hevc", "a.mkv", "a.mp4", "a.ts"]) func streamIsRead(_ name: String) throws {
        let folder = try ClipFolder()
        try folder.makeClip(name, frames: 3, Self.x265)
        let reader = try folder.reader(name)
        #expect(
            reader.info.colorSpace
                == ColorSpace(matrix: .bt2020, range: .limited, primaries: .bt2020, transfer: .pq))
        let wanted = HDRMetadata(
            maximumLuminance: 4000, minimumLuminance: 0.005, maximumContentLight: 1000, maximumFrameAverageLight: 400)
        #expect(reader.info.attributes.hdrMetadata == wanted)
        #expect(try readAll(reader).map(\.attributes) == Array(repeating: reader.info.attributes, count: 3))
    }

    @Test func plainVideoHasNone() throws {
        let folder = try ClipFolder()
        try folder.makeClip("a.mp4", frames: 1, DecodingTests.h264)
        #expect(try readAll(try folder.reader("a.mp4")).map(\.attributes.hdrMetadata) == [nil])
    }

    /// Luminances as fractions; what makes no sense is read as it is.
    @Test(
        arguments: [
            ((1000, 1), (1, 100), true, HDRMetadata(maximumLuminance: 1000, minimumLuminance: 0.01)),
            ((1000, 1), (1, 100), false, nil), ((1000, 0), (1, 0), true, nil), ((0, 1), (0, 1), true, nil),
            ((20_000, 1), (1, 1), true, HDRMetadata(maximumLuminance: 20_000, minimumLuminance: 1)),
            ((1, 1), (2, 1), true, HDRMetadata(maximumLuminance: 1, minimumLuminance: 2)),
        ] as [((Int32, Int32), (Int32, Int32), Bool, HDRMetadata?)]) func masteringDisplay(
            _ most: (Int32, Int32), _ least: (Int32, Int32), _ isSet: Bool, _ expected: HDRMetadata?
        ) throws
    {
        try Self.withFrameAndStream { frame, stream in
            let display = try #require(av_mastering_display_metadata_create_side_data(frame))
            display.pointee.max_luminance = AVRational(num: most.0, den: most.1)
            display.pointee.min_luminance = AVRational(num: least.0, den: least.1)
            display.pointee.has_luminance = isSet ? 1 : 0
            #expect(HDRMetadata(frame, orElse: HDRMetadata(stream)) == expected)
        }
    }

    /// The container speaks where the picture is silent, each kind on its own.
    @Test func pictureBeforeContainer() throws {
        try Self.withFrameAndStream { frame, stream in
            let size = MemoryLayout<AVContentLightMetadata>.size
            let data = try #require(vitrail_stream_add_side_data(stream, AV_PKT_DATA_CONTENT_LIGHT_LEVEL, size))
            UnsafeMutableRawPointer(data).storeBytes(
                of: AVContentLightMetadata(MaxCLL: 600, MaxFALL: 99_999), as: AVContentLightMetadata.self)
            #expect(
                HDRMetadata(frame, orElse: HDRMetadata(stream))
                    == HDRMetadata(maximumContentLight: 600, maximumFrameAverageLight: 99_999))
            let light = try #require(av_content_light_metadata_create_side_data(frame))
            light.pointee = AVContentLightMetadata(MaxCLL: 700, MaxFALL: 80)
            #expect(
                HDRMetadata(frame, orElse: HDRMetadata(stream))
                    == HDRMetadata(maximumContentLight: 700, maximumFrameAverageLight: 80))
        }
    }

    static func withFrameAndStream(
        _ body: (UnsafeMutablePointer<AVFrame>, UnsafeMutablePointer<AVStream>) throws -> Void
    ) throws {
        var frame = av_frame_alloc()
        let context = avformat_alloc_context()
        defer {
            av_frame_free(&frame)
            avformat_free_context(context)
        }
        try body(try #require(frame), try #require(avformat_new_stream(context, nil)))
    }
}
