import MediaIO
import VitrailGL

/// Memory that the GPU reads by itself: buffers that stay mapped, from which producers of frames get blocks.
///
/// It keeps its context alive as long as a block of it exists; both may be released on any thread.
///
/// **Thread:** render thread; ``allocate(byteCount:)`` and the return of blocks on any.
final class MappedMemory: FrameMemory, @unchecked Sendable {
    // Unchecked: other threads use only `space`, which is locked, and the deinitializer, which has the last reference.
    /// No more than this is mapped.
    private static let largest = 4 << 30
    private static let smallestChunk = 16 << 20

    private let context: GLContext
    private let space = Monitor(FreeSpace())
    private var chunks: [Chunk] = []
    private var isFull = false

    /// A buffer that stays mapped; a class, since arrays hold nothing noncopyable.
    private final class Chunk {
        let buffer: UnpackBuffer
        let base: UnsafeMutableRawPointer

        /// `nil` if the driver has not mapped it.
        init?(_ buffer: consuming UnpackBuffer) {
            guard let base = buffer.mapping else { return nil }
            self.base = base
            self.buffer = buffer
        }
    }

    /// Creates an empty memory; `nil` if the driver cannot keep buffers mapped.
    init?(_ context: GLContext) {
        guard context.information.hasBufferStorage else { return nil }
        self.context = context
    }

    /// A block, if there is room; ``grow()`` makes room for those that were refused.
    func allocate(byteCount: Int) -> FrameMemoryBlock? {
        let size = FreeSpace.size(byteCount)
        guard let address = space.withLock({ $0.take(size) }),
            let start = UnsafeMutableRawPointer(bitPattern: address)
        else { return nil }
        return FrameMemoryBlock(bytes: UnsafeMutableRawBufferPointer(start: start, count: byteCount)) { [space, self] in
            // The memory itself is kept until here.
            withExtendedLifetime(self) { space.withLock { $0.give(address, size) } }
        }
    }

    /// Makes room for four times what was refused, so that the frames in use at one time find it.
    ///
    /// **Cost:** every frame; rarely an allocation.
    func grow() {
        let missing = space.withLock { space in
            defer { space.missing = 0 }
            return space.missing
        }
        if missing > 0 { reserve(max(missing * 4, Self.smallestChunk)) }
    }

    /// Makes room.
    func reserve(_ byteCount: Int) {
        let total = chunks.reduce(0) { $0 + $1.buffer.byteCount }
        guard !isFull, total < Self.largest else { return }
        do throws(GLError) {
            let size = FreeSpace.size(min(byteCount, Self.largest - total))
            let buffer = try UnpackBuffer(context, byteCount: size, isReadable: true)
            guard let chunk = Chunk(buffer) else { return isFull = true }
            chunks.append(chunk)
            space.withLock { $0.add(UInt(bitPattern: chunk.base), size) }
        } catch {
            // Frames in ordinary memory are uploaded, too.
            isFull = true
        }
    }

    /// Has the GPU copy a plane, which is in a block of this memory, into a texture.
    ///
    /// The block must stay as it is until the GPU has done so.
    ///
    /// - Parameters:
    ///   - plane: the plane.
    ///   - texture: gets as many rows as it has.
    /// - Returns: false if the plane begins or its rows follow one another in a way that the GPU does not read.
    func upload(_ plane: PixelBuffer.Plane, to texture: borrowing Texture) -> Bool {
        guard let start = plane.bytes.baseAddress, plane.bytesPerRow > 0, plane.bytesPerRow % 8 == 0,
            UInt(bitPattern: start) % 8 == 0
        else { return false }
        for index in chunks.indices {
            let offset = start - UnsafeRawPointer(chunks[index].base)
            guard (0..<chunks[index].buffer.byteCount).contains(offset) else { continue }
            chunks[index].buffer.upload(from: offset, bytesPerRow: plane.bytesPerRow, to: texture)
            return true
        }
        return false
    }
}

/// Which parts of some areas of memory are free.
private struct FreeSpace {
    private struct Area {
        let base: UInt
        let size: Int
        /// What was ever handed out.
        var used = 0
        /// The number of blocks that are handed out.
        var blocks = 0
    }

    private var areas: [Area] = []
    /// Returned blocks by size; pools ask for the same sizes again.
    private var free: [Int: [UInt]] = [:]
    /// The bytes that were refused.
    var missing = 0

    /// Whole pages, so that few sizes are different.
    static func size(_ byteCount: Int) -> Int { (byteCount + 4095) & ~4095 }

    mutating func add(_ base: UInt, _ size: Int) { areas.append(Area(base: base, size: size)) }

    mutating func take(_ size: Int) -> UInt? {
        if let address = free[size]?.popLast() {
            areas[area(of: address)].blocks += 1
            return address
        }
        guard let index = areas.firstIndex(where: { $0.size - $0.used >= size }) else {
            missing += size
            return nil
        }
        defer {
            areas[index].used += size
            areas[index].blocks += 1
        }
        return areas[index].base + UInt(areas[index].used)
    }

    mutating func give(_ address: UInt, _ size: Int) {
        let index = area(of: address)
        areas[index].blocks -= 1
        guard areas[index].blocks == 0 else { return free[size, default: []].append(address) }
        // An empty area can be divided anew.
        let range = areas[index].base..<areas[index].base + UInt(areas[index].size)
        areas[index].used = 0
        for size in free.keys { free[size]?.removeAll { range.contains($0) } }
    }

    private func area(of address: UInt) -> Int {
        areas.firstIndex { $0.base <= address && address < $0.base + UInt($0.size) } ?? 0
    }
}
