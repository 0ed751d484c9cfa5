import CVitrailV4L2
import Glibc
import MediaIO

/// libv4l's conversion to RGB, for formats that are neither drawn nor decoded.
///
/// I420 is not used as the target, because libv4l 1.22 writes twice as many bytes as an I420 frame has when the source
/// is HSV.
///
/// **Thread:** the capture thread.
final class LegacyConverter {
    private let library: OpaquePointer
    private let scratch: UnsafeMutableRawBufferPointer
    private let pool = PixelBufferPool()
    private let size: VideoSize
    private var source: v4l2_format
    private var target: v4l2_format

    /// Finds a mode that libv4l can convert.
    ///
    /// - Returns: `nil` if there is none.
    static func mode(near request: CameraRequest, _ device: OpenDevice) -> CameraMode? {
        guard !device.isMultiPlanar, let library = v4lconvert_create(device.descriptor) else { return nil }
        defer { v4lconvert_destroy(library) }
        var (target, source) = (v4l2_format(), v4l2_format())
        target.type = device.bufferType
        let size = request.size ?? VideoSize(width: 1280, height: 720)
        (target.fmt.pix.width, target.fmt.pix.height) = (
            UInt32(clamping: size.width), UInt32(clamping: size.height)
        )
        target.fmt.pix.pixelformat = vitrail_pix_fmt_rgb24
        guard v4lconvert_try_format(library, &target, &source) == 0,
            target.fmt.pix.pixelformat == vitrail_pix_fmt_rgb24
        else { return nil }
        return CameraMode(
            fourCC: source.fmt.pix.pixelformat, handling: .converted,
            size: VideoSize(width: Int(source.fmt.pix.width), height: Int(source.fmt.pix.height)),
            frameRate: request.frameRate)
    }

    /// Makes a converter of what a driver gives.
    ///
    /// - Throws: ``StreamError/Code/unsupported`` if libv4l cannot convert it.
    init(_ format: CaptureFormat, _ device: OpenDevice) throws(StreamError) {
        guard let library = v4lconvert_create(device.descriptor) else {
            throw StreamError(.unsupported, "\(device.name) (\(device.path)) has no format that can be shown.")
        }
        self.library = library
        size = format.mode.size
        (source, target) = (v4l2_format(), v4l2_format())
        source.type = device.bufferType
        source.fmt.pix = format.pixelFormat
        target = source
        target.fmt.pix.pixelformat = vitrail_pix_fmt_rgb24
        target.fmt.pix.bytesperline = UInt32(3 * size.width)
        let count = PixelFormat.rgb24.packedByteCount(size)
        target.fmt.pix.sizeimage = UInt32(count)
        scratch = .allocate(byteCount: count, alignment: 64)
    }

    deinit {
        v4lconvert_destroy(library)
        scratch.deallocate()
    }

    /// Converts a frame.
    ///
    /// - Throws: ``StreamError/Code/malformed`` if it cannot be converted.
    func convert(_ bytes: UnsafeRawBufferPointer) throws(StreamError) -> PixelBuffer {
        // The library only reads the source, although the parameter is not `const`.
        let first = UnsafeMutableRawPointer(mutating: bytes.baseAddress)?.assumingMemoryBound(to: UInt8.self)
        let count = v4lconvert_convert(
            library, &source, &target, first, Int32(clamping: bytes.count),
            scratch.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(clamping: scratch.count))
        guard count == scratch.count else {
            throw StreamError(
                .malformed, "libv4l cannot convert a frame: \(String(cString: v4lconvert_get_error_message(library)))")
        }
        let frame = try VideoFrame(
            copying: RawSpan(_unsafeBytes: UnsafeRawBufferPointer(scratch)), format: .rgb24, size: size, pool: pool)
        return try frame.pixelBuffer
    }
}
