import Glibc

/// The planes of a DMA-BUF, mapped into this process until the last reference is released.
final class MappedPlanes: @unchecked Sendable {
    // Unchecked: planes are added before the object is shared.
    private struct Mapping {
        let descriptor: Int32
        let memory: UnsafeMutableRawBufferPointer
    }

    /// `DMA_BUF_IOCTL_SYNC`, and its flags for reading: Swift does not import the macros of `linux/dma-buf.h`.
    private static let synchronize: UInt = 0x4008_6200
    private static let startReading: UInt64 = 1 << 0
    private static let endReading: UInt64 = 1 << 0 | 1 << 2

    private(set) var planes: [PixelBuffer.Plane] = []
    private var mappings: [Mapping] = []
    private let image: DMABufferImage

    init(keeping image: DMABufferImage) { self.image = image }

    deinit {
        for mapping in mappings {
            _ = Self.synchronize(mapping.descriptor, Self.endReading)
            munmap(mapping.memory.baseAddress, mapping.memory.count)
        }
    }

    /// Maps a plane.
    ///
    /// - Parameters:
    ///   - plane: its location, which must lie inside the memory.
    ///   - byteCount: its length in bytes.
    ///   - name: the image's name, at the beginning of errors.
    /// - Throws: ``StreamError/Code/readFailed`` with the `errno` value.
    func add(_ plane: DMABufferImage.Plane, byteCount: Int, _ name: String) throws(StreamError) {
        // Memory is mapped in whole pages.
        let start = plane.offset & ~(Int(getpagesize()) - 1)
        let length = plane.offset - start + byteCount
        guard let address = mmap(nil, length, PROT_READ, MAP_SHARED, plane.descriptor, start), address != MAP_FAILED
        else { throw Self.failure(name) }
        let memory = UnsafeMutableRawBufferPointer(start: address, count: length)
        mappings.append(Mapping(descriptor: plane.descriptor, memory: memory))
        guard Self.synchronize(plane.descriptor, Self.startReading) else { throw Self.failure(name) }
        let bytes = UnsafeRawBufferPointer(rebasing: memory[(plane.offset - start)...])
        planes.append(PixelBuffer.Plane(bytes: bytes, bytesPerRow: plane.bytesPerRow))
    }

    /// Tells the device's driver that the CPU begins or ends reading; false if the driver fails.
    private static func synchronize(_ descriptor: Int32, _ flags: UInt64) -> Bool {
        var flags = flags
        while ioctl(descriptor, synchronize, &flags) != 0 {
            switch errno {
            case EINTR, EAGAIN: continue
            // Ordinary shared memory, which no device writes.
            case ENOTTY: return true
            default: return false
            }
        }
        return true
    }

    static func failure(_ name: String) -> StreamError {
        let number = errno
        return StreamError(
            .readFailed, "\(name) cannot be mapped into memory (error \(number)): ask the source for planes.",
            underlying: number)
    }
}
