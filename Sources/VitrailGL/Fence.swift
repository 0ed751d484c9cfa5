@preconcurrency import CVitrailEpoxy

/// A place in the GPU's work: whether it has come there (`glFenceSync`).
///
/// **Thread:** render thread.
public struct Fence: ~Copyable {
    private let context: GLContext
    private let sync: GLsync?

    /// Notes the end of what was submitted before.
    ///
    /// **Cost:** every frame.
    public init(_ context: GLContext) {
        self.context = context
        sync = epoxy_glFenceSync(GLenum(GL_SYNC_GPU_COMMANDS_COMPLETE), 0)
    }

    deinit { if let sync { context.delete(sync) } }

    /// Waits until the GPU has come there, but no longer than a second: then the GPU hangs.
    ///
    /// **Cost:** every frame; nothing if it has.
    public func wait() {
        guard let sync else { return }
        _ = epoxy_glClientWaitSync(sync, GLbitfield(GL_SYNC_FLUSH_COMMANDS_BIT), 1_000_000_000)
    }

    /// Whether the GPU has come there.
    ///
    /// **Cost:** every frame; it does not wait.
    public var isReached: Bool {
        guard let sync else { return true }
        return epoxy_glClientWaitSync(sync, 0, 0) != GLenum(GL_TIMEOUT_EXPIRED)
    }
}
