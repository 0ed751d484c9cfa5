import FoundationEssentials
import Glibc
import Logging
import MediaIO

/// Writes statistics to a file, a line of JSON each, on a thread of its own: a slow or full disk holds up nobody.
///
/// **Thread:** any.
final class StatisticsFile: Sendable {
    private struct State {
        /// The newest line that is not written yet; an older one is replaced.
        var next: WallRecord?
        var isDone = false
    }

    private let state = Monitor(State())
    private let descriptor: Int32
    private let path: String

    /// Opens a file, to add lines at its end.
    ///
    /// - Parameters:
    ///   - path: its path; `-` for standard output.
    ///   - logger: the program's log.
    /// - Throws: ``ProgramError/Status/cannotCreate``.
    init(_ path: String, _ logger: Logger) throws(ProgramError) {
        self.path = path
        descriptor = path == "-" ? dup(STDOUT_FILENO) : open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw OutputFile.failure(path, errno) }
        do throws(StreamError) {
            try SystemThread(for: "the statistics") { [self] in run(logger) }.detach()
        } catch {
            close(descriptor)
            throw ProgramError(.failed, error.description)
        }
    }

    /// Has a record written, unless a newer one comes first.
    func put(_ record: WallRecord) {
        state.change { $0.next = record }
    }

    /// Ends the thread after the last line.
    func end() {
        state.change { $0.isDone = true }
    }

    private func run(_ logger: Logger) {
        var failure: Int32 = 0
        var mustBreak = false
        while true {
            _ = state.wait { $0.next != nil || $0.isDone ? true : nil }
            // The last record is written before the end is seen.
            guard let record = state.withLock({ $0.next.take() }) else { break }
            let text = (mustBreak ? "\n" : "") + record.line(with: .now) + "\n"
            let (written, error) = Self.write(Array(ArgumentSecrets.hide(in: text).utf8), to: descriptor)
            if error == EPIPE { break }
            if error != 0, error != failure { logger.warning("\(OutputFile.failure(path, error).description)") }
            // What follows half a line begins a new one.
            if written > 0 { mustBreak = error != 0 }
            failure = error
        }
        close(descriptor)
    }

    private static func write(_ bytes: [UInt8], to file: Int32) -> (written: Int, error: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR { return (bytes.count - rest.count, errno) }
            rest = rest.dropFirst(max(0, count))
        }
        return (bytes.count, 0)
    }
}
