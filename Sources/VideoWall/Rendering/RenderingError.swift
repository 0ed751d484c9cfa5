public import MediaIO

/// An error of rendering.
public struct RenderingError: Error, Hashable, CustomStringConvertible {
    /// The kind of failure.
    ///
    /// More may be added.
    public struct Code: Hashable, Sendable {
        private enum Kind { case device, unavailable, contextLost, pixelBuffer, target }
        private let kind: Kind
        /// The device, such as OpenGL, reported an error; the description has the details.
        public static let device = Code(kind: .device)
        /// The requested renderer is not available; the description says what was tried.
        public static let unavailable = Code(kind: .unavailable)
        /// The driver has reset the GPU: make another context, and a renderer and targets in it.
        public static let contextLost = Code(kind: .contextLost)
        /// Memory for the requested format and size could not be allocated.
        public static let pixelBuffer = Code(kind: .pixelBuffer)
        /// Nothing can be drawn into the target as its host has set it up; the description says why.
        public static let target = Code(kind: .target)
    }

    /// The kind of failure, for programs.
    public let code: Code
    /// One or two sentences that name the object, the cause and the next step.
    public let description: String
    /// For ``Code/contextLost``, the tile or the wall whose effects were being drawn, as far as it is known.
    public let suspect: WallTile.ID?

    /// Creates an error.
    public init(_ code: Code, _ description: String, suspect: WallTile.ID? = nil) {
        self.code = code
        self.description = description
        self.suspect = suspect
    }

    /// Wraps a pixel buffer's error.
    public init(_ error: StreamError) {
        code = .pixelBuffer
        description = error.description
        suspect = nil
    }
}

extension RenderingError {
    /// Refuses formats that pictures cannot be read back in.
    package static func check(planes format: PixelFormat) throws(RenderingError) {
        guard format != .i420, format != .i010 else { return }
        throw RenderingError(.target, "A picture cannot be read back as \(format): choose i420 or i010.")
    }
}
