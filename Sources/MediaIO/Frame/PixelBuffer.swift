import Glibc
import Synchronization

/// The pixels of one picture: immutable planes in memory that the buffer owns or that was lent to it.
///
/// The geometry is validated once, here; whoever reads a plane may trust its ``Plane/bytesPerRow`` and its length.
///
/// **Thread:** any. **Cost:** creation is rare where a ``PixelBufferPool`` is used; passing a buffer on is a retain.
public final class PixelBuffer: Sendable {
    /// The largest width and height accepted, well below what overflows and above any texture.
    public static let maximumSide = 65_536

    /// Where a plane lies.
    public struct Plane: @unchecked Sendable {
        // Unchecked because of the pointer: its memory is immutable for as long as a buffer lends it out.
        /// The memory of all rows from its lowest address: |``bytesPerRow``| × (rows − 1) + the bytes of one row, and
        /// never fewer.
        public let bytes: UnsafeRawBufferPointer
        /// The stride: bytes from a row's first sample to the next row's.
        ///
        /// Negative where the last row comes first in memory, as in bottom-up RGB.
        public let bytesPerRow: Int

        /// Describes memory that holds a plane.
        public init(bytes: UnsafeRawBufferPointer, bytesPerRow: Int) {
            self.bytes = bytes
            self.bytesPerRow = bytesPerRow
        }
    }

    /// The layout of the samples.
    public let format: PixelFormat
    /// The picture's size in pixels.
    public let size: VideoSize
    // Unsafe: written again only by ``lendAgain(_:)``, whose caller is the one holder.
    private(set) nonisolated(unsafe) var storage: InlineArray<4, Plane>
    private let release: @Sendable () -> Void
    /// Counts how often planes were lent, for the order in memory alone; see ``synchronizeWithReaders()``.
    private let reads = Atomic(0)

    /// Lends memory to a new buffer.
    ///
    /// Nothing is copied.
    ///
    /// - Parameters:
    ///   - planes: as many as `format` has, in its order; the memory must not change until `release` is called.
    ///   - format: the layout of the samples.
    ///   - size: the picture's size in pixels.
    ///   - release: called once, on whichever thread lets go of the buffer last. Not called when this throws.
    /// - Throws: ``StreamError``, naming the plane and what does not fit.
    public init(
        lending planes: [Plane], format: PixelFormat, size: VideoSize, release: @escaping @Sendable () -> Void
    ) throws(StreamError) {
        try Self.validate(planes, format, size)
        self.format = format
        self.size = size
        self.storage = InlineArray { planes[min($0, planes.count - 1)] }
        self.release = release
    }

    /// Allocates a packed buffer, aligned to 64 bytes a row, and lets `fill` write it before anyone can see it.
    ///
    /// - Throws: ``StreamError`` when the size is out of range or there is no memory, and what `fill` throws: then nobody
    ///   sees the buffer.
    public convenience init(
        format: PixelFormat, size: VideoSize, fill: (borrowing WritablePlanes) throws(StreamError) -> Void
    ) throws(StreamError) {
        try self.init(allocating: format, size)
        try fill(WritablePlanes(buffer: self))
    }

    /// Copies planes into a new buffer that owns its memory.
    ///
    /// - Throws: ``StreamError``, naming the plane and what does not fit; nothing was read then.
    public convenience init(copying planes: [Plane], format: PixelFormat, size: VideoSize) throws(StreamError) {
        try self.init(format: format, size: size) { (target) throws(StreamError) in try target.copy(planes) }
    }

    init(allocating format: PixelFormat, _ size: VideoSize) throws(StreamError) {
        try Self.validate(size)
        let descriptions = format.planes
        func stride(_ index: Int) -> Int { (descriptions[index].rowBytes(size) + 63) & ~63 }
        let total = descriptions.indices.reduce(0) { $0 + stride($1) * descriptions[$1].height(size) }
        // Bytes a multiple of 64 apart let GL and SIMD code read whole vectors without crossing a row. Swift's own
        // allocation ends the process where there is no memory; the header of a file must not be able to do that.
        guard let start = aligned_alloc(64, total) else {
            throw StreamError(
                .noMemory, "There is no memory for a picture of \(size), \(total) bytes: use a smaller one.")
        }
        let memory = UnsafeRawBufferPointer(start: start, count: total)
        var offset = 0
        let planes = descriptions.indices.map { index in
            let length = stride(index) * descriptions[index].height(size)
            defer { offset += length }
            return Plane(
                bytes: UnsafeRawBufferPointer(rebasing: memory[offset..<offset + length]), bytesPerRow: stride(index))
        }
        self.format = format
        self.size = size
        self.storage = InlineArray { planes[min($0, planes.count - 1)] }
        let address = UInt(bitPattern: start)
        self.release = { free(UnsafeMutableRawPointer(bitPattern: address)) }
    }

    /// Points the buffer at other memory, so that a source which lends makes no new object for each frame.
    ///
    /// The caller has made sure that nobody else holds the buffer, and called ``synchronizeWithReaders()``.
    ///
    /// - Parameter planes: of the same format and size.
    /// - Throws: ``StreamError``, as when it was made; the buffer is as it was then.
    func lendAgain(_ planes: [Plane]) throws(StreamError) {
        try Self.validate(planes, format, size)
        storage = InlineArray { planes[min($0, planes.count - 1)] }
    }

    deinit {
        synchronizeWithReaders()
        release()
    }

    /// Puts what follows after all that was read from the planes, on whichever thread.
    ///
    /// Called when nobody else holds the buffer, before its memory is written or given back. Counting references keeps
    /// it alive; that this also orders memory is promised nowhere, and the thread sanitizer does not see it on Linux.
    func synchronizeWithReaders() { _ = reads.load(ordering: .acquiring) }

    /// How many planes there are.
    public var planeCount: Int { format.planes.count }

    /// Lends a row for reading: exactly the bytes that carry samples.
    ///
    /// - Parameters:
    ///   - row: from the top, wherever it lies in memory; below the height of the plane.
    ///   - index: of the plane, 0..<``planeCount``.
    ///   - body: reads the bytes. Where a sample is larger than a byte, `bytes` loads it.
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

    /// Lends a plane as a pointer and a stride, for OpenGL and the like, which take no others.
    ///
    /// The pointer has all bytes of the plane and knows how many, but nothing else checks what is done with it:
    /// ``withRow(_:ofPlane:_:)`` is the safe way.
    ///
    /// - Parameters:
    ///   - index: 0..<``planeCount``.
    ///   - body: reads the plane, whose memory is valid until it returns.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws.
    public func withPlane<Result, Failure: Error>(
        _ index: Int, _ body: (Plane) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { reads.wrappingAdd(1, ordering: .releasing) }
        return try withExtendedLifetime(self) { () throws(Failure) in try body(plane(index)) }
    }

    func plane(_ index: Int) -> Plane {
        precondition(
            (0..<planeCount).contains(index),
            "The format \(format) has planes 0..<\(planeCount); ask for one of them, not for plane \(index).")
        return storage[index]
    }
}
