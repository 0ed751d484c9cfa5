internal import CVitrailGLFW

/// An error of opening a window.
public struct WindowError: Error, Hashable, CustomStringConvertible {
    /// The kind of failure; more may be added.
    public struct Code: Hashable, Sendable {
        private enum Kind { case noDisplay, noOpenGL, badSize, tooManyFiles, noScreen }
        private let kind: Kind
        /// There is no display server, or it rejects the connection.
        public static let noDisplay = Code(kind: .noDisplay)
        /// The display has neither OpenGL 3.3 nor OpenGL ES 3.0; the description lists what was tried.
        public static let noOpenGL = Code(kind: .noOpenGL)
        /// A side is below 1 or above ``Window/maximumSide``.
        public static let badSize = Code(kind: .badSize)
        /// There is no such screen; the description lists those that there are.
        public static let noScreen = Code(kind: .noScreen)
        /// The process has no file descriptor left.
        public static let tooManyFiles = Code(kind: .tooManyFiles)
    }

    /// The kind of failure, for programs.
    public let code: Code
    /// GLFW's or the system's error number, if any.
    public let underlying: Int32?
    /// One or two sentences that name the object, the cause and the next step.
    public let description: String

    init(_ code: Code, _ description: String, underlying: Int32? = nil) {
        self.code = code
        self.description = description
        self.underlying = underlying
    }

    /// Takes and clears GLFW's last error on this thread.
    static func takeWords() -> (number: Int32, text: String) {
        var text: UnsafePointer<CChar>?
        let number = glfwGetError(&text)
        return (number, text.map { String(cString: $0) } ?? "GLFW reports no reason")
    }
}
