/// A pool of buffers of one format and size, reused once they are released, so that sources allocate nothing in steady
/// state.
///
/// **Thread:** any. **Cost:** every frame; one short lock, and a check of each buffer in the pool.
public final class PixelBufferPool: Sendable {
    private struct State {
        var buffers: [PixelBuffer] = []
        var memory: (any FrameMemory)?
    }

    private let state = Monitor(State())

    /// Creates an empty pool.
    public init() {}

    /// Where buffers are allocated as long as there is room; `nil` for ordinary memory.
    ///
    /// Buffers in other memory are replaced as they become free.
    public var memory: (any FrameMemory)? {
        get { state.withLock { $0.memory } }
        set {
            let old = state.withLock { state in
                guard state.memory !== newValue else { return [PixelBuffer]() }
                defer { (state.memory, state.buffers) = (newValue, []) }
                return state.buffers
            }
            _ = old
        }
    }

    /// Returns a buffer that `fill` has written.
    ///
    /// The pool grows to as many buffers as are in use at one time; buffers of another format or size are released.
    ///
    /// - Throws: ``StreamError`` if the size is out of range or memory runs out, and what `fill` throws, where an error
    ///   of another type becomes a ``StreamError/Code/readFailed``; no buffer is shared then.
    public func makeBuffer(
        format: PixelFormat, size: VideoSize, fill: (borrowing WritablePlanes) throws -> Void
    ) throws(StreamError) -> PixelBuffer {
        let (memory, found) = state.withLock { ($0.memory, Self.takeFree(&$0.buffers, format, size)) }
        let buffer: PixelBuffer
        if let found, memory == nil || found.memory === memory {
            buffer = found
        } else if let found, let memory {
            // The preferred memory may have room by now.
            buffer = replace(found, in: memory)
        } else {
            buffer = try PixelBuffer(allocating: format, size, in: memory)
        }
        do {
            // Nobody may ever read it before another thread fills it again, and it may have been written in part.
            defer { buffer.noteUse() }
            try fill(WritablePlanes(buffer: buffer))
        } catch {
            throw StreamError(error, otherwise: .readFailed)
        }
        if found == nil { state.withLock { $0.buffers.append(buffer) } }
        return buffer
    }

    /// Returns a new buffer in the preferred memory, or the old buffer if there is no room.
    private func replace(_ old: PixelBuffer, in memory: any FrameMemory) -> PixelBuffer {
        guard let block = memory.allocate(byteCount: PixelBuffer.byteCount(old.format, old.size)) else { return old }
        let better = PixelBuffer(block, of: memory, old.format, old.size)
        state.withLock { state in
            state.buffers.removeAll { $0 === old }
            state.buffers.append(better)
        }
        return better
    }

    /// A buffer that nobody uses; those of another format or size are removed.
    private static func takeFree(
        _ buffers: inout [PixelBuffer], _ format: PixelFormat, _ size: VideoSize
    ) -> PixelBuffer? {
        var index = 0
        while index < buffers.count {
            guard buffers[index].format == format, buffers[index].size == size else {
                buffers.remove(at: index)
                continue
            }
            if isKnownUniquelyReferenced(&buffers[index]) {
                buffers[index].synchronizeWithUsers()
                return buffers[index]
            }
            index += 1
        }
        return nil
    }

    /// The number of buffers in the pool, in use or not.
    public var count: Int { state.withLock { $0.buffers.count } }
}
