/// Why the program fails: a line for people and a number for scripts.
struct ProgramError: Error, Hashable, CustomStringConvertible {
    /// The exit status (sysexits.h, where it has one).
    enum Status: Int32, CaseIterable, Sendable {
        /// The reader of standard output has closed it; nothing is printed.
        case done = 0
        /// Something failed while running.
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

    /// The exit status.
    let status: Status
    /// The cause and the next step, in one line.
    let description: String

    /// Creates an error; line breaks in the description, as from a library, become spaces.
    init(_ status: Status, _ description: String) {
        self.status = status
        self.description = description.split(whereSeparator: \.isNewline)
            .map { $0.drop(while: \.isWhitespace) }.joined(separator: " ")
    }
}
