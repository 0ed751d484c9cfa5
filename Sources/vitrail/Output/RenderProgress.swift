import Glibc

/// How far a long rendering is: one line that is written over, on a terminal only.
struct RenderProgress {
    private let total: Int?
    private let isTerminal = isatty(STDERR_FILENO) != 0
    private var clock = ContinuousClock()
    private var shown: ContinuousClock.Instant
    private var isVisible = false

    /// Starts; nothing is shown yet.
    ///
    /// - Parameter total: how many pictures there will be, if that is known.
    init(total: Int?) {
        self.total = total
        shown = clock.now
    }

    /// Shows how many pictures are done, twice a second.
    mutating func show(_ done: Int) {
        guard isTerminal, clock.now - shown > .milliseconds(500) else { return }
        shown = clock.now
        isVisible = true
        write("\r\(done)\(total.map { " of \($0)" } ?? "") pictures")
    }

    /// Takes the line away.
    mutating func clear() {
        if isVisible { write("\r\u{1B}[K") }
        isVisible = false
    }

    private func write(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
