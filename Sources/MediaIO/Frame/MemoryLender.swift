import VitrailSupport

/// Lends a block of a source's own memory as a buffer, again and again: a decoder's frame, a camera's mapped buffer.
///
/// It reuses the buffer object, so that lending allocates nothing in steady state. A source with several blocks keeps
/// an array of lenders and writes into the first one whose ``reclaim()`` returns true.
///
/// **Thread:** one at a time, the source's; the buffers may be used on any. **Cost:** every frame; allocates nothing in
/// steady state.
public final class MemoryLender<Owner: Sendable> {
    /// The owner of the memory, retained as long as the lender or a buffer needs it.
    public let owner: Owner
    /// The buffer lent last, reused if there is no other reference to it.
    private var buffer: PixelBuffer?

    /// Creates a lender; nothing is lent yet.
    public init(_ owner: Owner) { self.owner = owner }

    /// Whether the memory may be written or returned to its owner: no buffer of it exists any more.
    ///
    /// All reads from the buffer, on any thread, have then finished.
    ///
    /// - Returns: false while a buffer exists; try again later.
    public func reclaim() -> Bool {
        guard buffer != nil else { return true }
        guard isKnownUniquelyReferenced(&buffer) else { return false }
        buffer?.synchronizeWithUsers()
        return true
    }

    /// Lends the memory for as long as the buffer exists.
    ///
    /// - Parameters:
    ///   - planes: in memory of ``owner``, as many as `format` has; it must not change until ``reclaim()`` is true.
    ///   - format: the format of the samples.
    ///   - size: the size of the frame, in pixels.
    /// - Returns: a buffer; the previous object if format and size are the same and it is not referenced any more.
    /// - Throws: ``StreamError``, naming the plane and the mismatch.
    public func lend(
        _ planes: [PixelBuffer.Plane], format: PixelFormat, size: VideoSize
    ) throws(StreamError) -> PixelBuffer {
        try lend(planes, format: format, size: size, in: nil)
    }

    /// Lends memory that was allocated from a ``FrameMemory``.
    package func lend(
        _ planes: [PixelBuffer.Plane], format: PixelFormat, size: VideoSize, in memory: (any FrameMemory)?
    ) throws(StreamError) -> PixelBuffer {
        require(
            buffer == nil || isKnownUniquelyReferenced(&buffer),
            "This memory is still lent: write and lend it only after reclaim() has returned true.")
        if let buffer, buffer.format == format, buffer.size == size, buffer.memory === memory {
            try buffer.lendAgain(planes)
            return buffer
        }
        let owner = owner
        let fresh = try PixelBuffer(lending: planes, format: format, size: size, in: memory) {
            withExtendedLifetime(owner) {}
        }
        buffer = fresh
        return fresh
    }
}
