import CVitrailV4L2
import Glibc
import MediaIO

/// The frames in filled buffers: their bytes, and buffers lent without a copy.
extension CaptureBuffers {
    /// Whether the driver has filled all that a frame needs.
    func isComplete(_ index: Int) -> Bool {
        slots[index].isComplete(format)
    }

    /// The bytes of an encoded frame, until the buffer is queued.
    func packet(_ index: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: slots[index].memory.parts[0][slots[index].filled[0]])
    }

    /// The planes of a frame, until the buffer is queued.
    func planes(_ index: Int) -> [PixelBuffer.Plane] { slots[index].planes }

    /// Lends the frame in a buffer, without a copy.
    func lend(_ index: Int, _ pixels: PixelFormat) throws(StreamError) -> FrameImage {
        if exports, slots[index].image == nil { slots[index].image = export(index) }
        if let image = slots[index].image { return .dmaBuffer(image) }
        return .planes(try slots[index].lender.lend(slots[index].planes, format: pixels, size: format.mode.size))
    }

    /// The buffer as a DMA-BUF; `nil` if the driver cannot export it.
    private func export(_ index: Int) -> DMABufferImage? {
        guard case .drawn(let pixels) = format.mode.handling, let fourCC = pixels.fourCC else { return nil }
        var descriptors: [Int32] = []
        for part in format.leastBytes.indices {
            var request = v4l2_exportbuffer()
            (request.type, request.index, request.plane) = (device.bufferType, UInt32(index), UInt32(part))
            request.flags = UInt32(O_CLOEXEC | O_RDONLY)
            guard device.call(vitrail_expbuf, &request) == 0 else {
                for descriptor in descriptors { close(descriptor) }
                // Do not try again for each frame.
                exports = false
                return nil
            }
            descriptors.append(request.fd)
        }
        let planes = format.planes.map {
            DMABufferImage.Plane(
                descriptor: descriptors[$0.memory], offset: slots[index].starts[$0.memory] + $0.offset,
                bytesPerRow: $0.bytesPerRow)
        }
        let size = format.mode.size
        guard let image = try? DMABufferImage(takingOver: planes, size: size, fourCC: fourCC, release: {}) else {
            for descriptor in descriptors { close(descriptor) }
            exports = false
            return nil
        }
        return image
    }
}
