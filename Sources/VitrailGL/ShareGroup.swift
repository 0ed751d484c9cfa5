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
    /// - Parameter makeContext: makes another context of the group; `nil` if only the host can.
    public init(makeContext: ContextMaker? = nil) { make = makeContext }

    /// Describes the group of a context, whichever library made the context.
    ///
    /// - Parameters:
    ///   - context: the context.
    ///   - information: the description of its driver.
    ///   - owner: keeps the context alive; it may be released on any thread.
    convenience init(sharingWith context: CurrentContext, _ information: GLInformation, keeping owner: AnyObject) {
        // The handles and the owner's last reference may be used on any thread.
        nonisolated(unsafe) let (egl, glx, owner) = (context.eglContext, context.glxContext, owner)
        self.init { group throws(GLError) in
            defer { withExtendedLifetime(owner) {} }
            let previous = CurrentContext()
            do throws(GLError) {
                if let (display, context) = egl {
                    return try EGLSharedContext(display, context, noticesResets: information.noticesResets).wrapped(
                        in: group)
                }
                guard let (display, context) = glx else { throw Self.unknown }
                return try GLXSharedContext(display, context, information).wrapped(in: group)
            } catch {
                previous.restore()
                throw error
            }
        }
    }

    private static let unknown = GLError(
        .notShared,
        "Only the library that made this OpenGL context can make another one that shares its textures: make it there, and "
            + "pass both the same ShareGroup.")

    /// Makes another context of the group and makes it current on the calling thread.
    ///
    /// If the driver may be Mesa's llvmpipe, draw with one context at a time: version 22.3, for one, can crash when one
    /// thread uploads while another one draws.
    ///
    /// **Cost:** rare; some milliseconds.
    /// - Throws: ``GLError/Code/notShared`` if the driver refuses, or only the host can make one.
    public func makeContext() throws(GLError) -> GLContext {
        guard let make else { throw Self.unknown }
        return try make(self)
    }
}
