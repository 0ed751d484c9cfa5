/// The contexts that share textures and fences with one another.
///
/// Its identity says whose textures they are: `ObjectIdentifier(context.shareGroup)`.
///
/// **Thread:** any.
public final class ShareGroup: Sendable {
    /// Makes another context of a group and makes it current on the calling thread.
    public typealias ContextMaker = @Sendable (ShareGroup) throws(GLError) -> GLContext

    private let make: ContextMaker?
    /// Objects whose owners were released while no context of the group was current.
    let orphans = Orphans()

    /// Describes a group.
    ///
    /// - Parameter makeContext: makes another context of it; `nil` if only the host can.
    public init(makeContext: ContextMaker? = nil) { make = makeContext }

    /// Makes another context of the group and makes it current on the calling thread.
    ///
    /// If the driver may be Mesa's llvmpipe, draw with one context at a time: version 22.3, for one, can crash when one
    /// thread uploads while another one draws.
    ///
    /// **Cost:** rare; some milliseconds.
    /// - Throws: ``GLError/Code/notShared`` if only the host can make one; what the driver says.
    public func makeContext() throws(GLError) -> GLContext {
        guard let make else {
            throw GLError(
                .notShared,
                "Only the library that made this OpenGL context can make another one that shares its textures: "
                    + "make it there, and pass both the same ShareGroup.")
        }
        return try make(self)
    }
}
