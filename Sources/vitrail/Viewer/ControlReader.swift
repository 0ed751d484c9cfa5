import Glibc
import MediaIO

/// Reads lines from standard input on a thread of its own.
///
/// **Thread:** any.
final class ControlReader: Sendable {
    private let lines = Monitor<[String]>([])

    /// Begins to read.
    ///
    /// - Parameter wake: called for each line.
    /// - Throws: ``StreamError`` if no thread can be started.
    init(wake: @escaping @Sendable () -> Void) throws(StreamError) {
        let lines = lines
        // It ends with the program: a read of a terminal cannot be cancelled.
        try SystemThread(for: "standard input") {
            while let line = readLine() {
                lines.withLock { $0.append(line) }
                wake()
            }
        }.detach()
    }

    /// The lines since the last call.
    func take() -> [String] {
        lines.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }
}
