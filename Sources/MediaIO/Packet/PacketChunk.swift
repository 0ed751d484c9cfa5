internal import Glibc

/// Memory for the bytes of several packets, each followed by zeros, straight from the system.
///
/// Among what demuxers allocate and release, copies that stay would leave holes, half as large again as they are. What is
/// not written to yet needs no memory.
///
/// **Thread:** one that copies to it; any that has been given bytes of it.
final class PacketChunk: @unchecked Sendable {
    // Unchecked: bytes are written once, before they are shared.
    /// The bytes that a chunk has unless a packet needs more.
    static let usualByteCount = 256 << 10

    private let memory: UnsafeMutableRawPointer
    private let byteCount: Int
    private var used = 0

    /// Takes memory for at least so many bytes and the zeros behind them; `nil` if there is none.
    init?(for count: Int) {
        byteCount = max(Self.usualByteCount, count + EncodedPacket.padding)
        let memory = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let memory, memory != MAP_FAILED else { return nil }
        self.memory = memory
    }

    deinit { munmap(memory, byteCount) }

    /// Copies bytes; `nil` if there is no room for them.
    func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard byteCount - used >= bytes.count + EncodedPacket.padding, let source = bytes.baseAddress else {
            return nil
        }
        let place = memory + used
        place.copyMemory(from: source, byteCount: bytes.count)
        used += bytes.count + EncodedPacket.padding
        return UnsafeRawBufferPointer(start: place, count: bytes.count)
    }
}
