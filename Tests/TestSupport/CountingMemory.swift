public import MediaIO

/// Ordinary memory that counts its blocks, refuses when it is told to, and notices writes outside of blocks.
public final class CountingMemory: FrameMemory {
    private let state = Monitor((blocks: 0, isFull: false, overruns: 0))
    private static let margin = 64

    /// Creates a memory with room.
    public init() {}

    /// The blocks that are in use.
    public var blocks: Int { state.withLock { $0.blocks } }

    /// The number of returned blocks that were written beyond their bounds.
    public var overruns: Int { state.withLock { $0.overruns } }

    /// Refuses every block from now on, or none.
    public func fill(_ isFull: Bool) { state.withLock { $0.isFull = isFull } }

    /// A block, unless it is full.
    public func allocate(byteCount: Int) -> FrameMemoryBlock? {
        let isFull = state.withLock { state in
            if !state.isFull { state.blocks += 1 }
            return state.isFull
        }
        guard !isFull else { return nil }
        let margin = Self.margin
        let whole = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount + 2 * margin, alignment: 64)
        whole.initializeMemory(as: UInt8.self, repeating: 0xA5)
        let part = UnsafeMutableRawBufferPointer(rebasing: whole[margin..<margin + byteCount])
        let (address, count) = (UInt(bitPattern: whole.baseAddress), whole.count)
        return FrameMemoryBlock(bytes: part) { [state] in
            let whole = UnsafeMutableRawBufferPointer(
                start: UnsafeMutableRawPointer(bitPattern: address), count: count)
            let isWhole =
                whole[..<margin].allSatisfy { $0 == 0xA5 } && whole[(count - margin)...].allSatisfy { $0 == 0xA5 }
            whole.deallocate()
            state.withLock { state in
                state.blocks -= 1
                state.overruns += isWhole ? 0 : 1
            }
        }
    }
}
