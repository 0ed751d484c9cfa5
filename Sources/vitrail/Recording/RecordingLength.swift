import MediaIO

/// How long a part of a recording becomes, or how many bytes it gets: `10min`, `500MB`.
enum RecordingLength: Hashable, Sendable, CustomStringConvertible {
    case time(seconds: Int)
    case bytes(Int)

    private static let seconds = ["s": 1, "min": 60, "h": 3600]
    static let forms = "such as 90s, 10min, 1h, 500MB or 2GB"

    /// Reads a number with a unit; `nil` for anything else, less than a second or a megabyte, or more than 30 days.
    init?(_ text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits), number > 0, number <= 1_000_000_000 else { return nil }
        if let unit = Self.seconds[String(text.dropFirst(digits.count))] {
            guard number * unit <= 30 * 86_400 else { return nil }
            self = .time(seconds: number * unit)
        } else {
            guard let bytes = ByteCount(text), bytes.count >= 1_000_000 else { return nil }
            self = .bytes(bytes.count)
        }
    }

    var description: String {
        switch self {
        case .time(let seconds):
            seconds % 3600 == 0 ? "\(seconds / 3600)h" : seconds % 60 == 0 ? "\(seconds / 60)min" : "\(seconds)s"
        case .bytes(let count): ByteCount(count).description
        }
    }
}

/// A number of bytes with a unit: `500MB`, `2GB`; a kilobyte is 1000 bytes.
struct ByteCount: Hashable, Sendable, CustomStringConvertible {
    var count: Int

    private static let units = [("TB", 1_000_000_000_000), ("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1000)]

    init(_ count: Int) { self.count = count }

    /// Reads a number with a unit, or 0; `nil` for anything else.
    init?(_ text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits), number <= 1_000_000 else { return nil }
        let unit = text.dropFirst(digits.count)
        guard let factor = Self.units.first(where: { $0.0.lowercased() == unit.lowercased() })?.1 else {
            guard number == 0, unit.isEmpty else { return nil }
            count = 0
            return
        }
        count = number * factor
    }

    var description: String {
        guard count > 0, let unit = Self.units.first(where: { count % $0.1 == 0 }) else { return "\(count)" }
        return "\(count / unit.1)\(unit.0)"
    }
}
