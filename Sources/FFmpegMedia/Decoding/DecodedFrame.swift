import CVitrailFFmpeg
import MediaIO

/// A decoded frame whose planes can be lent without a copy.
///
/// The memory belongs to the decoder's own pool, which is reference-counted and may outlive the decoder: lent frames
/// stay valid.
final class DecodedFrame {
    private let lender: MemoryLender<OwnedAVFrame>
    private var planes: [PixelBuffer.Plane] = []

    init?() {
        guard let memory = OwnedAVFrame() else { return nil }
        lender = MemoryLender(memory)
    }

    /// The frame that the decoder writes.
    var frame: UnsafeMutablePointer<AVFrame> { lender.owner.frame }

    /// Returns the memory to the decoder if it is no longer in use; false if it still is.
    func reclaim() -> Bool {
        guard lender.reclaim() else { return false }
        av_frame_unref(frame)
        return true
    }

    /// The size in memory, before the stream's cropping.
    var size: VideoSize { VideoSize(width: Int(frame.pointee.width), height: Int(frame.pointee.height)) }

    /// Whether the decoder found the frame corrupt.
    var isCorrupt: Bool { frame.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0 || frame.pointee.decode_error_flags != 0 }

    /// The visible part, if the decoder left the cropping to the caller.
    var crop: Rectangle? {
        let frame = frame.pointee
        // In a corrupt stream, these can be larger than the frame.
        let (left, top) = (Int(clamping: frame.crop_left), Int(clamping: frame.crop_top))
        let (right, bottom) = (Int(clamping: frame.crop_right), Int(clamping: frame.crop_bottom))
        let whole = Rectangle(x: 0, y: 0, width: size.width, height: size.height)
        guard max(left, right) < size.width, max(top, bottom) < size.height else { return nil }
        let part = Rectangle(
            x: left, y: top, width: size.width - left - right, height: size.height - top - bottom)
        return part == whole || part.width <= 0 || part.height <= 0 ? nil : part
    }

    /// Lends the planes for as long as the buffer exists.
    ///
    /// A frame stored bottom-up has a negative stride: its last row is first in memory.
    ///
    /// - Parameter format: the frame's format, which the caller has looked up.
    /// - Returns: a buffer that keeps the frame's memory.
    /// - Throws: ``StreamError`` if the frame is too large.
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
        return try lender.lend(planes, format: format, size: size, in: DecoderMemory.memory(of: frame))
    }
}

/// An `AVFrame` that is freed with its last owner: the picture, or a buffer that outlives it.
private final class OwnedAVFrame: @unchecked Sendable {
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

/// A pool of pictures to decode into; it grows to the largest number in use at one time.
struct DecodedFramePool {
    private var pictures: [DecodedFrame] = []

    /// Takes an empty picture.
    ///
    /// - Parameter others: the pictures that are in use, though nobody lends them.
    /// - Returns: `nil` if memory runs out.
    mutating func take(beside others: [DecodedFrame] = []) -> DecodedFrame? {
        for picture in pictures where !others.contains(where: { $0 === picture }) && picture.reclaim() {
            return picture
        }
        guard let picture = DecodedFrame() else { return nil }
        pictures.append(picture)
        return picture
    }
}
