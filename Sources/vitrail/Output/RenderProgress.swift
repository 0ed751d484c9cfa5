import Glibc

/// The progress of a long rendering: one line that is overwritten, on a terminal only.
struct RenderProgress {
    private let total: Int?
    private let isTerminal = isatty(STDERR_FILENO) != 0
    private var clock = ContinuousClock()
    private var shown: ContinuousClock.Instant
    private var isVisible = false

    /// Starts; nothing is shown yet.
    ///
    /// - Parameter total: the number of pictures, if it is known.
    init(total: Int?) {
        self.total = total
        shown = clock.now
    }

    /// Shows the number of finished pictures, twice a second.
    mutating func show(_ done: Int) {
        guard isTerminal, clock.now - shown > .milliseconds(500) else { return }
        shown = clock.now
        isVisible = true
        write("\r\(done)\(total.map { " of \($0)" } ?? "") pictures")
    }

    /// Removes the line.
    mutating func clear() {
        if isVisible { write("\r\u{1B}[K") }
        isVisible = false
    }

    private func write(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
