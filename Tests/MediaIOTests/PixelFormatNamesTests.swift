import MediaIO
import Testing

/// What formats are called elsewhere.
struct PixelFormatNamesTests {
    typealias Vocabulary = PixelFormat.Vocabulary

    struct Name: Hashable, CustomTestStringConvertible {
        let vocabulary: Vocabulary
        let name: String
        let format: PixelFormat

        var testDescription: String { "\(vocabulary):\(name)" }
    }

    static let all = Vocabulary.allCases.flatMap { vocabulary in
        PixelFormat.allCases.flatMap { format in
            format.names(in: vocabulary).map { Name(vocabulary: vocabulary, name: $0, format: format) }
        }
    }

    /// Bare names that two vocabularies give to different formats, and which format has it.
    static let collisions: [String: PixelFormat] = [
        "argb": .argb32, "abgr": .abgr32, "bgra": .bgra32, "rgba": .rgba32, "rgb24": .rgb24,
    ]

    @Test(arguments: Vocabulary.allCases) func namesMeanWhatIsDocumented(_ vocabulary: Vocabulary) {
        let documented = DocumentedNames.of(vocabulary)
        let ours = Self.all.filter { $0.vocabulary == vocabulary }
        for row in ours { #expect(row.format.rawValue == documented[row.name], "\(row)") }
        #expect(Set(documented.keys).symmetricDifference(ours.map(\.name)) == [])
    }

    @Test func everyNameIsFound() {
        for row in Self.all {
            for name in [row.name, row.name.lowercased(), row.name.uppercased()] {
                #expect(PixelFormat(named: "\(row.vocabulary.rawValue):\(name)") == row.format, "\(row)")
                #expect(
                    PixelFormat(named: name) == Self.collisions[name.lowercased()] ?? row.format, "\(row)")
            }
        }
        #expect(Self.all.count > 300)
    }

    @Test func everyVocabularyGivesANameOnce() {
        for vocabulary in Vocabulary.allCases {
            let names = Self.all.filter { $0.vocabulary == vocabulary }.map { $0.name.lowercased() }
            #expect(names.count == Set(names).count, "\(vocabulary)")
        }
    }

    @Test func collisionsAreThoseThatAreListed() {
        var meanings: [String: Set<PixelFormat>] = [:]
        for format in PixelFormat.allCases { meanings[format.rawValue, default: []].insert(format) }
        for row in Self.all { meanings[row.name.lowercased(), default: []].insert(row.format) }
        #expect(Set(meanings.filter { $0.value.count > 1 }.keys) == Set(Self.collisions.keys))
    }

    @Test(
        arguments: [
            ("i420", .i420), ("I420", .i420), ("yuv420p10le", .i010), ("YUV420P10", .i010), ("yuvj420p", .i420),
            ("YU12", .i420), ("v4l2:yuyv", .yuyv), ("I420_10LE", .i010), ("kI010", .i010), ("gstreamer:RGBx", .rgbx32),
            // Little-endian words: what they call A, R, G, B lies in memory as B, G, R, A.
            ("webrtc:ARGB", .bgra32), ("ffmpeg:argb", .argb32), ("gstreamer:ARGB", .argb32), ("v4l2:AR24", .bgra32),
            ("webrtc:RGB24", .bgr24), ("webrtc:raw", .rgb24), ("v4l2:RGB3", .rgb24), ("v4l2:AB24", .rgba32),
            ("VIDEO_PIXEL_I420", .i420), ("AgoraVideoPixelFormatNV12", .nv12), ("agora:bgra", .bgra32),
            ("ZegoVideoFrameFormatBGRA32", .bgra32), ("ZEGO_VIDEO_FRAME_FORMAT_I422", .i422), ("zego:nv21", .nv21),
            // WebRTC's enumerator is Y, V, U, the four characters are Y, U, V.
            ("kIYUV", .yv12), ("webrtc:kIYUV", .yv12), ("IYUV", .i420), ("webrtc:iyuv", .i420), ("kBGR24", .rgb24),
            ("webrtc:kBGR24", .rgb24), ("webrtc:kRGB24", .bgr24),
            // Names of four characters may be padded with spaces.
            ("v4l2:Y10 ", .gray10), ("Y10 ", .gray10), ("v4l2:y16 ", .gray16), ("webrtc:raw ", .rgb24),
            ("v4l2:Y10  ", nil), ("ffmpeg:y10 ", nil), ("v4l2:    ", nil), ("v4l2:YUYV ", nil), ("nv12 ", nil),
            // Names that are left out on purpose, and what is no name.
            ("v4l2:NV20", nil), ("xv30le", nil), ("AR30", nil), ("v4l2:y444", nil), ("yuv420p10be", nil),
            ("", nil), (":", nil), ("ffmpeg:", nil), (":i420", nil), ("vlc:i420", nil), ("ffmpeg:i420", nil),
            ("i420 ", nil), ("ffmpeg:ffmpeg:nv12", nil), ("le", nil), ("İ420", nil), ("None", nil),
        ] as [(String, PixelFormat?)]) func nameIsRead(_ name: String, _ format: PixelFormat?)
    {
        #expect(PixelFormat(named: name) == format)
    }

    @Test func someNamesImplyColours() {
        for name in ["yuvj420p", "yuvj422p", "yuvj444p", "yuvj440p", "yuvj411p", "ffmpeg:yuvj420p", "YUVJ420P"] {
            let jpeg = ColorTags(range: .full, chromaLocation: .center)
            #expect(PixelFormat.colorTags(impliedBy: name) == jpeg, "\(name)")
        }
        for name in ["HDYC", "webrtc:HDYC", "hdyc"] {
            #expect(PixelFormat.colorTags(impliedBy: name) == ColorTags(matrix: .bt709, primaries: .bt709), "\(name)")
        }
        let implying = Self.all.filter { PixelFormat.colorTags(impliedBy: $0.name) != ColorTags() }
        #expect(implying.count == 6, "\(implying)")
        for name in ["v4l2:HDYC", "yuvj410p", "i420", "UYVY", ""] {
            #expect(PixelFormat.colorTags(impliedBy: name) == ColorTags(), "\(name)")
        }
    }

    @Test(
        arguments: [
            ("yuv420", "yuv420p"), ("i42O", "i420"), ("nv13", "nv12"), ("yuv420p10l", "yuv420p10le"),
            ("bgra3", "bgra32"),
            ("v4l2:YU11", "v4l2:YU12"), ("webrtc:rgb", "webrtc:RGB24"), ("p01", "p010"),
            ("NV-12", "nv12"), ("bayer", "bayer_rggb8"),
            // Nothing is close, but a vocabulary is named.
            ("v4l2:NV99", "v4l2:NV12"), ("v4l2:AR30", "v4l2:AR24"), ("ffmpeg:UYYVYY411", "ffmpeg:uyvy422"),
        ]) func closeNamesAreFound(_ name: String, _ expected: String)
    {
        let names = PixelFormat.namesClose(to: name)
        #expect(names.contains(expected), "\(names)")
        #expect(names.count <= 5)
        #expect(names.allSatisfy { PixelFormat(named: $0) != nil })
        #expect(PixelFormat(named: name) == nil)
    }

    /// A vocabulary's nearest names are given where nothing is close, and no others where something is.
    @Test func nearestNamesAreGivenOnlyIfNoneIsClose() {
        #expect(PixelFormat.namesClose(to: "v4l2:AR30") == ["v4l2:AR24"])
        #expect(PixelFormat.namesClose(to: "v4l2:XR3O").allSatisfy { $0 == "v4l2:XR15" || $0 == "v4l2:XR24" })
        #expect(PixelFormat.namesClose(to: "v4l2:YM22") == ["v4l2:YM12", "v4l2:YM21", "v4l2:YM24"])
        #expect(PixelFormat.namesClose(to: "AR30").isEmpty)
    }

    @Test(arguments: [
        "", ":", "v4l2:", "h264", "something-else-entirely", "ffmpeg:something-else-entirely",
        String(repeating: "y", count: 1_000_000), "gstreamer:" + String(repeating: "y", count: 1_000_000),
    ]) func nothingIsClose(_ name: String) {
        #expect(PixelFormat.namesClose(to: name).isEmpty)
    }
}
