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

    /// The address of the `GLsync`, for another context of the share group; it lives as long as this.
    ///
    /// What was submitted must be flushed, too, or the other context may wait forever: ``GLContext/flush()``.
    public var address: UInt? { sync.map { UInt(bitPattern: $0) } }

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

extension GLContext {
    /// Makes the GPU wait until it has come to a fence of another context of the share group; the CPU goes on.
    ///
    /// **Cost:** every frame.
    /// - Parameter address: the address of a `GLsync` whose context was flushed after it was made.
    /// - Throws: ``GLError/Code/texture`` if that is no fence of the share group.
    public func wait(forFenceAt address: UInt) throws(GLError) {
        assertCurrent()
        let sync = GLsync(bitPattern: address)
        guard epoxy_glIsSync(sync) != 0 else {
            throw GLError(
                .texture,
                "The fence of a texture is no GLsync of this share group: delete it after the release, not before.")
        }
        epoxy_glWaitSync(sync, 0, GLuint64.max)
    }

    /// Submits what was called so far, so that a fence is reached without another call.
    public func flush() { epoxy_glFlush() }
}
