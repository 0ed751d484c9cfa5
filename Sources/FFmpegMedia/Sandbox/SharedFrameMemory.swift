import MediaIO

/// Memory that a decoder's process shares with the one that shows its pictures, given out in blocks.
///
/// **Thread:** any: decoders allocate on their own threads. **Cost:** a search among the free parts, which are few.
final class SharedFrameMemory: FrameMemory {
    private static let page = 4096
    let bytes: UnsafeMutableRawBufferPointer
    /// Free parts, in order, of which no two touch.
    private let free: Monitor<[Range<Int>]>

    init(_ bytes: UnsafeMutableRawBufferPointer) {
        self.bytes = bytes
        free = Monitor([0..<bytes.count])
    }

    func allocate(byteCount: Int) -> FrameMemoryBlock? {
        let count = (byteCount + Self.page - 1) / Self.page * Self.page
        let start = free.withLock { free -> Int? in
            guard let index = free.firstIndex(where: { $0.count >= count }) else { return nil }
            let part = free[index]
            if part.count == count {
                free.remove(at: index)
            } else {
                free[index] = part.lowerBound + count..<part.upperBound
            }
            return part.lowerBound
        }
        guard let start else { return nil }
        return FrameMemoryBlock(bytes: UnsafeMutableRawBufferPointer(rebasing: bytes[start..<start + byteCount])) {
            [self] in release(start..<start + count)
        }
    }

    private func release(_ part: Range<Int>) {
        free.withLock { free in
            var part = part
            let index = free.firstIndex { $0.lowerBound >= part.upperBound } ?? free.count
            var place = index
            if index < free.count, free[index].lowerBound == part.upperBound {
                part = part.lowerBound..<free[index].upperBound
                free.remove(at: index)
            }
            if place > 0, free[place - 1].upperBound == part.lowerBound {
                place -= 1
                part = free[place].lowerBound..<part.upperBound
                free.remove(at: place)
            }
            free.insert(part, at: place)
        }
    }
}

// Unchecked because of the pointer: each block has one owner.
extension SharedFrameMemory: @unchecked Sendable {}
