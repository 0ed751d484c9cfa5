import ArgumentParser
import Logging
import MediaIO

/// The inputs that did not do, each told in one line, and what that means for the exit status.
struct InputFailures {
    private let total: Int
    private let logger: Logger
    private var failed: Set<Int> = []

    /// Starts with none.
    ///
    /// - Parameters:
    ///   - total: how many inputs there are.
    ///   - logger: where each is told.
    init(of total: Int, _ logger: Logger) {
        self.total = total
        self.logger = logger
    }

    /// Logs a failure and counts its input, once.
    ///
    /// - Parameters:
    ///   - error: what happened.
    ///   - input: the index of the input.
    mutating func add(_ error: StreamError, of input: Int) {
        failed.insert(input)
        logger.error("\(error.description)")
    }

    /// Whether no input is good any more.
    var isAll: Bool { failed.count == total }

    /// Ends the program when no input at all could be opened.
    ///
    /// - Throws: the exit status 66, with everything said.
    func checkAny() throws(ExitCode) {
        if failed.count == total { throw ExitCode(ProgramError.Status.cannotOpen.rawValue) }
    }

    /// Ends the program when one did not do, after the rest has been dealt with.
    ///
    /// - Throws: the exit status 1, with everything said.
    func check() throws(ExitCode) {
        if !failed.isEmpty { throw ExitCode(ProgramError.Status.failed.rawValue) }
    }
}
