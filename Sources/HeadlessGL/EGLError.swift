/// Why there is no OpenGL without a window.
public struct EGLError: Error, Hashable, CustomStringConvertible {
    /// The kind of failure.
    ///
    /// More may be added.
    public struct Code: Hashable, Sendable {
        private enum Kind { case noContext }
        private let kind: Kind
        /// None of the ways to a context worked; the description lists them.
        public static let noContext = Code(kind: .noContext)
    }

    /// The kind of failure, for programs.
    public let code: Code
    /// What was tried, and why each did not work.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
