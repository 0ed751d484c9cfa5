import Logging
import MediaIO

/// Logs sentences, each once: of an input that is opened again and again, or of each of many pictures.
///
/// **Thread:** any.
final class OnceLog: Sendable {
    private let logger: Logger
    private let logged = Monitor<Set<String>>([])

    /// Logs nothing yet.
    ///
    /// - Parameter logger: where the sentences are logged.
    init(_ logger: Logger) { self.logger = logger }

    /// Logs a sentence, unless it was logged before.
    func log(_ level: Logger.Level, _ sentence: String) {
        guard logged.withLock({ $0.insert(sentence).inserted }) else { return }
        logger.log(level: level, "\(sentence)")
    }
}
