extension GLContext {
    /// Wraps the context that is current on the calling thread and belongs to a host: SDL, GTK, Qt, or your program.
    ///
    ///     let context = try GLContext.current()  // In the handler of GtkGLArea's signal "realize", for example.
    ///     let renderer = try GLRenderer(context: context, restoresState: true)
    ///
    /// The host keeps the context, and makes it current before it draws. A call that finds another context current
    /// makes this one current, with the surface that it has now.
    ///
    /// **Cost:** rare.
    /// - Parameter group: the contexts that share with it, if the host has others that do; all must get the same one.
    /// - Returns: the context; the host must destroy it only after everything that was made with it is released.
    /// - Throws: ``GLError/Code/notCurrent`` if there is none; ``GLError/Code/version`` if it is too old.
    public static func current(in group: ShareGroup? = nil) throws(GLError) -> GLContext {
        try GLContext(owner: Host(), shareGroup: group)
    }

    /// Nothing: the host keeps its context.
    private final class Host {}
}
