import Glibc

/// The progress of a long task: one line that is overwritten, on a terminal only.
struct ProgressBar {
    private static let width = 40
    private let total: Int?
    /// What is counted; `nil` for a bar.
    private let unit: String?
    /// Whether a line can be overwritten: there is a terminal that is not a dumb one.
    private let isTerminal =
        isatty(STDERR_FILENO) != 0 && getenv("TERM").map { String(cString: $0) } != "dumb"
    private let clock = ContinuousClock()
    private let begin: ContinuousClock.Instant
    private var shownTime: ContinuousClock.Instant
    private var done = 0
    /// The last line; `nil` before the first one.
    private var shown: String?

    /// Starts; nothing is shown yet.
    ///
    /// - Parameters:
    ///   - total: the number of steps; `nil` if it is unknown.
    ///   - unit: what a step is, as in “3 of 7 pictures, 0:05 left”, which is shown twice a second; by default, a bar is shown.
    init(total: Int?, unit: String? = nil) {
        (self.total, self.unit) = (total.map { max(1, $0) }, unit)
        begin = clock.now
        shownTime = begin
    }

    /// Counts one more step.
    mutating func advance() {
        done += 1
        guard isTerminal else { return }
        if let unit {
            guard clock.now - shownTime > .milliseconds(500) else { return }
            shownTime = clock.now
            let left = total.flatMap { Self.timeLeft(done, of: $0, after: clock.now - begin) }.map { ", \($0) left" }
            show("\(done)\(total.map { " of \($0)" } ?? "") \(unit)\(left ?? "")")
        } else if let total {
            show(Self.line(done * 100 / total))
        }
    }

    /// How long the rest will take at the rate so far; `nil` during the first two seconds, which tell too little.
    static func timeLeft(_ done: Int, of total: Int, after elapsed: Duration) -> String? {
        guard elapsed > .seconds(2), done > 0, done <= total else { return nil }
        let seconds = Int((elapsed / done * (total - done)).components.seconds)
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return (hours > 0 ? "\(hours):\(two(minutes))" : "\(minutes)") + ":\(two(seconds % 60))"
    }

    /// Removes the line.
    mutating func clear() {
        if shown != nil { write("\r\u{1B}[K") }
        shown = nil
    }

    /// A bar and a number.
    static func line(_ percent: Int) -> String {
        let full = percent * width / 100
        return "[" + String(repeating: "#", count: full) + String(repeating: " ", count: width - full) + "] \(percent)%"
    }

    private mutating func show(_ line: String) {
        guard line != shown else { return }
        // The time left gets shorter.
        let rest = line.count < shown?.count ?? 0 ? "\u{1B}[K" : ""
        shown = line
        write("\r" + line + rest)
    }

    private func write(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
