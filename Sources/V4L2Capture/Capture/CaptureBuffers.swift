import CVitrailV4L2
import Glibc
import MediaIO
import VitrailSupport

/// The driver's buffers, mapped, and the frames that are lent from them.
///
/// A lent buffer is queued again once its frame is released. Closing the device does not take the memory of frames that
/// still exist.
///
/// **Thread:** the capture thread.
final class CaptureBuffers {
    /// A filled buffer.
    struct Filled {
        let index: Int
        let flags: UInt32
        let sequence: UInt32
        /// On the monotonic clock.
        let time: Duration
    }

    let device: OpenDevice
    let format: CaptureFormat
    private(set) var slots: [CaptureBuffer] = []
    /// Reused for each call: the kernel writes the planes of a buffer there.
    private let planes = UnsafeMutablePointer<v4l2_plane>.allocate(capacity: Int(VIDEO_MAX_PLANES))
    /// The number of buffers that are queued with the driver.
    private(set) var queuedCount = 0
    var exports: Bool

    /// Allocates and maps buffers, and queues all of them.
    ///
    /// - Throws: ``StreamError``.
    init(
        _ device: OpenDevice, _ format: CaptureFormat, count: Int, exports: Bool
    ) throws(StreamError) {
        (self.device, self.format) = (device, format)
        self.exports = exports && Self.canExport(format)
        planes.initialize(repeating: v4l2_plane(), count: Int(VIDEO_MAX_PLANES))
        var request = v4l2_requestbuffers()
        (request.count, request.type) = (UInt32(count), device.bufferType)
        request.memory = V4L2_MEMORY_MMAP.rawValue
        try check(device.call(vitrail_reqbufs, &request), "does not allocate buffers")
        guard request.count >= 2 else {
            throw StreamError(
                .cannotOpen,
                "\(device.name) (\(device.path)) has too little memory for its buffers: choose a smaller size.")
        }
        for index in 0..<Int(request.count) { slots.append(try slot(index)) }
        for index in slots.indices { try queue(index) }
    }

    deinit {
        free()
        planes.deallocate()
    }

    /// The number of buffers.
    var count: Int { slots.count }

    /// Whether buffers may be exported: only frames that are drawn as they are, in a format with a DRM number.
    private static func canExport(_ format: CaptureFormat) -> Bool {
        guard case .drawn(let pixels) = format.mode.handling else { return false }
        return pixels.fourCC != nil
    }

    private func slot(_ index: Int) throws(StreamError) -> CaptureBuffer {
        var buffer = buffer(index)
        try check(device.call(vitrail_querybuf, &buffer), "does not describe its buffers")
        var parts: [UnsafeMutableRawBufferPointer] = []
        let memory: MappedMemory
        do throws(StreamError) {
            let partCount = device.isMultiPlanar ? min(Int(buffer.length), Int(VIDEO_MAX_PLANES)) : 1
            for part in 0..<partCount {
                let length = device.isMultiPlanar ? planes[part].length : buffer.length
                let offset = device.isMultiPlanar ? planes[part].m.mem_offset : buffer.m.offset
                guard let bytes = device.system.map(device.descriptor, length: Int(length), offset: Int(offset)) else {
                    let error = errno
                    throw StreamError(
                        .cannotOpen,
                        "The buffers of \(device.name) (\(device.path)) cannot be mapped: \(systemMessage(error)).",
                        underlying: error)
                }
                parts.append(bytes)
            }
            for (part, least) in format.leastBytes.enumerated() where part >= parts.count || parts[part].count < least {
                throw StreamError(
                    .malformed,
                    "\(device.name) (\(device.path)) has buffers of \(part < parts.count ? parts[part].count : 0) bytes, but a frame of \(format.mode) needs \(least): its driver is faulty. Choose another format or size."
                )
            }
            memory = MappedMemory(parts, device.system)
        } catch {
            for part in parts { device.system.unmap(part) }
            throw error
        }
        return CaptureBuffer(memory, format)
    }

    private func buffer(_ index: Int) -> v4l2_buffer {
        var buffer = v4l2_buffer()
        (buffer.index, buffer.type) = (UInt32(index), device.bufferType)
        buffer.memory = V4L2_MEMORY_MMAP.rawValue
        if device.isMultiPlanar {
            buffer.m.planes = planes
            buffer.length = UInt32(VIDEO_MAX_PLANES)
        }
        return buffer
    }

    private func check(_ error: Int32, _ problem: String) throws(StreamError) {
        guard error != 0 else { return }
        let name = "\(device.name) (\(device.path))"
        let sentence =
            switch error {
            case EBUSY: "\(name) \(DeviceUse.sentence(device.path, device.system))"
            case ENODEV, ENXIO: "\(device.name) is not connected: connect it again."
            // The kernel's answer if other devices have reserved the bandwidth of the bus.
            case ENOSPC:
                "\(name) has too little bandwidth on its USB bus: choose a smaller size or rate, stop another camera, or connect it to a port of another controller."
            default: "\(name) \(problem): \(systemMessage(error))."
            }
        throw StreamError(.cannotOpen, sentence, underlying: error)
    }

    /// Begins to capture.
    ///
    /// - Throws: ``StreamError``; ``StreamError/Code/noSignal`` if that may be the cause.
    func start() throws(StreamError) {
        var type = device.bufferType
        let error = device.call(vitrail_streamon, &type)
        if error != 0, let problem = InputFault.error(of: device) { throw problem }
        try check(error, "does not start")
    }

    /// Stops capturing; afterwards no buffer is queued with the driver.
    func stop() {
        var type = device.bufferType
        _ = device.call(vitrail_streamoff, &type)
        for index in slots.indices { slots[index].isQueued = false }
        queuedCount = 0
    }

    /// Stops capturing and frees the driver's buffers.
    ///
    /// Frames that still exist keep their memory. Without this call, they would keep the device busy even after it is
    /// closed, because mapped memory retains the device.
    func free() {
        stop()
        var request = v4l2_requestbuffers()
        (request.type, request.memory) = (device.bufferType, V4L2_MEMORY_MMAP.rawValue)
        _ = device.call(vitrail_reqbufs, &request)
    }

    /// Stops and starts again, for a device that no longer delivers.
    func restart() throws(StreamError) {
        stop()
        try queueReleased()
        try start()
    }

    /// Queues the buffers whose frames are released.
    ///
    /// **Cost:** every frame.
    func queueReleased() throws(StreamError) {
        for index in slots.indices where slots[index].isReleased { try queue(index) }
    }

    /// Gives a buffer to the driver.
    func queue(_ index: Int) throws(StreamError) {
        var buffer = buffer(index)
        if device.isMultiPlanar { buffer.length = UInt32(slots[index].memory.parts.count) }
        let error = device.call(vitrail_qbuf, &buffer)
        guard error == 0 else { throw Self.lost(error, device) }
        slots[index].isQueued = true
        queuedCount += 1
    }

    /// Takes a filled buffer.
    ///
    /// - Returns: `nil` if there is none yet.
    /// - Throws: ``StreamError/Code/readFailed``, with the error.
    func take() throws(StreamError) -> Filled? {
        var buffer = buffer(0)
        let error = device.call(vitrail_dqbuf, &buffer)
        if error == EAGAIN { return nil }
        guard error == 0 else { throw Self.lost(error, device) }
        let index = Int(buffer.index)
        guard slots.indices.contains(index), slots[index].isQueued else {
            throw StreamError(
                .readFailed,
                "\(device.name) (\(device.path)) returned buffer \(index), which it does not have: its driver is faulty."
            )
        }
        slots[index].isQueued = false
        queuedCount -= 1
        readLengths(slots[index], buffer)
        let isMonotonic =
            buffer.flags & vitrail_buf_flag_timestamp_mask == vitrail_buf_flag_timestamp_monotonic
        let stamp = Duration.seconds(buffer.timestamp.tv_sec) + .microseconds(buffer.timestamp.tv_usec)
        return Filled(
            index: index, flags: buffer.flags, sequence: buffer.sequence,
            time: isMonotonic ? stamp : MonotonicTime.now.sinceBoot)
    }

    /// Reads which bytes the driver has filled.
    ///
    /// With the multi-planar interface, each memory plane may begin with other data (`data_offset`).
    private func readLengths(_ slot: CaptureBuffer, _ buffer: v4l2_buffer) {
        for part in slot.filled.indices {
            let used = device.isMultiPlanar ? planes[part].bytesused : buffer.bytesused
            let offset = device.isMultiPlanar ? planes[part].data_offset : 0
            slot.setFilled(part, Int(used), from: Int(offset), format)
        }
    }

    static func lost(_ error: Int32, _ device: OpenDevice) -> StreamError {
        if error == ENODEV || error == ENXIO {
            return StreamError(
                .readFailed, "\(device.name) is not connected: connect it again.", underlying: error)
        }
        return StreamError(
            .readFailed, "\(device.name) (\(device.path)) no longer delivers: \(systemMessage(error)).",
            underlying: error)
    }
}
