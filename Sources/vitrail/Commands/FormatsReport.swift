import MediaIO
import VideoSources

/// The output of `vitrail formats`.
struct FormatsReport: Codable, Hashable {
    struct Format: Codable, Hashable {
        var name: String
        var bits: Int
        var planes: Int
        var subsampling: String
        var summary: String
        /// The names in each vocabulary, the shortest first; vocabularies without a name are left out.
        var names: [String: [String]]
        /// The options that a name implies: `range=full&chroma=center` for `yuvj420p`; other names are left out.
        var implied: [String: String]

        init(_ format: PixelFormat) {
            name = format.rawValue
            bits = format.layout.depth
            planes = format.planes.count
            subsampling = format.subsampling
            summary = format.summary
            names = Dictionary(
                uniqueKeysWithValues: PixelFormat.Vocabulary.allCases
                    .map { ($0.rawValue, format.names(in: $0)) }.filter { !$0.1.isEmpty })
            implied = [:]
            for name in names.values.joined() {
                let tags = PixelFormat.colorTags(impliedBy: name)
                let options = [
                    tags.matrix.map { "matrix=\($0)" }, tags.range.map { "range=\($0)" },
                    tags.primaries.map { "primaries=\($0)" }, tags.chromaLocation.map { "chroma=\($0)" },
                ].compactMap { $0 }
                if !options.isEmpty { implied[name] = options.joined(separator: "&") }
            }
        }

        /// The names in a vocabulary, with the options that they imply, in one line.
        func line(_ vocabulary: PixelFormat.Vocabulary) -> String {
            guard let known = names[vocabulary.rawValue] else { return "-" }
            return known.map { name in implied[name].map { "\(name) (\($0))" } ?? name }.joined(separator: " ")
        }
    }

    struct Entry: Codable, Hashable {
        var name: String
        var summary: String
    }

    var pixelFormats = PixelFormat.allCases.map(Format.init)
    var inputs = [
        Entry(name: "y4m", summary: "*.y4m, and - for standard input: raw video with a header"),
        Entry(name: "raw", summary: "*.yuv *.raw *.nv12 *.p010 and so on: planes without a header; needs ?size="),
        Entry(name: "media", summary: "every other file, and URLs: whatever FFmpeg reads"),
        Entry(name: "camera", summary: "camera:NAME, /dev/video0: a camera, see vitrail devices"),
        Entry(name: "test", summary: "test:PATTERN: a moving test pattern, generated"),
    ]
    var outputs = [
        Entry(name: "png", summary: "*.png: one picture"),
        Entry(name: "series", summary: "*-%04d.png: one picture per frame"),
        Entry(name: "y4m", summary: "*.y4m, and - for standard output: raw video, I420"),
    ]
    var testPatterns = TestPattern.allCases.map { Entry(name: $0.rawValue, summary: $0.summary) }
    var options = InputOption.allCases.map { Entry(name: $0.rawValue, summary: $0.values) }
    var matrices = ColorSpace.Matrix.allCases.map(\.rawValue)
    var ranges = ColorSpace.Range.allCases.map(\.rawValue)
    var primaries = ColorSpace.Primaries.allCases.map(\.rawValue)
    var transfers = ColorSpace.Transfer.allCases.map(\.rawValue)
    var chromaLocations = ChromaLocation.allCases.map(\.rawValue)
}

extension PixelFormat.Vocabulary {
    /// The project's name, as it writes it.
    var title: String {
        switch self {
        case .ffmpeg: "FFmpeg"
        case .v4l2: "V4L2"
        case .gstreamer: "GStreamer"
        case .webrtc: "WebRTC"
        case .agora: "Agora"
        case .zego: "ZEGO"
        }
    }
}
