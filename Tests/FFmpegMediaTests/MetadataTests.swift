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
        #expect(reader.info.attributes.colorTags.chromaLocation == expected)
        #expect(try readAll(reader).allSatisfy { $0.attributes.colorTags.chromaLocation == expected })
    }

    /// Tags are distinguished from the values used.
    @Test func tagsAreOnlyWhatIsSaid() throws {
        let folder = try ClipFolder()
        try folder.makeClip("a.nut", frames: 1, ["-c:v", "rawvideo", "-pix_fmt", "yuv444p"])
        #expect(try folder.reader("a.nut").info.attributes.colorTags == ColorTags())
        let tags = [
            "-colorspace", "bt709", "-color_primaries", "bt2020", "-color_trc", "smpte2084", "-color_range", "pc",
        ]
        try folder.makeClip("b.mkv", frames: 1, ["-c:v", "ffv1", "-pix_fmt", "yuv444p"] + tags)
        #expect(
            try folder.reader("b.mkv").info.attributes.colorTags
                == ColorTags(matrix: .bt709, range: .full, primaries: .bt2020, transfer: .pq))
    }

    /// v210 is decoded to a format whose range can be full, so the codec decides.
    @Test func fullRangeOfV210IsNotTrusted() throws {
        let folder = try ClipFolder()
        try folder.makeClip("a.mkv", frames: 2, ["-c:v", "v210", "-color_range", "pc", "-colorspace", "bt709"])
        let reader = try folder.reader("a.mkv")
        #expect(reader.info.codec == "v210" && reader.info.format == .i210)
        #expect(reader.info.attributes.colorTags == ColorTags(matrix: .bt709))
        #expect(reader.info.colorTagNotes == [.range: .unusable("full", because: "impossible in v210")])
        #expect(try readAll(reader).map(\.colorSpace.range) == [.limited, .limited])
        // Other codecs with the same samples are trusted.
        try folder.makeClip("b.mkv", frames: 1, ["-c:v", "ffv1", "-pix_fmt", "yuv422p10le", "-color_range", "pc"])
        let other = try folder.reader("b.mkv").info
        #expect(other.format == .i210 && other.colorSpace.range == .full && other.colorTagNotes.isEmpty)
        // Limited range is what it is.
        try folder.makeClip("c.mkv", frames: 1, ["-c:v", "v210", "-color_range", "tv"])
        let limited = try folder.reader("c.mkv").info
        #expect(limited.attributes.colorTags == ColorTags(range: .limited) && limited.colorTagNotes.isEmpty)
    }

    /// FFmpeg fills in left, as the standards infer, although BT.2020 is usually top left.
    @Test(arguments: [
        DecodingTests.h264, ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none"],
    ])
    func untaggedChromaOfH26xIsLeft(_ codec: [String]) throws {
        let folder = try ClipFolder()
        try folder.makeClip("a.mkv", frames: 1, codec + ["-colorspace", "bt2020nc", "-color_primaries", "bt2020"])
        let info = try folder.reader("a.mkv").info
        #expect(info.colorSpace.matrix == .bt2020 && info.chromaLocation == .left)
        #expect(info.colorTagNotes[.chroma] == .perhapsInferred)
    }

    /// Codecs whose clips have no tags, their files and encoders, and the parts that their decoders fill in.
    static let untagged: [(String, [String], [ColorTags.Part: ColorTags.Note])] = [
        ("a.mkv", DecodingTests.h264, [.chroma: .perhapsInferred]),
        ("a.mkv", hevc, [.chroma: .perhapsInferred, .range: .perhapsInferred]),
        ("a.mkv", ["-c:v", "mpeg1video"], [.chroma: .inferred, .range: .inferred]),
        ("a.mkv", ["-c:v", "mpeg2video"], [.chroma: .inferred, .range: .inferred]),
        ("a.mp4", ["-c:v", "mpeg4"], [.chroma: .inferred]),
        ("a.avi", ["-c:v", "h263p"], [.chroma: .inferred]),
        ("a.ogg", ["-c:v", "libtheora"], [.chroma: .inferred]),
        (
            "a.avi", ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p"],
            [.matrix: .inferred, .range: .inferred, .chroma: .inferred]
        ),
        ("a.mov", ["-c:v", "prores"], [.range: .perhapsInferred]),
        ("a.roq", ["-c:v", "roqvideo"], [.range: .perhapsInferred]),
        ("a.nut", ["-c:v", "rawvideo", "-pix_fmt", "pal8"], [.range: .inferred]),
        ("a.mkv", ["-c:v", "ffv1"], [:]), ("a.nut", ["-c:v", "rawvideo"], [:]), ("a.avi", ["-c:v", "huffyuv"], [:]),
        ("a.avi", ["-c:v", "ffvhuff", "-pix_fmt", "yuv420p"], [:]), ("a.mov", ["-c:v", "v210"], [:]),
        ("a.avi", ["-c:v", "cinepak"], [:]), ("a.avi", ["-c:v", "snow", "-strict", "-2"], [:]),
    ]

    static let hevc = ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none"]

    @Test(arguments: untagged.indices) func whatTheDecoderFillsInIsNotCalledTheStreamsOwn(_ index: Int) throws {
        let (name, arguments, notes) = Self.untagged[index]
        let folder = try ClipFolder()
        let untagged = "setparams=range=unspecified:color_primaries=unknown:color_trc=unknown:colorspace=unknown"
        try folder.makeClip(name, frames: 1, arguments + ["-vf", untagged])
        let info = try folder.reader(name).info
        #expect(info.colorTagNotes == notes, "\(arguments)")
        // What has no note would be called the stream's own, but there is no such tag.
        let tagged = ColorTags.Part.allCases.filter { info.attributes.colorTags.name(of: $0) != nil }
        #expect(Set(tagged) == Set(notes.keys), "\(arguments)")
    }

    /// Tags that say what no default does can only be the stream's.
    @Test func tagsThatNoDecoderFillsInAreTheStreamsOwn() throws {
        let folder = try ClipFolder()
        let tags = [
            "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "pc",
            "-chroma_sample_location", "topleft",
        ]
        for codec in [DecodingTests.h264, Self.hevc] {
            try folder.makeClip("a.mkv", frames: 1, codec + tags)
            let info = try folder.reader("a.mkv").info
            #expect(info.colorTagNotes.filter { $0.key != .chroma }.isEmpty, "\(codec)")
            #expect(info.colorSpace == ColorSpace(matrix: .bt709, range: .full))
        }
    }

    /// Tags without a value here, by FFmpeg's option and name.
    @Test(
        arguments: [
            ("-colorspace", "ictcp", ColorTags.Part.matrix), ("-colorspace", "chroma-derived-nc", .matrix),
            ("-colorspace", "smpte2085", .matrix), ("-color_primaries", "film", .primaries),
            ("-color_primaries", "bt470m", .primaries), ("-color_primaries", "smpte428", .primaries),
            ("-color_trc", "log100", .transfer), ("-color_trc", "log316", .transfer),
            ("-color_trc", "smpte428", .transfer),
        ]) func tagsWithoutAnEquivalentAreNamed(_ option: String, _ tag: String, _ part: ColorTags.Part) throws
    {
        let folder = try ClipFolder()
        try folder.makeClip("a.mkv", frames: 1, DecodingTests.h264 + [option, tag])
        let info = try folder.reader("a.mkv").info
        #expect(info.attributes.colorTags.name(of: part) == nil)
        #expect(info.colorTagNotes[part] == .unusable(tag, because: "no equivalent"))
    }

    @Test func whatIsOnlyCloseOrImpossibleIsSaid() throws {
        let folder = try ClipFolder()
        try folder.makeClip("a.mkv", frames: 1, DecodingTests.h264 + ["-colorspace", "bt2020c"])
        let info = try folder.reader("a.mkv").info
        #expect(info.colorSpace.matrix == .bt2020)
        #expect(info.colorTagNotes[.matrix] == .approximated("bt2020c (constant luminance)"))
        try folder.makeClip("b.mkv", frames: 1, ["-c:v", "ffv1", "-pix_fmt", "yuv420p", "-colorspace", "rgb"])
        let other = try folder.reader("b.mkv").info
        #expect(other.colorSpace.matrix == .bt601)
        #expect(
            other.colorTagNotes[.matrix] == .unusable("rgb", because: "impossible with subsampled chroma"))
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
