import Glibc
import Logging

/// Writes each message as one line on standard error, in the form of the program's errors.
struct LineLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level
    /// Whether each line begins with the time.
    var isTimed = false
    /// Writes a line.
    var put: @Sendable (String) -> Void = Self.write

    /// Makes the program's logger.
    ///
    /// - Parameters:
    ///   - level: what is logged: this and all that is worse.
    ///   - isTimed: whether each line begins with the time, for what runs for long.
    ///   - put: writes a line; by default on standard error.
    /// - Returns: a logger for the caller to pass on; nothing is global.
    static func logger(
        level: Logger.Level = .notice, isTimed: Bool = false, put: @escaping @Sendable (String) -> Void = Self.write
    ) -> Logger {
        Logger(label: "vitrail") { _ in LineLogHandler(logLevel: level, isTimed: isTimed, put: put) }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { put(isTimed ? "\(LocalDate.text) \(event.message)" : "\(event.message)") }

    /// Writes one line on standard error, without the secrets of the arguments.
    static func write(_ text: String) {
        let line =
            "vitrail: " + ArgumentSecrets.hide(in: text).split(whereSeparator: \.isNewline).joined(separator: " ")
            + "\n"
        // One call per line, so that lines of several threads do not mix.
        _ = Array(line.utf8).withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
