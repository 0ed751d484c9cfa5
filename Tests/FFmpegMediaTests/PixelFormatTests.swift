import CVitrailFFmpeg
import MediaIO
import TestSupport
import Testing

@testable import FFmpegMedia

/// FFmpeg's pixel formats that are ours: what comes in goes out, byte by byte.
@Suite struct PixelFormatTests {
    /// FFmpeg's name, ours, and whether NUT can carry it.
    typealias Row = (name: String, format: PixelFormat, isCarried: Bool)

    static let rows: [Row] = [
        ("yuv420p", .i420, true), ("yuv422p", .i422, true), ("yuv444p", .i444, true), ("yuv440p", .i440, true),
        ("yuv411p", .i411, true), ("yuv410p", .yuv9, true), ("yuvj420p", .i420, false), ("yuvj422p", .i422, false),
        ("yuvj444p", .i444, false), ("yuvj440p", .i440, false), ("yuvj411p", .i411, false),
        ("yuva420p", .i420a, true), ("yuva422p", .i422a, true), ("yuva444p", .i444a, true), ("nv12", .nv12, true),
        ("nv21", .nv21, true), ("nv16", .nv16, false), ("nv24", .nv24, false), ("nv42", .nv42, false),
        ("yuv420p9le", .i009, true), ("yuv420p10le", .i010, true), ("yuv420p12le", .i012, true),
        ("yuv420p14le", .i014, true), ("yuv420p16le", .i016, true), ("yuv422p9le", .i209, true),
        ("yuv422p10le", .i210, true), ("yuv422p12le", .i212, true), ("yuv422p14le", .i214, true),
        ("yuv422p16le", .i216, true), ("yuv444p9le", .i409, true), ("yuv444p10le", .i410, true),
        ("yuv444p12le", .i412, true), ("yuv444p14le", .i414, true), ("yuv444p16le", .i416, true),
        ("yuv440p10le", .i440p10, false), ("yuv440p12le", .i440p12, false), ("yuva420p10le", .i010a, true),
        ("yuva420p16le", .i016a, true), ("yuva422p10le", .i210a, true), ("yuva422p12le", .i212a, true),
        ("yuva422p16le", .i216a, true), ("yuva444p10le", .i410a, true), ("yuva444p12le", .i412a, true),
        ("yuva444p16le", .i416a, true), ("p010le", .p010, false), ("p016le", .p016, false), ("p210le", .p210, false),
        ("p216le", .p216, false), ("p410le", .p410, false), ("p416le", .p416, false), ("nv20le", .nv20, false),
        ("gray", .gray8, true), ("gray10le", .gray10, true), ("gray12le", .gray12, true), ("gray16le", .gray16, true),
        ("yuyv422", .yuyv, true), ("uyvy422", .uyvy, true), ("yvyu422", .yvyu, true), ("y210le", .y210, false),
        ("gbrp", .gbrp, true), ("gbrap", .gbrap, true), ("gbrp10le", .gbrp10, true), ("gbrp12le", .gbrp12, true),
        ("gbrp16le", .gbrp16, true), ("bgra", .bgra32, true), ("rgba", .rgba32, true), ("argb", .argb32, true),
        ("abgr", .abgr32, true), ("bgr0", .bgrx32, true), ("rgb0", .rgbx32, true), ("0rgb", .xrgb32, true),
        ("0bgr", .xbgr32, true), ("bgr24", .bgr24, true), ("rgb24", .rgb24, true), ("rgb565le", .rgb565, true),
        ("rgb555le", .xrgb1555, true), ("x2rgb10le", .x2rgb10, false), ("x2bgr10le", .x2bgr10, false),
        ("rgba64le", .rgba64, true), ("bayer_rggb8", .rggb8, true), ("bayer_bggr8", .bggr8, true),
        ("bayer_gbrg8", .gbrg8, true), ("bayer_grbg8", .grbg8, true),
    ]

    /// No format of ours that FFmpeg knows is missing: the others have no number in this FFmpeg.
    @Test func nothingIsForgotten() {
        let missing: Set<PixelFormat> = [
            .yv12, .nv61, .p012, .vyuy, .ayuv, .vuya, .vuyx, .y410, .v210, .rgba64f,
        ]
        #expect(Set(PixelFormat.allCases).subtracting(Self.rows.map(\.format)) == missing)
    }

    @Test(arguments: rows, [(1, 1), (2, 2), (35, 23), (64, 5)]) func samplesAreLent(
        _ row: Row, _ size: (width: Int, height: Int)
    ) throws {
        let known = try #require(DeliveredFormat.of(ffmpeg: av_get_pix_fmt(row.name).rawValue))
        #expect(known.format == row.format)
        #expect(known.isLent)
        #expect(known.isFullRange == row.name.hasPrefix("yuvj"))
        let bytes = randomBytes(row.format.packedByteCount(VideoSize(width: size.width, height: size.height)))
        for isBottomUp in [false, true] {
            let picture = try DecodedFrame.made(row.name, size.width, size.height, bytes, isBottomUp: isBottomUp)
            let buffer = try picture.lend(row.format)
            #expect(buffer.samples == bytes)
            // Nothing was copied: the first row lies where the decoder has put it.
            for plane in 0..<buffer.planeCount {
                let first = vitrail_frame_data(picture.frame, Int32(plane)).map { UnsafeRawPointer($0) }
                #expect(buffer.withRow(0, ofPlane: plane) { $0.withUnsafeBytes(\.baseAddress) } == first)
                #expect(buffer.withPlane(plane) { $0.bytesPerRow < 0 } == isBottomUp)
            }
        }
    }

    @Test(arguments: rows.filter(\.isCarried)) func rawVideoIsExact(_ row: Row) throws {
        let size = VideoSize(width: 35, height: 23)
        let folder = try ClipFolder()
        let bytes = randomBytes(2 * row.format.packedByteCount(size))
        try folder.write(bytes, to: "a.raw")
        try folder.ffmpeg([
            "-f", "rawvideo", "-pixel_format", row.name, "-video_size", "\(size)", "-i", folder.file("a.raw"), "-c:v",
            "copy", "-strict", "-2", folder.file("a.nut"),
        ])
        let reader = try folder.reader("a.nut")
        #expect(reader.info.format == row.format)
        #expect(reader.info.colorSpace == .unspecified(for: size, format: row.format))
        #expect(try readAll(reader).flatMap(\.packedBytes) == bytes)
    }

    struct Codec: Sendable, CustomTestStringConvertible {
        var codec: String
        var pixelFormat: String
        var format: PixelFormat
        var file = "a.mov"
        var size = "64x48"
        /// The decoder's own format, where it is another one.
        var decoded: String?
        var testDescription: String { "\(codec) \(pixelFormat) in \(file)" }
    }

    /// Encoders that are not in every FFmpeg: 7 writes AYUV as raw video.
    static func exists(_ codec: Codec) -> Bool {
        codec.codec != "ayuv" || avcodec_find_encoder_by_name(codec.codec) != nil
    }

    /// Through real decoders, against what FFmpeg's own program decodes.
    @Test(
        arguments: [
            Codec(codec: "ffv1", pixelFormat: "yuv422p10le", format: .i210, file: "a.mkv", size: "35x23"),
            Codec(codec: "ffv1", pixelFormat: "yuv444p16le", format: .i416, file: "a.mkv", size: "35x23"),
            Codec(codec: "ffv1", pixelFormat: "yuva444p10le", format: .i410a, file: "a.mkv", size: "35x23"),
            Codec(codec: "ffv1", pixelFormat: "yuv440p10le", format: .i440p10, file: "a.mkv", size: "35x23"),
            Codec(codec: "ffv1", pixelFormat: "yuva422p16le", format: .i216a, file: "a.mkv", size: "35x23"),
            Codec(codec: "ffv1", pixelFormat: "yuv410p", format: .yuv9, file: "a.mkv", size: "35x23"),
            Codec(codec: "ffv1", pixelFormat: "gray16le", format: .gray16, file: "a.mkv", size: "35x23"),
            Codec(codec: "ffv1", pixelFormat: "gbrp12le", format: .gbrp12, file: "a.mkv", size: "35x23"),
            Codec(codec: "png", pixelFormat: "rgb24", format: .rgb24, size: "35x23"),
            Codec(codec: "png", pixelFormat: "rgba", format: .rgba32, file: "a.png", size: "35x23"),
            Codec(codec: "png", pixelFormat: "gray", format: .gray8, file: "a.avi", size: "35x23"),
            Codec(codec: "prores_ks", pixelFormat: "yuv422p10le", format: .i210),
            Codec(codec: "prores_ks", pixelFormat: "yuva444p10le", format: .i412a, decoded: "yuva444p12le"),
            Codec(codec: "v210", pixelFormat: "yuv422p10le", format: .i210, size: "50x38"),
            Codec(codec: "v410", pixelFormat: "yuv444p10le", format: .i410),
            Codec(codec: "r210", pixelFormat: "gbrp10le", format: .gbrp10),
            Codec(codec: "y41p", pixelFormat: "yuv411p", format: .i411, file: "a.avi"),
            Codec(codec: "ayuv", pixelFormat: "yuva444p", format: .i444a, file: "a.avi"),
            Codec(codec: "qtrle", pixelFormat: "argb", format: .argb32, size: "35x23"),
            Codec(codec: "rawvideo", pixelFormat: "bgr24", format: .bgr24, file: "a.avi", size: "35x23"),
            Codec(codec: "rawvideo", pixelFormat: "yuyv422", format: .yuyv, file: "a.avi", size: "36x23"),
            Codec(codec: "bmp", pixelFormat: "bgra", format: .bgra32, file: "a.bmp", size: "35x23"),
            Codec(codec: "utvideo", pixelFormat: "gbrap", format: .gbrap, file: "a.avi"),
            Codec(codec: "mjpeg", pixelFormat: "yuvj444p", format: .i444, file: "a.avi", size: "35x23"),
            Codec(codec: "libx265", pixelFormat: "yuv420p10le", format: .i010, file: "a.mkv"),
            Codec(codec: "libx264", pixelFormat: "yuv422p10le", format: .i210, file: "a.mp4"),
        ].filter(exists)) func decodersAreExact(_ codec: Codec) throws
    {
        let folder = try ClipFolder()
        let frames = codec.file.hasSuffix("png") || codec.file.hasSuffix("bmp") ? 1 : 3
        try folder.makeClip(
            codec.file, size: codec.size, frames: frames,
            ["-c:v", codec.codec, "-pix_fmt", codec.pixelFormat])
        let reader = try folder.reader(codec.file)
        #expect(reader.info.format == codec.format)
        let expected = try folder.decodedBytes(codec.file, pixelFormat: codec.decoded ?? codec.pixelFormat)
        let read = try readAll(reader)
        #expect(read.count == frames)
        #expect(read.flatMap(\.packedBytes) == expected)
    }

    /// Cropping that the decoder has not applied is in the attributes, and the planes are complete.
    @Test(
        arguments: [
            ((0, 0, 0, 0), nil), ((2, 4, 6, 8), Rectangle(x: 2, y: 6, width: 58, height: 34)), ((64, 0, 0, 0), nil),
            ((32, 32, 0, 0), nil), ((0, 0, Int.max, 1), nil),
            ((0, 0, 0, 47), Rectangle(x: 0, y: 0, width: 64, height: 1)),
        ] as [((left: Int, right: Int, top: Int, bottom: Int), Rectangle?)]) func cropIsHandedOn(
            _ crop: (left: Int, right: Int, top: Int, bottom: Int), _ expected: Rectangle?
        ) throws
    {
        let picture = try DecodedFrame.made("gray", 64, 48, randomBytes(64 * 48))
        picture.frame.pointee.crop_left = crop.left
        picture.frame.pointee.crop_right = crop.right
        picture.frame.pointee.crop_top = crop.top
        picture.frame.pointee.crop_bottom = crop.bottom
        #expect(picture.crop == expected)
    }
}

/// Bytes that are the same in every run.
func randomBytes(_ count: Int) -> [UInt8] {
    var random = SeededGenerator(seed: 99)
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next() >> 32) }
}
