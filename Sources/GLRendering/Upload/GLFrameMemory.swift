import MediaIO
import VitrailGL

/// Memory that the GPU reads by itself: buffers that stay mapped, from which producers of frames get blocks.
///
/// It keeps its context alive as long as a block of it exists; both may be released on any thread.
///
/// **Thread:** render thread; ``allocate(byteCount:)`` and the return of blocks on any.
final class GLFrameMemory: FrameMemory, @unchecked Sendable {
    // Unchecked: other threads use only `space`, which is locked, and the deinitializer, which has the last reference.
    /// The most bytes that are mapped: enough for fourteen streams in 4K with six frames each.
    static let largest = 1 << 30
    private static let smallestChunk = 16 << 20
    /// The number of pictures, some seconds' worth, after which an empty chunk is freed.
    static let idlePictures = 300

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
            // A block keeps its memory alive until here.
            withExtendedLifetime(self) { space.withLock { $0.give(address, size) } }
        }
    }

    /// Makes room for twice what was refused, since several frames are in use at a time, and frees a chunk that has
    /// been empty for long.
    ///
    /// **Cost:** at the end of every picture; rarely an allocation.
    func grow() {
        let (missing, idle) = space.withLock { space in
            defer { space.missing = 0 }
            return (space.missing, space.removeIdle(pictures: Self.idlePictures))
        }
        if let idle {
            chunks.removeAll { UInt(bitPattern: $0.base) == idle }
            isFull = false
        }
        if missing > 0 { reserve(max(missing * 2, Self.smallestChunk)) }
    }

    /// The bytes that are mapped.
    var byteCount: Int { chunks.reduce(0) { $0 + $1.buffer.byteCount } }

    /// Makes room.
    func reserve(_ wanted: Int) {
        let total = byteCount
        guard !isFull, total < Self.largest else { return }
        do throws(GLError) {
            let size = FreeSpace.size(min(wanted, Self.largest - total))
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
    /// - Returns: false if the GPU cannot read from the plane's address or with its stride.
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
