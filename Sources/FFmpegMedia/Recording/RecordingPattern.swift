import Glibc
public import MediaIO

/// How the files of recordings are named: `{name}_{time}.mkv`.
///
/// | Part | Becomes |
/// |---|---|
/// | `{name}` | the name of the stream; what no file name can have is `_` |
/// | `{time}` | when the file begins, in local time: `2026-11-28_19-30-05` |
/// | `{date}` | its date: `2026-11-28` |
/// | `{number}` | 001, 002, …: the next that no file has |
///
/// The ending chooses the container: `.mkv`, `.mp4`, `.mov`, `.webm` or `.ts`. A `/` makes folders.
public struct RecordingPattern: Hashable, Sendable, CustomStringConvertible {
    private enum Piece: Hashable {
        case text(String)
        case name, time, date, number

        static let words: [String: Piece] = ["name": .name, "time": .time, "date": .date, "number": .number]
    }

    /// The usual names, in Matroska: `{name}_{time}.mkv`.
    public static let standard = RecordingPattern(
        [.name, .text("_"), .time, .text(".mkv")], .matroska, "{name}_{time}.mkv")

    /// The pattern as typed.
    public let description: String
    /// The container.
    public let container: MediaContainer
    private let pieces: [Piece]

    private init(_ pieces: [Piece], _ container: MediaContainer, _ text: String) {
        (self.pieces, self.container, description) = (pieces, container, text)
    }

    /// Reads a pattern.
    ///
    /// - Parameter text: the pattern, relative to the folder of the recordings.
    /// - Throws: ``StreamError/Code/unsupported`` if it has neither time nor number, so that two files would have the same
    ///   name; if it leads out of the folder; without the ending of a container; for an unknown part in braces.
    public init(_ text: String) throws(StreamError) {
        func error(_ reason: String) -> StreamError {
            StreamError(.unsupported, "“\(text)” cannot name recordings: \(reason), as in {name}_{time}.mkv.")
        }
        var (pieces, rest) = ([Piece](), text[...])
        while !rest.isEmpty {
            let plain = rest.prefix { $0 != "{" && $0 != "}" }
            if !plain.isEmpty { pieces.append(.text(String(plain))) }
            rest = rest[plain.endIndex...]
            guard let brace = rest.first else { break }
            let word = rest.dropFirst().prefix { $0 != "}" }
            guard brace == "{", word.endIndex < rest.endIndex, let piece = Piece.words[String(word)] else {
                throw error("in braces may be name, time, date and number")
            }
            pieces.append(piece)
            rest = rest[word.endIndex...].dropFirst()
        }
        // Of bytes, as the system sees it: a slash may be part of a letter with an accent.
        let folders = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        guard text.utf8.first != UInt8(ascii: "/"), !folders.contains("..") else {
            throw error("it must stay in its folder: omit what leads out of it")
        }
        guard !folders.contains(where: { $0.isEmpty || $0.utf8.first == UInt8(ascii: ".") }), !text.utf8.contains(0)
        else {
            throw error("each part of the path needs a name that does not begin with a dot")
        }
        guard pieces.contains(.time) || pieces.contains(.number) else {
            throw error("two files would have the same name: add {time} or {number}")
        }
        guard case .text(let ending)? = pieces.last, let container = MediaContainer(path: ending) else {
            throw error("end it with \(MediaContainer.allCases.map { ".\($0.rawValue)" }.joined(separator: ", "))")
        }
        self.init(pieces, container, text)
    }

    /// The path of a file, relative to the folder.
    ///
    /// - Parameters:
    ///   - name: the name of the stream.
    ///   - time: when it begins.
    ///   - attempt: how many files of this name there are already: it becomes a number.
    /// - Returns: the path.
    func path(name: String, time: RecordingTime, attempt: Int) -> String {
        let path = pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .name: Self.fileName(name)
            case .time: time.text
            case .date: time.date
            case .number: Self.threeDigits(attempt + 1)
            }
        }.joined()
        guard attempt > 0, !pieces.contains(.number), let point = path.lastIndex(of: ".") else { return path }
        return "\(path[..<point])-\(attempt + 1)\(path[point...])"
    }

    /// Patterns of glob(7) for all files that it has named in a folder.
    ///
    /// - Parameters:
    ///   - folder: the folder.
    ///   - isCopy: whether their incomplete copies are meant.
    /// - Returns: the patterns.
    func globs(in folder: String, ofCopies isCopy: Bool = false) -> [String] {
        let digit = "[0-9]"
        let date = [4, 2, 2].map { String(repeating: digit, count: $0) }.joined(separator: "-")
        let time = Array(repeating: digit + digit, count: 3).joined(separator: "-")
        func glob(_ text: String) -> String {
            text.unicodeScalars.map { "*?[]\\".unicodeScalars.contains($0) ? "\\\($0)" : "\($0)" }.joined()
        }
        // A number is digits only: “001.mkv” is a recording, “2019 wedding.mkv” is none.
        func path(_ number: String) -> String {
            pieces.map { piece in
                switch piece {
                case .text(let text): glob(text)
                case .name: "*"
                case .time: "\(date)_\(time)"
                case .date: date
                case .number: number
                }
            }.joined()
        }
        func digits(_ counts: ClosedRange<Int>) -> [String] { counts.map { String(repeating: digit, count: $0) } }
        var globs = [path("")]
        if pieces.contains(.number) {
            globs = digits(3...6).map(path)
        } else if let point = globs[0].lastIndex(of: ".") {
            globs += digits(1...6).map { "\(globs[0][..<point])-\($0)\(globs[0][point...])" }
        }
        globs = globs.map { "\(glob(folder))/\($0)" }
        return isCopy ? globs.map(RecordingFile.copyPath) : globs
    }

    private static func threeDigits(_ number: Int) -> String {
        let text = "\(number)"
        return String(repeating: "0", count: max(0, 3 - text.count)) + text
    }

    /// A name that a file can have: 100 bytes at most, so that time and ending always fit.
    static func fileName(_ name: String) -> String {
        var safe = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            let isBad = scalar == "/" || scalar.value < 32 || scalar.value == 127
            safe.append(isBad || safe.isEmpty && scalar == "." ? "_" : scalar)
        }
        var text = ""
        for character in String(safe) {
            if text.utf8.count + character.utf8.count > 100 { break }
            text.append(character)
        }
        return text.isEmpty ? "_" : text
    }
}

/// When a recording begins, on the wall clock.
struct RecordingTime: Hashable {
    /// Since 1970-01-01 00:00 UTC.
    let sinceEpoch: Duration

    /// The local time: `2026-11-28_19-30-05`.
    var text: String { format("%Y-%m-%d_%H-%M-%S") }
    /// The local date: `2026-11-28`.
    var date: String { format("%Y-%m-%d") }
    /// The time in UTC as ISO 8601 writes it, with microseconds.
    var universal: String {
        var (seconds, parts) = (Int(sinceEpoch.components.seconds), tm())
        gmtime_r(&seconds, &parts)
        let fraction = "\(sinceEpoch.components.attoseconds / 1_000_000_000_000)"
        return Self.format("%Y-%m-%dT%H:%M:%S.", &parts) + String(repeating: "0", count: 6 - fraction.count) + fraction
            + "Z"
    }

    /// The present.
    static var now: RecordingTime { RecordingTime(sinceEpoch: MachineClock.read().sinceEpoch) }

    private func format(_ form: String) -> String {
        var (seconds, parts) = (Int(sinceEpoch.components.seconds), tm())
        localtime_r(&seconds, &parts)
        return Self.format(form, &parts)
    }

    private static func format(_ form: String, _ parts: inout tm) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
            guard let first = text.baseAddress, strftime(first, text.count, form, &parts) > 0 else { return "" }
            return String(cString: first)
        }
    }
}
