import Glibc

/// The progress of a long task: one line that is overwritten, on a terminal only.
struct ProgressBar {
    private static let width = 40
    private let total: Int
    private let isTerminal = isatty(STDERR_FILENO) != 0
    private var done = 0
    private var shown = -1

    /// Starts; nothing is shown yet.
    ///
    /// - Parameter total: the number of steps.
    init(total: Int) { self.total = max(1, total) }

    /// Counts one more step.
    mutating func advance() {
        done += 1
        let percent = done * 100 / total
        guard isTerminal, percent != shown else { return }
        shown = percent
        write("\r" + Self.line(percent))
    }

    /// Removes the line.
    mutating func clear() {
        if shown >= 0 { write("\r\u{1B}[K") }
        shown = -1
    }

    /// A bar and a number.
    static func line(_ percent: Int) -> String {
        let full = percent * width / 100
        return "[" + String(repeating: "#", count: full) + String(repeating: " ", count: width - full) + "] \(percent)%"
    }

    private func write(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
