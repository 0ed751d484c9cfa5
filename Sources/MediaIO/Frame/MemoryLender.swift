/// A piece of a source's own memory that is lent as a buffer, comes back, and is lent again: a decoder's picture, one of a
/// camera's mapped buffers.
///
/// The same buffer object stands for the piece each time, so that lending allocates nothing once it runs. A source with
/// several pieces keeps an array of lenders and writes into the first one that ``reclaim()`` answers with true.
///
/// **Thread:** one at a time, the source's; the buffers themselves go anywhere. **Cost:** every frame, for what allocates
/// nothing.
public final class MemoryLender<Owner: Sendable> {
    /// What owns the memory: kept until neither the lender nor a buffer needs it.
    public let owner: Owner
    /// What was lent last; nobody else may hold it when it is lent again.
    private var buffer: PixelBuffer?

    /// Lends nothing yet.
    public init(_ owner: Owner) { self.owner = owner }

    /// Whether the memory may be written or given back: nobody holds a buffer of it any more.
    ///
    /// All that was read from the buffer is over then, on whichever thread.
    ///
    /// - Returns: false while somebody holds a buffer; ask again later.
    public func reclaim() -> Bool {
        guard buffer != nil else { return true }
        guard isKnownUniquelyReferenced(&buffer) else { return false }
        buffer?.synchronizeWithReaders()
        return true
    }

    /// Lends the memory, for as long as somebody holds the buffer.
    ///
    /// - Parameters:
    ///   - planes: in memory of ``owner``, as many as `format` has; it must not change until ``reclaim()`` is true.
    ///   - format: how the samples lie.
    ///   - size: of the picture, in pixels.
    /// - Returns: the buffer of last time where format and size are the same and nobody holds it any more.
    /// - Throws: ``StreamError``, naming the plane and what does not fit.
    public func lend(
        _ planes: [PixelBuffer.Plane], format: PixelFormat, size: VideoSize
    ) throws(StreamError) -> PixelBuffer {
        precondition(
            buffer == nil || isKnownUniquelyReferenced(&buffer),
            "This memory is still lent; write and lend it only after reclaim() has returned true.")
        if let buffer, buffer.format == format, buffer.size == size {
            try buffer.lendAgain(planes)
            return buffer
        }
        let owner = owner
        let fresh = try PixelBuffer(lending: planes, format: format, size: size) { withExtendedLifetime(owner) {} }
        buffer = fresh
        return fresh
    }
}
