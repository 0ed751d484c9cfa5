/// Why memory could not become a ``PixelBuffer``.
public struct PixelBufferError: Error, Hashable, CustomStringConvertible {
    /// What does not fit.
    ///
    /// More may be added.
    public struct Code: Hashable, Sendable {
        private enum Kind { case sizeOutOfRange, planeCount, bytesPerRow, tooShort, noMemory }
        private let kind: Kind
        /// A side is below 1 or above ``PixelBuffer/maximumSide``.
        public static let sizeOutOfRange = Code(kind: .sizeOutOfRange)
        /// The format has another number of planes.
        public static let planeCount = Code(kind: .planeCount)
        /// A stride, or a negative one without its sign, is smaller than a row or beyond 1 GiB.
        public static let bytesPerRow = Code(kind: .bytesPerRow)
        /// A plane's memory ends before its last sample.
        public static let tooShort = Code(kind: .tooShort)
        /// The system has no memory for the picture.
        public static let noMemory = Code(kind: .noMemory)
    }

    /// The kind of error, for programs.
    public let code: Code
    /// One sentence for people, with the numbers.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
