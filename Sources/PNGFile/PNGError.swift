/// Why a PNG could not be written or read.
public struct PNGError: Error, Hashable, CustomStringConvertible {
    /// The kind of failure; more may be added.
    public struct Code: Hashable, Sendable {
        private enum Kind { case badSize, cannotOpen, cannotWrite, malformed }
        private let kind: Kind
        /// The picture has no pixels, more than a PNG of ours may have, or fewer bytes than its size needs.
        public static let badSize = Code(kind: .badSize)
        /// The file does not exist or may not be read.
        public static let cannotOpen = Code(kind: .cannotOpen)
        /// The file could not be made, or not be written to its end.
        public static let cannotWrite = Code(kind: .cannotWrite)
        /// The file is not a PNG, or is damaged.
        public static let malformed = Code(kind: .malformed)
    }

    /// The kind of failure, for programs.
    public let code: Code
    /// The system's error number, if it was the system that refused.
    public let underlying: Int32?
    /// One or two sentences that name the file, the cause and the next step.
    public let description: String

    init(_ code: Code, _ description: String, underlying: Int32? = nil) {
        self.code = code
        self.description = description
        self.underlying = underlying
    }
}
