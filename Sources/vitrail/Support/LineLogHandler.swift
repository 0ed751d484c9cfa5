import Glibc
import Logging

/// Writes each message as one line on standard error, in the form of the program's errors.
struct LineLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level

    /// Makes the program's logger.
    ///
    /// - Parameter verbose: whether to log informational messages, too.
    /// - Returns: a logger for the caller to pass on; nothing is global.
    static func logger(verbose: Bool = false) -> Logger {
        Logger(label: "vitrail") { _ in LineLogHandler(logLevel: verbose ? .info : .notice) }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { Self.write("\(event.message)") }

    /// Writes one line on standard error, without the secrets of the arguments.
    static func write(_ text: String) {
        let line =
            "vitrail: " + ArgumentSecrets.hide(in: text).split(whereSeparator: \.isNewline).joined(separator: " ")
            + "\n"
        // One call per line, so that lines of several threads do not mix.
        _ = Array(line.utf8).withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
