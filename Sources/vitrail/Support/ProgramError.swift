/// Why the program does not end well: a line for people and a number for scripts.
struct ProgramError: Error, Hashable, CustomStringConvertible {
    /// The exit status (sysexits.h, where it has one).
    enum Status: Int32, CaseIterable, Sendable {
        /// Whoever reads standard output has seen enough; nothing is said.
        case done = 0
        /// Something broke while running.
        case failed = 1
        /// The command line is wrong.
        case usage = 64
        /// An input cannot be opened.
        case cannotOpen = 66
        /// There is no display, or no OpenGL.
        case unavailable = 69
        /// The output cannot be written.
        case cannotCreate = 73
    }

    /// What the program ends with.
    let status: Status
    /// What is wrong and what to do next, in one line.
    let description: String

    /// The description is made one line, whatever a library has put into it.
    init(_ status: Status, _ description: String) {
        self.status = status
        self.description = description.split(whereSeparator: \.isNewline)
            .map { $0.drop(while: \.isWhitespace) }.joined(separator: " ")
    }
}
