/// An error of a buffer, frame, source, sink or reader.
///
/// It is one type for all of them, so that a reader that makes buffers passes on their errors with a plain `try`.
public struct StreamError: Error, Hashable, CustomStringConvertible {
    /// The kind of failure.
    ///
    /// More may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind {
            case cannotOpen, malformed, unsupported, wrongOrder, readFailed, writeFailed
            case sizeOutOfRange, planeCount, bytesPerRow, tooShort, noMemory, unknownStream, noVideo, noSignal, refused
        }
        private let kind: Kind

        /// Its name.
        public var description: String { "\(kind)" }

        /// The input does not exist or is not readable.
        public static let cannotOpen = Code(kind: .cannotOpen)
        /// The input is there, but sends no video.
        public static let noVideo = Code(kind: .noVideo)
        /// The camera is there, but nothing comes in at its socket.
        public static let noSignal = Code(kind: .noSignal)
        /// Its owner does not lend it, or no longer: nobody is asked again.
        public static let refused = Code(kind: .refused)
        /// The input violates its own format.
        public static let malformed = Code(kind: .malformed)
        /// The input is well-formed but uses an unsupported feature.
        public static let unsupported = Code(kind: .unsupported)
        /// A step of the life cycle is not allowed in this state.
        public static let wrongOrder = Code(kind: .wrongOrder)
        /// Reading failed after it had begun.
        public static let readFailed = Code(kind: .readFailed)
        /// Writing failed, for example because of a full disk or a closed pipe.
        public static let writeFailed = Code(kind: .writeFailed)
        /// A side of a frame is below 1 or above ``PixelBuffer/maximumSide``.
        public static let sizeOutOfRange = Code(kind: .sizeOutOfRange)
        /// The number of planes is not that of the format.
        public static let planeCount = Code(kind: .planeCount)
        /// The absolute value of a stride is smaller than a row or larger than 1 GiB.
        public static let bytesPerRow = Code(kind: .bytesPerRow)
        /// A plane's memory ends before its last sample.
        public static let tooShort = Code(kind: .tooShort)
        /// There is no stream with that ID.
        public static let unknownStream = Code(kind: .unknownStream)
        /// Memory for a frame could not be allocated.
        public static let noMemory = Code(kind: .noMemory)
    }

    /// The kind of failure, for programs.
    public let code: Code
    /// The system's or library's error number, if any.
    public let underlying: Int32?
    /// One or two sentences that name the object, the cause and the next step.
    public let description: String

    /// Creates an error.
    public init(_ code: Code, _ description: String, underlying: Int32? = nil) {
        self.code = code
        self.description = description
        self.underlying = underlying
    }

    /// Passes on an error of this type unchanged, and turns any other one into an error with its description.
    init(_ error: any Error, otherwise code: Code) {
        self = error as? StreamError ?? StreamError(code, String(describing: error))
    }
}
