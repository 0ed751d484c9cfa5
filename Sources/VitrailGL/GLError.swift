/// An OpenGL error.
public struct GLError: Error, Hashable, CustomStringConvertible {
    /// The kind of failure.
    ///
    /// More may be added.
    public struct Code: Hashable, Sendable {
        private enum Kind {
            case version, notCurrent, tooLarge, compile, link, uniform, framebuffer, driver, notShared, texture,
                hostState
        }
        private let kind: Kind
        /// The context is older than OpenGL 3.3 core or OpenGL ES 3.0.
        public static let version = Code(kind: .version)
        /// The context could not be made current on this thread.
        public static let notCurrent = Code(kind: .notCurrent)
        /// A side of a texture is 0 or exceeds the driver's limit.
        public static let tooLarge = Code(kind: .tooLarge)
        /// A shader does not compile; the description has the driver's log with file and line.
        public static let compile = Code(kind: .compile)
        /// Shaders do not link; the description has the driver's log.
        public static let link = Code(kind: .link)
        /// A program has no uniform of that name.
        public static let uniform = Code(kind: .uniform)
        /// A framebuffer cannot be drawn to.
        public static let framebuffer = Code(kind: .framebuffer)
        /// The driver reported an error, such as out of memory.
        public static let driver = Code(kind: .driver)
        /// The context does not share textures with the context that they belong to, or cannot be made to.
        public static let notShared = Code(kind: .notShared)
        /// A texture that was handed over is not as described, or cannot be drawn.
        public static let texture = Code(kind: .texture)
        /// The host has begun something that discards drawing and that cannot be put back: see ``DrawingState``.
        public static let hostState = Code(kind: .hostState)
    }

    /// The kind of failure, for programs.
    public let code: Code
    /// OpenGL's error number, if any.
    public let underlying: UInt32?
    /// One or two sentences that name the object, the cause and the next step.
    public let description: String
    /// The compiler's messages that concern a line.
    public let messages: [ShaderMessage]

    /// Creates an error.
    public init(
        _ code: Code, _ description: String, underlying: UInt32? = nil, messages: [ShaderMessage] = []
    ) {
        self.messages = messages
        self.code = code
        self.description = description
        self.underlying = underlying
    }
}

extension GLError {
    /// A context that was just made cannot be used.
    static let refusedToBeCurrent = GLError(
        .notCurrent, "The new OpenGL context cannot be made current: the driver refused.")
}
