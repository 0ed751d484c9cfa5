/// Buffers of one format and size that are used again as soon as nobody holds them, so that a source which makes
/// frames allocates nothing in steady state.
///
/// **Thread:** any. **Cost:** every frame; one short lock, and a look at each buffer of the pool.
public final class PixelBufferPool: Sendable {
    private let buffers = Monitor<[PixelBuffer]>([])

    /// Creates an empty pool.
    public init() {}

    /// Hands out a buffer that `fill` has written.
    ///
    /// The pool grows to as many buffers as are held at one time; buffers of another format or size are let go.
    ///
    /// - Throws: ``StreamError`` when the size is out of range or there is no memory, and what `fill` throws: then nobody
    ///   sees the buffer.
    public func makeBuffer(
        format: PixelFormat, size: VideoSize, fill: (borrowing WritablePlanes) throws(StreamError) -> Void
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
            try fill(WritablePlanes(buffer: reused))
            return reused
        }
        let buffer = try PixelBuffer(format: format, size: size, fill: fill)
        buffers.withLock { $0.append(buffer) }
        return buffer
    }

    /// How many buffers the pool holds, in use or not.
    public var count: Int { buffers.withLock { $0.count } }
}
