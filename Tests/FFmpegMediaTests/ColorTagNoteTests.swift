import FFmpegMedia
import MediaIO
import Testing

/// What is known of a clip's colour tags besides their values, and which tags are not trusted.
@Suite struct ColorTagNoteTests {
    /// v210 is decoded to a format whose range can be full, so the codec decides.
    @Test func fullRangeOfV210IsNotTrusted() throws {
        let folder = try ClipFolder()
        try folder.makeClip(
            "a.mkv", frames: 2,
            ["-c:v", "v210", "-pix_fmt", "yuv422p10le", "-color_range", "pc", "-colorspace", "bt709"])
        let reader = try folder.reader("a.mkv")
        #expect(reader.info.codec == "v210" && reader.info.format == .i210)
        #expect(reader.info.attributes.colorTags == ColorTags(matrix: .bt709))
        #expect(reader.info.colorTagNotes == [.range: .unusable("full", because: "impossible in v210")])
        #expect(try readAll(reader).map(\.colorSpace.range) == [.limited, .limited])
        // Other codecs with the same samples are trusted.
        try folder.makeClip("untagged.mkv", frames: 1, ["-c:v", "ffv1", "-pix_fmt", "yuv422p10le"])
        try folder.retag("untagged.mkv", as: "b.mkv", ["-color_range", "pc"])
        let other = try folder.reader("b.mkv").info
        #expect(other.format == .i210 && other.colorSpace.range == .full && other.colorTagNotes.isEmpty)
        // Limited range is what it is.
        try folder.makeClip("c.mkv", frames: 1, ["-c:v", "v210", "-pix_fmt", "yuv422p10le", "-color_range", "tv"])
        let limited = try folder.reader("c.mkv").info
        #expect(limited.attributes.colorTags == ColorTags(range: .limited) && limited.colorTagNotes.isEmpty)
    }

    /// FFmpeg reports left for streams with that siting and for streams without one, so the rule decides.
    @Test(arguments: [DecodingTests.h264, hevc]) func leftOfH26xIsNoTag(_ codec: [String]) throws {
        let folder = try ClipFolder()
        for (tags, expected) in [
            ([], ChromaLocation.left), (["-color_range", "pc"], .left), (["-color_primaries", "bt2020"], .topLeft),
            (["-color_trc", "arib-std-b67"], .topLeft),
        ] {
            try folder.makeClip("a.mkv", frames: 1, codec + tags)
            let info = try folder.reader("a.mkv").info
            #expect(info.attributes.colorTags.chromaLocation == nil && info.chromaLocation == expected, "\(tags)")
            #expect(info.colorTagNotes[.chroma] == .ambiguous("left"))
        }
    }

    /// Codecs whose clips have no tags, their files and encoders, and the parts that their decoders fill in.
    static let untagged: [(String, [String], [ColorTags.Part: ColorTags.Note])] = [
        // FFmpeg 7 gives Matroska the range that it takes the pictures to have, so that some are in other containers.
        ("a.ts", DecodingTests.h264, [.chroma: .ambiguous("left")]),
        ("a.mkv", hevc, [.chroma: .ambiguous("left"), .range: .perhapsInferred]),
        ("a.mpg", ["-c:v", "mpeg1video"], [.chroma: .inferred, .range: .inferred]),
        ("a.ts", ["-c:v", "mpeg2video"], [.chroma: .inferred, .range: .inferred]),
        ("a.mp4", ["-c:v", "mpeg4"], [.chroma: .inferred]),
        ("a.avi", ["-c:v", "h263p"], [.chroma: .inferred]),
        ("a.ogg", ["-c:v", "libtheora"], [.chroma: .inferred]),
        (
            "a.avi", ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p"],
            [.matrix: .inferred, .range: .inferred, .chroma: .inferred]
        ),
        ("a.mov", ["-c:v", "prores"], [.range: .perhapsInferred]),
        ("a.ivf", ["-c:v", "libvpx"], [.matrix: .inferred, .range: .inferred]),
        ("a.roq", ["-c:v", "roqvideo"], [.range: .perhapsInferred]),
        ("a.nut", ["-c:v", "rawvideo", "-pix_fmt", "pal8"], [.range: .inferred]),
        ("a.avi", ["-c:v", "ffv1"], [:]), ("a.nut", ["-c:v", "rawvideo"], [:]), ("a.avi", ["-c:v", "huffyuv"], [:]),
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
        #expect(Set(tagged) == Set(notes.filter { $0.value != .ambiguous("left") }.keys), "\(arguments)")
    }

    /// Tags that say what no default does can only be the stream's.
    @Test func tagsThatNoDecoderFillsInAreTheStreamsOwn() throws {
        let folder = try ClipFolder()
        let tags = [
            "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "pc",
        ]
        for (codec, name) in [(DecodingTests.h264, "h264"), (Self.hevc, "hevc")] {
            let siting = ["-bsf:v", "\(name)_metadata=chroma_sample_loc_type=2"]
            try folder.makeClip("a.mkv", frames: 1, codec + tags + siting)
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

    /// Tags by FFmpeg's option and name; nothing is said of those that mean the same as the value here.
    @Test(
        arguments: [
            ("-color_primaries", "jedec-p22", ColorTags.Part.primaries, "ebu3213"),
            ("-color_primaries", "smpte240m", .primaries, nil), ("-color_trc", "smpte240m", .transfer, "smpte240m"),
            ("-color_trc", "iec61966-2-4", .transfer, "iec61966-2-4"), ("-color_trc", "bt1361e", .transfer, "bt1361e"),
            ("-color_trc", "smpte170m", .transfer, nil), ("-color_trc", "bt2020-10", .transfer, nil),
            ("-color_trc", "bt2020-12", .transfer, nil),
        ] as [(String, String, ColorTags.Part, String?)]) func closeTagsAreNamed(
            _ option: String, _ tag: String, _ part: ColorTags.Part, _ name: String?
        ) throws
    {
        let folder = try ClipFolder()
        try folder.makeClip("a.mkv", frames: 1, ["-c:v", "ffv1", option, tag])
        let info = try folder.reader("a.mkv").info
        #expect(info.attributes.colorTags.name(of: part) == (part == .primaries ? "bt601Lines525" : "bt709"))
        #expect(info.colorTagNotes[part] == name.map { .approximated($0) })
    }

    /// The container's tag is named, although the decoder's value is used.
    @Test func whatTheDecoderOverrulesIsNamed() throws {
        let folder = try ClipFolder()
        func makeClip(_ name: String, _ arguments: [String]) throws -> StreamInfo {
            try folder.makeClip(name, frames: 1, arguments)
            return try folder.reader(name).info
        }
        let jpeg = ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p", "-color_primaries", "bt709", "-color_trc", "bt709"]
        let other = try makeClip("a.mov", jpeg + ["-colorspace", "bt709", "-movflags", "write_colr"])
        #expect(other.colorSpace.matrix == .bt601 && other.colorTagNotes[.matrix] == .overruled("bt709"))
        #expect(other.attributes.colorTags.primaries == .bt709 && other.colorTagNotes[.primaries] == nil)
        #expect(other.colorTagNotes[.chroma] == .inferred)
        // If they agree, it is the stream's own.
        let same = try makeClip("b.mov", jpeg + ["-colorspace", "smpte170m", "-movflags", "write_colr"])
        #expect(same.colorSpace.matrix == .bt601 && same.colorTagNotes[.matrix] == nil)
        _ = try makeClip("a.mkv", ["-c:v", "mpeg2video"])
        try folder.retag("a.mkv", as: "b.mkv", ["-color_range", "pc"])
        let mpeg = try folder.reader("b.mkv").info
        #expect(mpeg.colorSpace.range == .limited && mpeg.colorTagNotes[.range] == .overruled("full"))
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
}
