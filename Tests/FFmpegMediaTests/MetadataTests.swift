import FFmpegMedia
import MediaIO
import Testing

/// Colour tags, chroma location, pixel shape, rate and length, as the clip says them.
@Suite struct MetadataTests {
    struct Tags: Sendable, CustomTestStringConvertible {
        var name = "a.mp4"
        var size = "64x48"
        var arguments: [String]
        var expected: ColorSpace
        var testDescription: String { "\(name) \(size) \(arguments.suffix(8).joined(separator: " "))" }
    }

    static func h264(_ matrix: String, _ primaries: String, _ transfer: String, _ range: String) -> [String] {
        DecodingTests.h264
            + ["-colorspace", matrix, "-color_primaries", primaries, "-color_trc", transfer, "-color_range", range]
    }

    static let tags = [
        Tags(arguments: DecodingTests.h264, expected: .unspecified(for: VideoSize(width: 64, height: 48))),
        Tags(size: "1280x720", arguments: DecodingTests.h264, expected: ColorSpace(matrix: .bt709, range: .limited)),
        Tags(
            arguments: h264("bt470bg", "bt470bg", "smpte170m", "pc"),
            expected: ColorSpace(matrix: .bt601, range: .full, primaries: .bt601Lines625)),
        Tags(
            arguments: h264("smpte170m", "smpte170m", "smpte170m", "tv"),
            expected: ColorSpace(matrix: .bt601, range: .limited, primaries: .bt601Lines525)),
        Tags(
            name: "a.mkv", arguments: h264("bt709", "bt709", "iec61966-2-1", "pc"),
            expected: ColorSpace(matrix: .bt709, range: .full, transfer: .sRGB)),
        Tags(
            arguments: h264("bt2020nc", "bt2020", "smpte2084", "tv"),
            expected: ColorSpace(matrix: .bt2020, range: .limited, primaries: .bt2020, transfer: .pq)),
        Tags(
            arguments: h264("bt2020nc", "bt2020", "arib-std-b67", "tv"),
            expected: ColorSpace(matrix: .bt2020, range: .limited, primaries: .bt2020, transfer: .hlg)),
        Tags(
            arguments: h264("smpte240m", "smpte240m", "linear", "tv"),
            expected: ColorSpace(matrix: .smpte240m, range: .limited, primaries: .bt601Lines525, transfer: .linear)),
        Tags(
            arguments: h264("fcc", "smpte432", "gamma22", "tv"),
            expected: ColorSpace(matrix: .fcc, range: .limited, primaries: .displayP3, transfer: .gamma22)),
        Tags(
            arguments: h264("ycgco", "smpte431", "gamma28", "pc"),
            expected: ColorSpace(matrix: .ycgco, range: .full, primaries: .dciP3, transfer: .gamma28)),
        Tags(
            arguments: h264("bt709", "jedec-p22", "bt2020-10", "tv"),
            expected: ColorSpace(matrix: .bt709, range: .limited, primaries: .bt601Lines525)),
        // A tag without an equivalent is missing; the primaries make it BT.2020.
        Tags(
            arguments: h264("ictcp", "bt2020", "log100", "tv"),
            expected: ColorSpace(matrix: .bt2020, range: .limited, primaries: .bt2020)),
        Tags(
            arguments: ["-c:v", "libx264rgb", "-preset", "ultrafast", "-pix_fmt", "rgb24"],
            expected: ColorSpace(matrix: .rgb, range: .full, transfer: .sRGB)),
        Tags(
            name: "a.mkv", arguments: ["-c:v", "ffv1", "-pix_fmt", "gray"],
            expected: ColorSpace(matrix: .rgb, range: .full, primaries: .bt601Lines525)),
        // Missing tags are filled in part by part.
        Tags(
            arguments: DecodingTests.h264 + ["-colorspace", "bt709"],
            expected: ColorSpace(matrix: .bt709, range: .limited, primaries: .bt601Lines525)),
        // The pixel format says that the range is full.
        Tags(
            name: "a.avi", arguments: ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p"],
            expected: ColorSpace(matrix: .bt601, range: .full, primaries: .bt601Lines525)),
        Tags(
            name: "a.webm", arguments: DecodingTests.vp9 + ["-colorspace", "bt709", "-color_range", "pc"],
            expected: ColorSpace(matrix: .bt709, range: .full, primaries: .bt601Lines525)),
    ]

    @Test(arguments: tags) func colourIsWhatTheClipSays(_ tags: Tags) throws {
        let folder = try ClipFolder()
        try folder.makeClip(tags.name, size: tags.size, frames: 2, tags.arguments)
        let reader = try folder.reader(tags.name)
        #expect(reader.info.colorSpace == tags.expected)
        #expect(try readAll(reader).map(\.colorSpace) == [tags.expected, tags.expected])
    }

    @Test(
        arguments: [
            ChromaLocation.left, .center, .topLeft, .top, .bottomLeft, .bottom,
        ].enumerated().map { ($0.offset, $0.element) })
    func chromaLocationIsWhatTheClipSays(_ number: Int, _ expected: ChromaLocation) throws {
        let folder = try ClipFolder()
        try folder.makeClip("a.h264", frames: 2, DecodingTests.h264)
        try folder.ffmpeg([
            "-i", folder.file("a.h264"), "-c", "copy", "-bsf:v", "h264_metadata=chroma_sample_loc_type=\(number)",
            folder.file("a.mkv"),
        ])
        let reader = try folder.reader("a.mkv")
        // Left is what FFmpeg reports for streams without a siting, too.
        let tag = expected == .left ? nil : expected
        #expect(reader.info.attributes.colorTags.chromaLocation == tag && reader.info.chromaLocation == expected)
        #expect(try readAll(reader).allSatisfy { $0.attributes == reader.info.attributes })
    }

    /// Tags are distinguished from the values used.
    @Test func tagsAreOnlyWhatIsSaid() throws {
        let folder = try ClipFolder()
        try folder.makeClip("a.nut", frames: 1, ["-c:v", "rawvideo", "-pix_fmt", "yuv444p"])
        #expect(try folder.reader("a.nut").info.attributes.colorTags == ColorTags())
        let tags = [
            "-colorspace", "bt709", "-color_primaries", "bt2020", "-color_trc", "smpte2084", "-color_range", "pc",
        ]
        try folder.makeClip("a.mkv", frames: 1, ["-c:v", "ffv1", "-pix_fmt", "yuv444p"])
        try folder.retag("a.mkv", as: "b.mkv", tags)
        #expect(
            try folder.reader("b.mkv").info.attributes.colorTags
                == ColorTags(matrix: .bt709, range: .full, primaries: .bt2020, transfer: .pq))
    }

    @Test func motionJPEGHasItsChromaInTheMiddle() throws {
        let folder = try ClipFolder()
        try folder.makeClip("a.avi", frames: 1, ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p"])
        #expect(try folder.reader("a.avi").info.attributes.colorTags.chromaLocation == .center)
    }

    @Test(arguments: ["a.mp4", "a.mkv", "a.ts"]) func pixelShape(_ name: String) throws {
        let folder = try ClipFolder()
        try folder.makeClip(name, frames: 2, DecodingTests.h264 + ["-vf", "setsar=4/3"])
        let reader = try folder.reader(name)
        #expect(reader.info.attributes.pixelAspectRatio == Rational(4, 3))
        #expect(try readAll(reader).allSatisfy { $0.attributes.pixelAspectRatio == Rational(4, 3) })
    }

    @Test func rateAndLength() throws {
        let folder = try ClipFolder()
        try folder.makeClip("a.mp4", frames: 30, rate: "30000/1001", DecodingTests.h264 + ["-bf", "3"])
        let reader = try folder.reader("a.mp4")
        let rate = Rational(30000, 1001)
        #expect(reader.info.frameRate == rate)
        #expect(reader.info.duration == .milliseconds(1001))
        #expect(try readAll(reader).map(\.time) == (0..<30).map { rate.time(ofFrame: $0) })
    }

    @Test func lengthThatIsOnlyGuessedIsNotTold() throws {
        let folder = try ClipFolder()
        try folder.makeClip("a.h264", DecodingTests.h264)
        #expect(try folder.reader("a.h264").info.duration == nil)
    }
}
