/// Why a source, a sink or a reader could not do what it was asked.
public struct StreamError: Error, Hashable, CustomStringConvertible {
    /// The kind of failure.
    ///
    /// More may be added.
    public struct Code: Hashable, Sendable {
        private enum Kind { case cannotOpen, malformed, unsupported, wrongOrder, readFailed, writeFailed }
        private let kind: Kind
        /// The input does not exist, may not be read, or is not something that can be read.
        public static let cannotOpen = Code(kind: .cannotOpen)
        /// The input breaks the rules of its own format.
        public static let malformed = Code(kind: .malformed)
        /// The input is well-formed but uses what is not known here.
        public static let unsupported = Code(kind: .unsupported)
        /// A step of the life cycle that is not legal in this state.
        public static let wrongOrder = Code(kind: .wrongOrder)
        /// Reading broke off after it had begun.
        public static let readFailed = Code(kind: .readFailed)
        /// Writing broke off: a full disk, a reader that went away.
        public static let writeFailed = Code(kind: .writeFailed)
    }

    /// The kind of failure, for programs.
    public let code: Code
    /// The number that the system or library gave, if any.
    public let underlying: Int32?
    /// One or two sentences that name the object, the cause and the next step.
    public let description: String

    /// Creates an error.
    public init(_ code: Code, _ description: String, underlying: Int32? = nil) {
        self.code = code
        self.description = description
        self.underlying = underlying
    }
}
