import CVitrailV4L2
import Glibc
import MediaIO
import VitrailSupport

/// A driver's answer to the request for a mode: where the samples are in its buffers, and what they mean.
struct CaptureFormat {
    /// A plane of the frames.
    struct Plane: Hashable {
        /// The index of the memory plane in a buffer.
        var memory: Int
        /// Bytes from the start of the memory.
        var offset: Int
        /// The stride.
        var bytesPerRow: Int
    }

    /// The mode that the driver gives.
    let mode: CameraMode
    /// The planes of frames that are drawn as they are; empty for others.
    let planes: [Plane]
    /// The smallest number of bytes in each memory plane of a complete frame; 1 if unknown.
    let leastBytes: [Int]
    /// The meaning of the samples.
    let attributes: FrameAttributes
    /// In the kernel's numbers.
    let pixelFormat: v4l2_pix_format
    let hasFields: Bool

    /// Asks the driver for a mode.
    ///
    /// - Throws: ``StreamError/Code/cannotOpen`` if the device is busy, ``StreamError/Code/unsupported`` if frames
    ///   of the mode cannot be shown, and ``StreamError/Code/malformed`` if the driver's answer contradicts itself.
    init(_ mode: CameraMode, _ device: OpenDevice) throws(StreamError) {
        var format = v4l2_format()
        format.type = device.bufferType
        let (width, height) = (UInt32(clamping: mode.size.width), UInt32(clamping: mode.size.height))
        if device.isMultiPlanar {
            (format.fmt.pix_mp.width, format.fmt.pix_mp.height) = (width, height)
            format.fmt.pix_mp.pixelformat = mode.fourCC
            format.fmt.pix_mp.field = V4L2_FIELD_NONE.rawValue
        } else {
            (format.fmt.pix.width, format.fmt.pix.height) = (width, height)
            format.fmt.pix.pixelformat = mode.fourCC
            format.fmt.pix.field = V4L2_FIELD_NONE.rawValue
            format.fmt.pix.priv = vitrail_pix_fmt_priv_magic
        }
        let error = device.call(vitrail_s_fmt, &format)
        guard error == 0 else { throw Self.refusal(error, mode, device) }
        let rate = Self.setRate(mode.frameRate, device)
        let given = Given(format, device.isMultiPlanar)
        let size = VideoSize(width: Int(given.pixels.width), height: Int(given.pixels.height))
        let fourCC = given.pixels.pixelformat
        self.mode = CameraMode(
            fourCC: fourCC, handling: CameraFormat.handling(of: fourCC), size: size, frameRate: rate)
        let name = "\(device.name) (\(device.path))"
        guard fourCC == mode.fourCC else {
            throw StreamError(
                .unsupported,
                "\(name) refuses the format \(CameraFormat.name(of: mode.fourCC)) and gives \(CameraFormat.name(of: fourCC)): choose another with ?format=."
            )
        }
        guard (1...PixelBuffer.maximumSide).contains(size.width), (1...PixelBuffer.maximumSide).contains(size.height)
        else { throw StreamError(.malformed, "\(name) gives frames of \(size): its driver is faulty.") }
        attributes = try Self.attributes(given.pixels, self.mode.handling, name)
        pixelFormat = given.pixels
        hasFields = attributes.pixelAspectRatio != .one
        guard case .drawn(let pixels) = self.mode.handling else {
            (planes, leastBytes) = ([], [1])
            return
        }
        planes = try Self.planes(pixels, size, given.strides, name)
        var least = [Int](repeating: 0, count: given.strides.count)
        for (plane, description) in zip(planes, pixels.planes) {
            let end = plane.offset + description.byteCount(size, bytesPerRow: plane.bytesPerRow)
            least[plane.memory] = max(least[plane.memory], end)
        }
        leastBytes = least
    }

    /// The driver's answer, from the single-planar or the multi-planar interface.
    private struct Given {
        var pixels: v4l2_pix_format
        /// The stride of each memory plane.
        var strides: [Int]

        init(_ format: v4l2_format, _ isMultiPlanar: Bool) {
            guard isMultiPlanar else {
                pixels = format.fmt.pix
                strides = [Int(pixels.bytesperline)]
                return
            }
            let multi = format.fmt.pix_mp
            pixels = v4l2_pix_format()
            (pixels.width, pixels.height, pixels.pixelformat) = (multi.width, multi.height, multi.pixelformat)
            (pixels.field, pixels.colorspace) = (multi.field, multi.colorspace)
            pixels.ycbcr_enc = UInt32(multi.ycbcr_enc)
            (pixels.quantization, pixels.xfer_func) = (UInt32(multi.quantization), UInt32(multi.xfer_func))
            pixels.sizeimage = multi.plane_fmt.0.sizeimage
            pixels.bytesperline = multi.plane_fmt.0.bytesperline
            strides = withUnsafeBytes(of: multi.plane_fmt) { bytes in
                let all = bytes.bindMemory(to: v4l2_plane_pix_format.self)
                return all.prefix(max(Int(multi.num_planes), 1)).map { Int($0.bytesperline) }
            }
        }
    }

    /// Where the planes are: each in its own memory, or one after the other.
    private static func planes(
        _ format: PixelFormat, _ size: VideoSize, _ strides: [Int], _ name: String
    ) throws(StreamError) -> [Plane] {
        let descriptions = format.planes
        guard strides.count == 1 || strides.count == descriptions.count else {
            throw StreamError(
                .malformed,
                "\(name) gives frames of \(format) in \(strides.count) parts, not in \(descriptions.count): its driver is faulty."
            )
        }
        var planes: [Plane] = []
        var offset = 0
        for (index, description) in descriptions.enumerated() {
            let row = description.rowBytes(size)
            var stride = index < strides.count ? strides[index] : 0
            if index >= strides.count {
                // The kernel's rule: the padding of chroma is in proportion to that of luma.
                let blocks = planes[0].bytesPerRow / descriptions[0].blockBytes
                stride = (blocks * description.blockBytes) >> description.horizontalShift
            } else if stride == 0 {
                // Old drivers do not set the stride.
                stride = row
            }
            guard stride >= row, stride <= 1 << 30 else {
                throw StreamError(
                    .malformed,
                    "\(name) gives rows of \(stride) bytes, but a row of \(format) \(size) has \(row): its driver is faulty. Choose another format with ?format=."
                )
            }
            planes.append(Plane(memory: strides.count == 1 ? 0 : index, offset: offset, bytesPerRow: stride))
            if strides.count == 1 { offset += stride * description.height(size) }
        }
        return planes
    }

    /// The colours, and the fields of interlaced video.
    private static func attributes(
        _ pixels: v4l2_pix_format, _ handling: CameraFormat.Handling, _ name: String
    ) throws(StreamError) -> FrameAttributes {
        var attributes = FrameAttributes()
        switch v4l2_field(pixels.field) {
        case V4L2_FIELD_ANY, V4L2_FIELD_NONE, V4L2_FIELD_INTERLACED, V4L2_FIELD_INTERLACED_TB, V4L2_FIELD_INTERLACED_BT:
            // Both fields are in one frame, row by row.
            break
        case V4L2_FIELD_TOP, V4L2_FIELD_BOTTOM, V4L2_FIELD_ALTERNATE:
            // One field a frame, of half the height.
            attributes.pixelAspectRatio = Rational(1, 2)
        default:
            let names: [UInt32: String] = [
                V4L2_FIELD_SEQ_TB.rawValue: "V4L2_FIELD_SEQ_TB", V4L2_FIELD_SEQ_BT.rawValue: "V4L2_FIELD_SEQ_BT",
            ]
            throw StreamError(
                .unsupported,
                "\(name) gives both fields of interlaced video one after the other (\(names[pixels.field] ?? "field \(pixels.field)")), which is not supported: choose another input or standard of the device."
            )
        }
        let color = V4L2Color(
            colorspace: pixels.colorspace, encoding: pixels.ycbcr_enc, quantization: pixels.quantization,
            transferFunction: pixels.xfer_func)
        switch handling {
        case .drawn(let format):
            // Grey from a sensor has no black level or headroom, either, so it is full range; the kernel's test driver
            // agrees.
            attributes.colorTags = ColorTags(v4l2: color, isRGB: format.layout.model != .yCbCr)
        case .encoded(.motionJPEG):
            // JPEG itself says BT.601 and full range (ITU-T T.871), whatever the driver does.
            attributes.colorTags = ColorTags(v4l2: color, isRGB: false)
            (attributes.colorTags.matrix, attributes.colorTags.range) = (.bt601, .full)
            attributes.colorTags.chromaLocation = .center
        case .encoded: attributes.colorTags = ColorTags(v4l2: color, isRGB: false)
        // libv4l gives RGB.
        case .converted: attributes.colorTags = ColorTags(v4l2: color, isRGB: true)
        }
        return attributes
    }

    /// Sets the rate, if the driver can.
    ///
    /// - Returns: the rate that it gives; `nil` if it does not tell.
    private static func setRate(_ rate: Rational?, _ device: OpenDevice) -> Rational? {
        var parameters = v4l2_streamparm()
        parameters.type = device.bufferType
        guard device.call(vitrail_g_parm, &parameters) == 0 else { return nil }
        if let rate, parameters.parm.capture.capability & UInt32(V4L2_CAP_TIMEPERFRAME) != 0 {
            parameters.parm.capture.timeperframe = v4l2_fract(
                numerator: UInt32(rate.denominator), denominator: UInt32(rate.numerator))
            // A driver that refuses keeps its rate, which is read again.
            _ = device.call(vitrail_s_parm, &parameters)
            guard device.call(vitrail_g_parm, &parameters) == 0 else { return nil }
        }
        return Rational(interval: parameters.parm.capture.timeperframe)
    }

    private static func refusal(_ error: Int32, _ mode: CameraMode, _ device: OpenDevice) -> StreamError {
        let name = "\(device.name) (\(device.path))"
        if error == EBUSY {
            return StreamError(
                .cannotOpen, "\(name) \(DeviceUse.sentence(device.path, device.system))", underlying: error)
        }
        // Only these errors mean that the driver refuses the mode. All others are faults of the device or its cable,
        // which may be temporary.
        if error == EINVAL || error == ENOTTY {
            return StreamError(
                .unsupported, "\(name) refuses \(mode): choose another with ?size=, ?fps= or ?format=.",
                underlying: error)
        }
        if error == ENODEV || error == ENXIO {
            return StreamError(.cannotOpen, "\(device.name) is not connected: connect it again.", underlying: error)
        }
        return StreamError(
            .cannotOpen, "\(name) cannot be set to \(mode): \(systemMessage(error)). Connect it again.",
            underlying: error)
    }
}
