import MediaIO

/// One of the driver's buffers, mapped into this process.
///
/// **Thread:** the capture thread.
final class CaptureBuffer {
    let memory: MappedMemory
    let lender: MemoryLender<MappedMemory>
    /// Where the planes of the frame are; empty for frames that are not drawn as they are.
    private(set) var planes: [PixelBuffer.Plane] = []
    /// Where the frame begins in each memory plane.
    private(set) var starts: [Int]
    /// The bytes of each memory plane that the driver has filled.
    private(set) var filled: [Range<Int>]
    /// The buffer as a DMA-BUF, from the first frame on.
    var image: DMABufferImage?
    /// Whether it is queued with the driver.
    var isQueued = false

    init(_ memory: MappedMemory, _ format: CaptureFormat) {
        self.memory = memory
        lender = MemoryLender(memory)
        filled = [Range<Int>](repeating: 0..<0, count: memory.parts.count)
        starts = [Int](repeating: 0, count: memory.parts.count)
        place(format)
    }

    /// Whether it is free: neither queued with the driver nor used by a frame.
    var isReleased: Bool {
        if isQueued { return false }
        // Planes that were mapped from an exported image retain the image.
        if image != nil { return isKnownUniquelyReferenced(&image) }
        return lender.reclaim()
    }

    /// Whether the driver has filled all that a frame needs.
    func isComplete(_ format: CaptureFormat) -> Bool {
        for part in format.leastBytes.indices where filled[part].count < format.leastBytes[part] { return false }
        return true
    }

    /// Records which bytes of a memory plane the driver has filled: the first `used` bytes, of which those before
    /// `offset` are not part of the frame.
    func setFilled(_ part: Int, _ used: Int, from offset: Int, _ format: CaptureFormat) {
        let end = min(used, memory.parts[part].count)
        let start = min(offset, end)
        filled[part] = start..<end
        guard start != starts[part], part < format.leastBytes.count, end - start >= format.leastBytes[part] else {
            return
        }
        starts[part] = start
        place(format)
    }

    /// Finds the planes of a frame.
    private func place(_ format: CaptureFormat) {
        guard case .drawn(let pixels) = format.mode.handling else { return }
        planes = zip(format.planes, pixels.planes).map { plane, description in
            let length = description.byteCount(format.mode.size, bytesPerRow: plane.bytesPerRow)
            let first = starts[plane.memory] + plane.offset
            let bytes = UnsafeRawBufferPointer(rebasing: memory.parts[plane.memory][first..<(first + length)])
            return PixelBuffer.Plane(bytes: bytes, bytesPerRow: plane.bytesPerRow)
        }
        image = nil
    }
}

/// Mapped memory of a driver, unmapped when its last owner is released: the capture, or a frame that outlives it.
final class MappedMemory: @unchecked Sendable {
    // Unchecked: the driver writes it only while no frame is lent from it.
    let parts: [UnsafeMutableRawBufferPointer]
    private let system: any DeviceSystem

    init(_ parts: [UnsafeMutableRawBufferPointer], _ system: any DeviceSystem) {
        (self.parts, self.system) = (parts, system)
    }

    deinit { for part in parts { system.unmap(part) } }
}
