import ArgumentParser
import Logging
import MediaIO

/// The inputs that failed, and the resulting exit status; each failure is logged in one line.
struct InputFailures {
    private let total: Int
    private let logger: Logger
    private var failed: Set<Int> = []

    /// Starts with none.
    ///
    /// - Parameters:
    ///   - total: the number of inputs.
    ///   - logger: where each failure is logged.
    init(of total: Int, _ logger: Logger) {
        self.total = total
        self.logger = logger
    }

    /// Logs a failure, and counts its input unless that is already counted.
    ///
    /// - Parameters:
    ///   - error: the failure.
    ///   - input: the index of the input.
    mutating func add(_ error: StreamError, of input: Int) {
        failed.insert(input)
        logger.error("\(error.description)")
    }

    /// Whether all inputs have failed.
    var isAll: Bool { failed.count == total }

    /// Throws if no input could be opened, which ends the program.
    ///
    /// - Throws: the exit status 66; everything is already logged.
    func checkAny() throws(ExitCode) {
        if failed.count == total { throw ExitCode(ProgramError.Status.cannotOpen.rawValue) }
    }

    /// Throws if an input has failed, which ends the program; called after the other inputs are done.
    ///
    /// - Throws: the exit status 1; everything is already logged.
    func check() throws(ExitCode) {
        if !failed.isEmpty { throw ExitCode(ProgramError.Status.failed.rawValue) }
    }
}
