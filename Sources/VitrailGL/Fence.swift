@preconcurrency import CVitrailEpoxy

/// A point in the GPU's commands, which tells whether the GPU has passed it (`glFenceSync`).
///
/// **Thread:** render thread.
public struct Fence: ~Copyable {
    private let context: GLContext
    private let sync: GLsync?

    /// Marks the end of the commands so far.
    ///
    /// **Cost:** every frame.
    public init(_ context: GLContext) {
        self.context = context
        sync = epoxy_glFenceSync(GLenum(GL_SYNC_GPU_COMMANDS_COMPLETE), 0)
    }

    deinit { if let sync { context.delete(sync) } }

    /// The address of the `GLsync`, for another context of the share group; it lives as long as this.
    ///
    /// The commands must be flushed (``GLContext/flush()``), or else the other context may wait forever.
    public var address: UInt? { sync.map { UInt(bitPattern: $0) } }

    /// Waits until the GPU has passed it, at most a second: a GPU that takes longer hangs.
    ///
    /// **Cost:** every frame; nothing if it has passed.
    public func wait() {
        guard let sync else { return }
        _ = epoxy_glClientWaitSync(sync, GLbitfield(GL_SYNC_FLUSH_COMMANDS_BIT), 1_000_000_000)
    }

    /// Whether the GPU has passed it.
    ///
    /// **Cost:** every frame; it does not wait.
    public var isReached: Bool {
        guard let sync else { return true }
        return epoxy_glClientWaitSync(sync, 0, 0) != GLenum(GL_TIMEOUT_EXPIRED)
    }
}

extension GLContext {
    /// Makes the GPU wait until it has passed a fence of another context of the share group; the CPU does not wait.
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

    /// Submits all commands to the GPU, so that it passes a fence without another call.
    public func flush() { epoxy_glFlush() }
}
