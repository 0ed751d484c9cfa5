import FoundationEssentials
import MediaIO

/// What a clip has, as its `clip.json` says it: times are those of the wall clock, in UTC.
struct ClipManifest: Encodable {
    /// The file of a stream.
    struct Stream: Encodable {
        /// The names of its tiles.
        var names: [String]
        /// Its address, without secrets.
        var address: String
        /// The file in the folder; `nil` if there is none.
        var file: String?
        /// When the first picture of the file was captured: a key frame, which is usually before the clip begins.
        var begin: String?
        /// Where the clip begins in the file, in seconds: there, all files are at the same instant.
        ///
        /// Negative if the file begins later.
        var offset: Double?
        /// Why there is no file, or not all of the stream in it.
        var reason: String?

        /// Notes when its first picture was captured.
        mutating func setBegin(_ time: Duration, of clip: ClipManifest) {
            begin = ClipManifest.text(time)
            offset = (((clip.start - time) / .milliseconds(1)).rounded()) / 1000
        }
    }

    private enum CodingKeys: String, CodingKey { case begin, end, streams }

    private let start: Duration
    /// From when to when.
    let (begin, end): (String, String)
    /// The streams.
    var streams: [Stream] = []

    /// Describes an empty clip.
    ///
    /// - Parameters:
    ///   - start: when it begins, since 1970.
    ///   - end: when it ends.
    init(from start: Duration, to end: Duration) {
        self.start = start
        (begin, self.end) = (Self.text(start), Self.text(end))
    }

    /// The manifest as JSON, with its keys in order.
    var bytes: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Every value can be encoded: there are no numbers but finite ones.
        return (try? encoder.encode(self)).map { Array($0) + Array("\n".utf8) } ?? []
    }

    private static func text(_ time: Duration) -> String {
        let date = Date(timeIntervalSince1970: time / .seconds(1))
        return date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}
