import MediaIO

/// Whether live streams show the same instant, as a wall's user says it: `align` in a wall file.
enum AlignmentPlan: Hashable, Sendable, CustomStringConvertible {
    /// Each stream is shown as soon as it can be.
    case off
    /// All are shown as soon as the slowest can be.
    case automatic
    /// All are shown so long after they were captured.
    case fixed(milliseconds: Int)

    /// What can be written, for errors.
    static let forms = "auto, off, or a time up to 10 s, such as 800ms or 2s"

    /// Reads it; `nil` for anything else.
    init?(_ text: String) {
        switch text {
        case "off": self = .off
        case "auto": self = .automatic
        default:
            let digits = text.prefix { $0.isASCII && $0.isNumber }
            guard let number = Int(digits), number <= 10_000 else { return nil }
            let milliseconds: Int
            switch text.dropFirst(digits.count) {
            case "ms": milliseconds = number
            case "s": milliseconds = number * 1000
            default: return nil
            }
            guard .milliseconds(milliseconds) <= PlayoutAlignment.longestGiven else { return nil }
            self = .fixed(milliseconds: milliseconds)
        }
    }

    var description: String {
        switch self {
        case .off: "off"
        case .automatic: "auto"
        case .fixed(let milliseconds): milliseconds % 1000 == 0 ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
        }
    }

    /// What streams share for it; `nil` if they are not aligned.
    var alignment: PlayoutAlignment? {
        switch self {
        case .off: nil
        case .automatic: PlayoutAlignment()
        case .fixed(let milliseconds): PlayoutAlignment(delay: .milliseconds(milliseconds))
        }
    }
}
