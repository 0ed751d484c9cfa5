/// A pool of buffers of one format and size, reused once they are released, so that sources allocate nothing in steady
/// state.
///
/// **Thread:** any. **Cost:** every frame; one short lock, and a check of each buffer in the pool.
public final class PixelBufferPool: Sendable {
    private let buffers = Monitor<[PixelBuffer]>([])

    /// Creates an empty pool.
    public init() {}

    /// Returns a buffer that `fill` has written.
    ///
    /// The pool grows to as many buffers as are in use at one time; buffers of another format or size are released.
    ///
    /// - Throws: ``StreamError`` if the size is out of range or memory runs out, and what `fill` throws, where an error
    ///   of another type becomes a ``StreamError/Code/readFailed``; no buffer is shared then.
    public func makeBuffer(
        format: PixelFormat, size: VideoSize, fill: (borrowing WritablePlanes) throws -> Void
    ) throws(StreamError) -> PixelBuffer {
        let reused: PixelBuffer? = buffers.withLock { buffers in
            var index = 0
            while index < buffers.count {
                guard buffers[index].format == format, buffers[index].size == size else {
                    buffers.remove(at: index)
                    continue
                }
                if isKnownUniquelyReferenced(&buffers[index]) {
                    buffers[index].synchronizeWithReaders()
                    return buffers[index]
                }
                index += 1
            }
            return nil
        }
        if let reused {
            do {
                try fill(WritablePlanes(buffer: reused))
            } catch {
                throw StreamError(error, otherwise: .readFailed)
            }
            return reused
        }
        let buffer = try PixelBuffer(format: format, size: size, fill: fill)
        buffers.withLock { $0.append(buffer) }
        return buffer
    }

    /// The number of buffers in the pool, in use or not.
    public var count: Int { buffers.withLock { $0.count } }
}
