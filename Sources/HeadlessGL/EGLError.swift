/// An error of creating an OpenGL context without a window.
public struct EGLError: Error, Hashable, CustomStringConvertible {
    /// The kind of failure.
    ///
    /// More may be added.
    public struct Code: Hashable, Sendable {
        private enum Kind { case noContext }
        private let kind: Kind
        /// No platform provides a context; the description lists the attempts.
        public static let noContext = Code(kind: .noContext)
    }

    /// The kind of failure, for programs.
    public let code: Code
    /// What was tried, and why each attempt failed.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
