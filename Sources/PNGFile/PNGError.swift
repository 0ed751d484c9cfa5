/// An error of writing or reading a PNG.
public struct PNGError: Error, Hashable, CustomStringConvertible {
    /// The kind of failure; more may be added.
    public struct Code: Hashable, Sendable {
        private enum Kind { case badSize, cannotOpen, cannotWrite, malformed }
        private let kind: Kind
        /// The picture has no pixels, more than the limits allow, or fewer bytes than its size needs.
        public static let badSize = Code(kind: .badSize)
        /// The file does not exist or is not readable.
        public static let cannotOpen = Code(kind: .cannotOpen)
        /// The file could not be created, or not be written completely.
        public static let cannotWrite = Code(kind: .cannotWrite)
        /// The file is not a PNG, or is damaged.
        public static let malformed = Code(kind: .malformed)
    }

    /// The kind of failure, for programs.
    public let code: Code
    /// The `errno` value, if a system call failed.
    public let underlying: Int32?
    /// One or two sentences that name the file, the cause and the next step.
    public let description: String

    init(_ code: Code, _ description: String, underlying: Int32? = nil) {
        self.code = code
        self.description = description
        self.underlying = underlying
    }
}
