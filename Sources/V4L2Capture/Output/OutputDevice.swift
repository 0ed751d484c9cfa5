import CVitrailV4L2
import Glibc
import MediaIO
import VitrailSupport

/// A device that takes frames in I420, which are copied into its memory.
final class OutputDevice {
    /// When it was opened.
    let begin = MonotonicTime.now
    private let device: OpenDevice
    private let layout: RawFrameLayout
    /// The bytes of a frame, with the padding of all rows.
    ///
    /// Not what the driver says, which may be rounded up: programs that read from a loopback camera refuse frames of
    /// another length.
    private let byteCount: Int
    /// The memory of the buffers, by their indices.
    private var memory: [UnsafeMutableRawBufferPointer] = []
    /// The buffers that the driver does not have.
    private var free: [UInt32] = []
    private var isStreaming = false
    private static let type = V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue

    /// Opens a device, and agrees on a format with it.
    ///
    /// - Throws: ``StreamError/Code/cannotOpen`` if it is not there, in use, or keeps another format;
    ///   ``StreamError/Code/unsupported`` if its memory cannot be mapped.
    init(
        _ path: String, _ size: VideoSize, _ frameRate: Rational, _ system: any DeviceSystem
    ) throws(StreamError) {
        let device = try OpenDevice(path, system)
        let name = "\(device.name) (\(path))"
        guard device.isOutput else {
            throw StreamError(
                .cannotOpen,
                "\(name) takes no pictures: use a loopback camera, which sudo modprobe v4l2loopback makes.")
        }
        guard device.streams else {
            throw StreamError(.unsupported, "\(name) has no memory for pictures: use a loopback camera.")
        }
        self.device = device
        let pixels = try Self.format(size, device, name)
        let stride = max(size.width, Int(pixels.bytesperline))
        layout = try RawFrameLayout(.i420, size: size, bytesPerRow: [stride, stride / 2, stride / 2])
        byteCount = stride * size.height + 2 * (stride / 2) * ((size.height + 1) / 2)
        var rate = v4l2_streamparm()
        rate.type = Self.type
        rate.parm.output.timeperframe = v4l2_fract(
            numerator: UInt32(clamping: frameRate.denominator), denominator: UInt32(clamping: frameRate.numerator))
        // Some devices have no rate.
        _ = device.call(vitrail_s_parm, &rate)
        try map(name)
    }

    deinit { for part in memory { device.system.unmap(part) } }

    /// Agrees on I420 in BT.709.
    private static func format(
        _ size: VideoSize, _ device: OpenDevice, _ name: String
    ) throws(StreamError) -> v4l2_pix_format {
        var format = v4l2_format()
        format.type = type
        (format.fmt.pix.width, format.fmt.pix.height) = (UInt32(size.width), UInt32(size.height))
        format.fmt.pix.pixelformat = vitrail_pix_fmt_yuv420
        format.fmt.pix.field = V4L2_FIELD_NONE.rawValue
        format.fmt.pix.priv = vitrail_pix_fmt_priv_magic
        format.fmt.pix.colorspace = V4L2_COLORSPACE_REC709.rawValue
        format.fmt.pix.ycbcr_enc = V4L2_YCBCR_ENC_709.rawValue
        format.fmt.pix.quantization = V4L2_QUANTIZATION_LIM_RANGE.rawValue
        format.fmt.pix.xfer_func = V4L2_XFER_FUNC_709.rawValue
        let error = device.call(vitrail_s_fmt, &format)
        guard error == 0 else { throw refusal(error, device, name) }
        let given = VideoSize(width: Int(format.fmt.pix.width), height: Int(format.fmt.pix.height))
        let fourCC = format.fmt.pix.pixelformat
        guard given == size, fourCC == vitrail_pix_fmt_yuv420 else {
            throw StreamError(
                .cannotOpen,
                "\(name) keeps \(given) in \(CameraFormat.name(of: fourCC)), not \(size) in I420: close what reads it, or use "
                    + "size=\(given).")
        }
        return format.fmt.pix
    }

    private static func refusal(_ error: Int32, _ device: OpenDevice, _ name: String) -> StreamError {
        let reason =
            error == EBUSY
            ? DeviceUse.sentence(device.path, device.system)
            : "takes no pictures in I420 (\(systemMessage(error))): use a loopback camera."
        return StreamError(.cannotOpen, "\(name) \(reason)", underlying: error)
    }

    private func map(_ name: String) throws(StreamError) {
        var request = v4l2_requestbuffers()
        (request.type, request.memory, request.count) = (Self.type, V4L2_MEMORY_MMAP.rawValue, 4)
        let error = device.call(vitrail_reqbufs, &request)
        guard error == 0 else { throw Self.refusal(error, device, name) }
        for index in 0..<request.count {
            var buffer = Self.buffer(index)
            guard device.call(vitrail_querybuf, &buffer) == 0, Int(buffer.length) >= byteCount,
                let part = device.system.map(
                    device.descriptor, length: Int(buffer.length), offset: Int(buffer.m.offset))
            else { throw StreamError(.noMemory, "\(name) gives no memory for pictures of \(layout.size).") }
            memory.append(part)
            free.append(index)
        }
        guard !free.isEmpty else { throw StreamError(.noMemory, "\(name) gives no memory for pictures.") }
    }

    private static func buffer(_ index: UInt32 = 0) -> v4l2_buffer {
        var buffer = v4l2_buffer()
        (buffer.type, buffer.memory, buffer.index) = (type, V4L2_MEMORY_MMAP.rawValue, index)
        return buffer
    }

    /// Copies a picture into a free buffer, and gives it to the driver; does not wait.
    ///
    /// - Returns: 0, or the error: `EAGAIN` while the driver has all buffers.
    func write(_ picture: PixelBuffer) -> Int32 {
        if free.isEmpty {
            var done = Self.buffer()
            let error = device.call(vitrail_dqbuf, &done)
            guard error == 0 else { return error }
            guard memory.indices.contains(Int(done.index)) else { return EIO }
            free.append(done.index)
        }
        let index = free.removeLast()
        copy(picture, to: memory[Int(index)])
        var buffer = Self.buffer(index)
        (buffer.bytesused, buffer.field) = (UInt32(byteCount), V4L2_FIELD_NONE.rawValue)
        let error = device.call(vitrail_qbuf, &buffer)
        guard error == 0, !isStreaming else { return error }
        var type = Int32(Self.type)
        isStreaming = true
        return device.call(vitrail_streamon, &type)
    }

    private func copy(_ picture: PixelBuffer, to bytes: UnsafeMutableRawBufferPointer) {
        for (index, description) in layout.format.planes.enumerated() {
            let plane = layout[index]
            for row in 0..<description.height(layout.size) {
                picture.withRow(row, ofPlane: index) { samples in
                    samples.withUnsafeBytes { samples in
                        UnsafeMutableRawBufferPointer(rebasing: bytes[(plane.offset + row * plane.bytesPerRow)...])
                            .copyMemory(from: samples)
                    }
                }
            }
        }
    }
}
