import CVitrailFFmpeg
import MediaIO

/// A decoded picture, and the means to lend its planes without a copy.
///
/// The memory belongs to the decoder's own pool, which counts references and may be left by the decoder: pictures that
/// are still lent outlive it.
final class Picture {
    private let lender: MemoryLender<PictureMemory>
    private var planes: [PixelBuffer.Plane] = []

    init?() {
        guard let memory = PictureMemory() else { return nil }
        lender = MemoryLender(memory)
    }

    /// What the decoder writes.
    var frame: UnsafeMutablePointer<AVFrame> { lender.owner.frame }

    /// Gives the memory back to the decoder when nobody reads it any more; false when somebody does.
    func reclaim() -> Bool {
        guard lender.reclaim() else { return false }
        av_frame_unref(frame)
        return true
    }

    /// The size in memory, without what the stream says to cut off.
    var size: VideoSize { VideoSize(width: Int(frame.pointee.width), height: Int(frame.pointee.height)) }

    /// Whether the decoder noticed that something is wrong with it.
    var isCorrupt: Bool { frame.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0 || frame.pointee.decode_error_flags != 0 }

    /// The part to be shown, where the decoder has left it to us to cut the rest off.
    var crop: Rectangle? {
        let frame = frame.pointee
        // No side is as long as what these could be in a corrupt stream.
        let (left, top) = (Int(clamping: frame.crop_left), Int(clamping: frame.crop_top))
        let (right, bottom) = (Int(clamping: frame.crop_right), Int(clamping: frame.crop_bottom))
        let whole = Rectangle(x: 0, y: 0, width: size.width, height: size.height)
        guard max(left, right) < size.width, max(top, bottom) < size.height else { return nil }
        let part = Rectangle(
            x: left, y: top, width: size.width - left - right, height: size.height - top - bottom)
        return part == whole || part.width <= 0 || part.height <= 0 ? nil : part
    }

    /// Lends the planes, for as long as somebody holds the buffer.
    ///
    /// A picture that is stored upside down has a negative stride, and its last row first in memory. The caller has
    /// looked the format up. Throws when the picture is too large.
    func lend(_ format: PixelFormat) throws(StreamError) -> PixelBuffer {
        planes.removeAll(keepingCapacity: true)
        for (index, description) in format.planes.enumerated() {
            let stride = Int(vitrail_frame_linesize(frame, Int32(index)))
            let first = vitrail_frame_data(frame, Int32(index))
            let lowest = stride < 0 ? first.map { $0 + (description.height(size) - 1) * stride } : first
            let length = description.byteCount(size, bytesPerRow: stride)
            let bytes = UnsafeRawBufferPointer(start: lowest, count: lowest == nil ? 0 : length)
            planes.append(PixelBuffer.Plane(bytes: bytes, bytesPerRow: stride))
        }
        return try lender.lend(planes, format: format, size: size)
    }
}

/// An `AVFrame` that is freed with its last holder: the picture, or a buffer that outlives it.
private final class PictureMemory: @unchecked Sendable {
    // Unchecked: the reader writes the frame only while no buffer lends it.
    let frame: UnsafeMutablePointer<AVFrame>

    init?() {
        guard let frame = av_frame_alloc() else { return nil }
        self.frame = frame
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&frame)
    }
}

/// Pictures that are decoded into again and again: as many as were ever held at one time.
struct PicturePool {
    private var pictures: [Picture] = []

    /// A picture with nothing in it, or `nil` when there is no memory left.
    mutating func take() -> Picture? {
        for picture in pictures where picture.reclaim() { return picture }
        guard let picture = Picture() else { return nil }
        pictures.append(picture)
        return picture
    }
}
