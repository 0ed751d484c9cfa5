/// Why a buffer, a frame, a source, a sink or a reader could not be made or could not do what it was asked.
///
/// One type for all of them, so that a reader that makes buffers hands their errors on with a plain `try`.
public struct StreamError: Error, Hashable, CustomStringConvertible {
    /// The kind of failure.
    ///
    /// More may be added.
    public struct Code: Hashable, Sendable {
        private enum Kind {
            case cannotOpen, malformed, unsupported, wrongOrder, readFailed, writeFailed
            case sizeOutOfRange, planeCount, bytesPerRow, tooShort, noMemory
        }
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
        /// A side of a picture is below 1 or above ``PixelBuffer/maximumSide``.
        public static let sizeOutOfRange = Code(kind: .sizeOutOfRange)
        /// The format has another number of planes.
        public static let planeCount = Code(kind: .planeCount)
        /// A stride, or a negative one without its sign, is smaller than a row or beyond 1 GiB.
        public static let bytesPerRow = Code(kind: .bytesPerRow)
        /// A plane's memory ends before its last sample.
        public static let tooShort = Code(kind: .tooShort)
        /// The system has no memory for a picture.
        public static let noMemory = Code(kind: .noMemory)
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
