public import MediaIO

/// Why a picture could not be drawn.
public struct RenderingError: Error, Hashable, CustomStringConvertible {
    /// The kind of failure.
    ///
    /// More may be added.
    public struct Code: Hashable, Sendable {
        private enum Kind { case device, pixelBuffer }
        private let kind: Kind
        /// What draws has refused, OpenGL for one; the description says what and why.
        public static let device = Code(kind: .device)
        /// There is no memory of the shape that was asked for.
        public static let pixelBuffer = Code(kind: .pixelBuffer)
    }

    /// The kind of failure, for programs.
    public let code: Code
    /// One or two sentences that name the object, the cause and the next step.
    public let description: String

    /// Creates an error.
    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// Passes a pixel buffer's error on.
    public init(_ error: StreamError) {
        code = .pixelBuffer
        description = error.description
    }
}
