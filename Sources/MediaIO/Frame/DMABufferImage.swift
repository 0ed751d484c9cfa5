import Glibc

/// A frame in memory shared with devices (a Linux DMA-BUF): file descriptors, and the layout of the planes in them.
///
/// **Thread:** any. **Cost:** making one allocates an object.
public final class DMABufferImage: Sendable {
    /// The modifier of images stored row by row (`DRM_FORMAT_MOD_LINEAR`).
    public static let linear: UInt64 = 0

    /// The location of a plane.
    public struct Plane: Hashable, Sendable {
        /// The file descriptor of the memory, which several planes may share.
        public let descriptor: Int32
        /// Bytes from the start of that memory to the plane.
        public let offset: Int
        /// The stride in bytes, if the memory has rows.
        public let bytesPerRow: Int

        /// Describes a plane.
        public init(descriptor: Int32, offset: Int, bytesPerRow: Int) {
            self.descriptor = descriptor
            self.offset = offset
            self.bytesPerRow = bytesPerRow
        }
    }

    /// The planes, 1…4, in the format's order.
    public let planes: [Plane]
    /// The size of the image, in pixels.
    public let size: VideoSize
    /// The format in Linux's numbering (`DRM_FORMAT_…`, a number made of four characters).
    public let fourCC: UInt32
    /// How the pixels are arranged in memory (`DRM_FORMAT_MOD_…`): ``linear``, or tiles that only the device knows.
    public let modifier: UInt64
    /// The pixel format of a linear image, or `nil` if it is not a ``PixelFormat``.
    public let format: PixelFormat?
    private let release: @Sendable () -> Void

    /// Takes ownership of file descriptors.
    ///
    /// - Parameters:
    ///   - planes: 1…4; the image closes their descriptors, each once. Duplicate those that are used elsewhere.
    ///   - size: the size of the image, each side 1…``PixelBuffer/maximumSide``.
    ///   - fourCC: the format.
    ///   - modifier: the arrangement.
    ///   - release: called once, after the descriptors were closed, on whichever thread releases the image last: the
    ///     memory may be written again.
    /// - Throws: ``StreamError/Code/planeCount``, ``StreamError/Code/sizeOutOfRange`` or, for a negative offset,
    ///   ``StreamError/Code/malformed``; the descriptors then still belong to the caller, and `release` is not called.
    public init(
        takingOver planes: [Plane], size: VideoSize, fourCC: UInt32, modifier: UInt64 = linear,
        release: @escaping @Sendable () -> Void
    ) throws(StreamError) {
        try PixelBuffer.validate(size)
        guard (1...4).contains(planes.count) else {
            throw StreamError(.planeCount, "A DMA-BUF image has 1 to 4 planes, but \(planes.count) were given.")
        }
        if let wrong = planes.first(where: { $0.offset < 0 }) {
            throw StreamError(.malformed, "A plane cannot be at offset \(wrong.offset): offsets must be 0 or more.")
        }
        self.planes = planes
        self.size = size
        self.fourCC = fourCC
        self.modifier = modifier
        self.format = PixelFormat(fourCC: fourCC)
        self.release = release
    }

    deinit {
        for descriptor in Set(planes.map(\.descriptor)) { close(descriptor) }
        release()
    }

    /// Maps the image to planes that the CPU can read; see ``FrameImage/mapped()``.
    func mapped() throws(StreamError) -> PixelBuffer {
        guard modifier == Self.linear else {
            throw StreamError(
                .unsupported,
                "\(name) with the modifier 0x\(String(modifier, radix: 16)) is tiled, so that only its device can read it: "
                    + "request linear memory (modifier 0) from the source, or use a renderer that imports it.")
        }
        guard let format else {
            throw StreamError(
                .unsupported, "\(name) is not supported: request another format from the source, such as NV12 or XR24.")
        }
        try validatePlanes(format)
        let mapping = MappedPlanes(keeping: self)
        for (plane, description) in zip(planes, format.planes) {
            try mapping.add(plane, byteCount: description.byteCount(size, bytesPerRow: plane.bytesPerRow), name)
        }
        return try PixelBuffer(lending: mapping.planes, format: format, size: size) {
            withExtendedLifetime(mapping) {}
        }
    }

    /// Checks that an image has as many planes as its format and, if it is linear, that the rows are long enough and
    /// lie inside the memory: reading beyond it would crash the process or show other data.
    ///
    /// **Cost:** every frame; a system call per plane.
    /// - Throws: ``StreamError/Code/planeCount``, ``StreamError/Code/bytesPerRow``, ``StreamError/Code/tooShort``, or
    ///   ``StreamError/Code/readFailed`` if a descriptor is invalid.
    package func validatePlanes(_ format: PixelFormat) throws(StreamError) {
        try PixelBuffer.validate(planeCount: planes.count, format)
        guard modifier == Self.linear else { return }
        for index in planes.indices {
            let plane = planes[index]
            try PixelBuffer.validate(bytesPerRow: plane.bytesPerRow, index, format, size)
            guard plane.bytesPerRow > 0 else {
                throw StreamError(
                    .bytesPerRow, "\(name) cannot have its rows upside down: \(plane.bytesPerRow) bytes per row.")
            }
            let total = Int(lseek(plane.descriptor, 0, SEEK_END))
            guard total >= 0 else { throw MappedPlanes.failure(name) }
            let byteCount = format.planes[index].byteCount(size, bytesPerRow: plane.bytesPerRow)
            guard plane.offset <= total, byteCount <= total - plane.offset else {
                throw StreamError(
                    .tooShort,
                    "\(name) needs \(byteCount) bytes from byte \(plane.offset) of its memory, which has \(total).")
            }
        }
    }

    private var name: String { "A DMA-BUF with the format \(fourCCName)" }

    private var fourCCName: String {
        let bytes = withUnsafeBytes(of: fourCC.littleEndian) { Array($0) }
        let isText = bytes.allSatisfy { (0x20...0x7e).contains($0) }
        return isText ? String(decoding: bytes, as: UTF8.self) : "0x\(String(fourCC, radix: 16))"
    }
}
