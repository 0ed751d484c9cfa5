import Glibc
import Synchronization
import VitrailSupport

/// The pixels of one frame: immutable planes in memory that the buffer owns or that is lent to it.
///
/// The geometry is validated once, here; readers of a plane can trust its ``Plane/bytesPerRow`` and its length.
///
/// **Thread:** any. **Cost:** creation is rare with a ``PixelBufferPool``; passing a buffer on is a retain.
public final class PixelBuffer: Sendable {
    /// The largest width and height accepted: far from any overflow, but larger than any texture.
    public static let maximumSide = 65_536

    /// The location of a plane.
    public struct Plane: @unchecked Sendable {
        // Unchecked because of the pointer: its memory is immutable as long as a buffer lends it.
        /// The memory of all rows from its lowest address: at least |``bytesPerRow``| × (rows − 1) + the bytes of one
        /// row.
        public let bytes: UnsafeRawBufferPointer
        /// The stride: bytes from a row's first sample to the next row's.
        ///
        /// Negative if the last row is first in memory, as in bottom-up RGB.
        public let bytesPerRow: Int

        /// Describes memory that holds a plane.
        public init(bytes: UnsafeRawBufferPointer, bytesPerRow: Int) {
            self.bytes = bytes
            self.bytesPerRow = bytesPerRow
        }
    }

    /// The layout of the samples.
    public let format: PixelFormat
    /// The frame's size in pixels.
    public let size: VideoSize
    // Unsafe: written again only by ``lendAgain(_:)``, whose caller has the only reference.
    private(set) nonisolated(unsafe) var storage: InlineArray<4, Plane>
    private let release: @Sendable () -> Void
    /// The memory that it was allocated from; `nil` for other memory.
    package let memory: (any FrameMemory)?
    /// Counts uses of planes, only for memory ordering; see ``synchronizeWithUsers()``.
    private let uses = Atomic(0)

    /// Creates a buffer of lent memory.
    ///
    /// Nothing is copied. Whoever shows the buffer keeps it, such as a tile until its next frame. So before the memory goes
    /// away, with its driver or library, stop the stream, clear the tiles and mailboxes, draw the walls once more, and wait
    /// for `release`: to close it earlier is a use after free.
    ///
    /// - Parameters:
    ///   - planes: as many as `format` has, in its order; the memory must not change until `release` is called.
    ///   - format: the layout of the samples.
    ///   - size: the frame's size in pixels.
    ///   - release: called once, on whichever thread releases the buffer last. Not called if this throws.
    /// - Throws: ``StreamError``, naming the plane and the mismatch.
    public convenience init(
        lending planes: [Plane], format: PixelFormat, size: VideoSize, release: @escaping @Sendable () -> Void
    ) throws(StreamError) {
        try self.init(lending: planes, format: format, size: size, in: nil, release: release)
    }

    init(
        lending planes: [Plane], format: PixelFormat, size: VideoSize, in memory: (any FrameMemory)?,
        release: @escaping @Sendable () -> Void
    ) throws(StreamError) {
        try Self.validate(planes, format, size)
        self.format = format
        self.size = size
        self.storage = InlineArray { planes[min($0, planes.count - 1)] }
        self.release = release
        self.memory = memory
    }

    /// Allocates a buffer with rows aligned to 64 bytes, which `fill` writes before it is shared.
    ///
    /// - Parameters:
    ///   - format: the layout of the samples.
    ///   - size: the frame's size in pixels.
    ///   - memory: where to allocate it if there is room; by default ordinary memory.
    ///   - fill: writes the samples.
    /// - Throws: ``StreamError`` if the size is out of range or memory runs out, and what `fill` throws, where an error
    ///   of another type becomes a ``StreamError/Code/readFailed``; the buffer is then discarded.
    public convenience init(
        format: PixelFormat, size: VideoSize, memory: (any FrameMemory)? = nil,
        fill: (borrowing WritablePlanes) throws -> Void
    ) throws(StreamError) {
        try self.init(allocating: format, size, in: memory)
        do {
            try fill(WritablePlanes(buffer: self))
        } catch {
            throw StreamError(error, otherwise: .readFailed)
        }
        noteUse()
    }

    /// Copies planes into a new buffer that owns its memory.
    ///
    /// - Throws: ``StreamError``, naming the plane and the mismatch, before anything is read.
    public convenience init(copying planes: [Plane], format: PixelFormat, size: VideoSize) throws(StreamError) {
        try self.init(format: format, size: size) { try $0.copy(planes) }
    }

    convenience init(
        allocating format: PixelFormat, _ size: VideoSize, in memory: (any FrameMemory)? = nil
    ) throws(StreamError) {
        try Self.validate(size)
        let total = Self.byteCount(format, size)
        if let memory, let block = memory.allocate(byteCount: total) {
            self.init(block, of: memory, format, size)
            return
        }
        // Swift's own allocation ends the process if memory runs out; a file's header must not be able to cause that.
        guard let start = aligned_alloc(64, total) else {
            throw StreamError(
                .noMemory, "There is not enough memory for a frame of \(size), \(total) bytes: use a smaller one.")
        }
        let address = UInt(bitPattern: start)
        let block = FrameMemoryBlock(bytes: UnsafeMutableRawBufferPointer(start: start, count: total)) {
            free(UnsafeMutableRawPointer(bitPattern: address))
        }
        self.init(block, of: nil, format, size)
    }

    /// The bytes of all planes.
    package static func byteCount(_ format: PixelFormat, _ size: VideoSize) -> Int {
        format.planes.reduce(0) { $0 + stride($1, size) * $1.height(size) }
    }

    /// Strides of a multiple of 64 bytes let GL and SIMD code read whole vectors without crossing a row.
    private static func stride(_ plane: PlaneDescription, _ size: VideoSize) -> Int {
        (plane.rowBytes(size) + 63) & ~63
    }

    /// Lays out the planes in a block of ``byteCount(_:_:)`` bytes.
    init(_ block: FrameMemoryBlock, of memory: (any FrameMemory)?, _ format: PixelFormat, _ size: VideoSize) {
        let bytes = UnsafeRawBufferPointer(block.bytes)
        var offset = 0
        let planes = format.planes.map { plane in
            let stride = Self.stride(plane, size)
            let length = stride * plane.height(size)
            defer { offset += length }
            return Plane(
                bytes: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length]), bytesPerRow: stride)
        }
        self.format = format
        self.size = size
        self.storage = InlineArray { planes[min($0, planes.count - 1)] }
        self.release = block.release
        self.memory = memory
    }

    /// Points the buffer at other memory, so that lending needs no new object for each frame.
    ///
    /// The caller must have the only reference to the buffer and have called ``synchronizeWithUsers()``.
    ///
    /// - Parameter planes: planes of the same format and size, in the same ``memory``.
    /// - Throws: ``StreamError``, like the initializer; the buffer is then unchanged.
    func lendAgain(_ planes: [Plane]) throws(StreamError) {
        try Self.validate(planes, format, size)
        storage = InlineArray { planes[min($0, planes.count - 1)] }
    }

    deinit {
        synchronizeWithUsers()
        release()
    }

    /// Orders everything that follows after all reads and writes of the planes, on any thread.
    ///
    /// Called with the only reference to the buffer, before its memory is written or returned. Reference counting keeps
    /// it alive, but does not guarantee memory ordering, and the thread sanitizer does not recognize it on Linux.
    func synchronizeWithUsers() { _ = uses.load(ordering: .acquiring) }

    /// Called after the planes were read or written.
    func noteUse() { uses.wrappingAdd(1, ordering: .releasing) }

    /// The number of planes.
    public var planeCount: Int { format.planes.count }

    /// Lends a row for reading: exactly the bytes of its samples, without padding.
    ///
    /// - Parameters:
    ///   - row: the row, counted from the top of the frame; less than the height of the plane.
    ///   - index: the index of the plane, 0..<``planeCount``.
    ///   - body: reads the bytes; for samples larger than a byte use the `bytes` of the span.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws.
    public func withRow<Result, Failure: Error>(
        _ row: Int, ofPlane index: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withPlane(index) { (plane) throws(Failure) in
            let bytes = plane.row(row, format.planes[index], size)
            return try body(Span(_unsafeElements: bytes.assumingMemoryBound(to: UInt8.self)))
        }
    }

    /// Lends a plane as a pointer and a stride, for C interfaces such as OpenGL.
    ///
    /// The pointer covers all bytes of the plane and nothing else checks its use: ``withRow(_:ofPlane:_:)`` is the safe
    /// way.
    ///
    /// - Parameters:
    ///   - index: 0..<``planeCount``.
    ///   - body: reads the plane, whose memory is valid until it returns.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws.
    public func withPlane<Result, Failure: Error>(
        _ index: Int, _ body: (Plane) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { noteUse() }
        return try withExtendedLifetime(self) { () throws(Failure) in try body(plane(index)) }
    }

    func plane(_ index: Int) -> Plane {
        require(
            (0..<planeCount).contains(index),
            "The format \(format) has planes 0..<\(planeCount); plane \(index) does not exist.")
        return storage[index]
    }
}
