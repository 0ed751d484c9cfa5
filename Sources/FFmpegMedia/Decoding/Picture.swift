import CFFmpeg
import MediaIO

/// A decoded picture, and the means to lend its planes without a copy.
///
/// The memory belongs to the decoder's own pool, which counts references and may be left by the decoder: pictures that
/// are still lent outlive it.
final class Picture {
    private let memory: PictureMemory
    /// What was lent last: used again when nobody else holds it any more.
    private var buffer: PixelBuffer?
    private var planes: [PixelBuffer.Plane] = []

    init?() {
        guard let memory = PictureMemory() else { return nil }
        self.memory = memory
    }

    /// What the decoder writes.
    var frame: UnsafeMutablePointer<AVFrame> { memory.frame }

    /// Gives the memory back to the decoder when nobody reads it any more; false when somebody does.
    func reclaim() -> Bool {
        if buffer != nil {
            guard isKnownUniquelyReferenced(&buffer) else { return false }
            buffer?.awaitReaders()
        }
        av_frame_unref(frame)
        return true
    }

    /// The size in memory, without what the stream says to cut off.
    var size: VideoSize { VideoSize(width: Int(frame.pointee.width), height: Int(frame.pointee.height)) }

    /// Whether the decoder noticed that something is wrong with it.
    var isDamaged: Bool { frame.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0 || frame.pointee.decode_error_flags != 0 }

    /// Lends the planes, for as long as somebody holds the buffer.
    ///
    /// A picture that is stored upside down cannot be lent: it is copied to a buffer of `copies`. The caller has looked
    /// the format up. Throws when the picture is too large.
    func lend(_ format: PixelFormat, copies: PixelBufferPool) throws(PixelBufferError) -> PixelBuffer {
        let descriptions = format.planes
        guard descriptions.indices.allSatisfy({ vitrail_frame_linesize(frame, Int32($0)) > 0 }) else {
            return try copies.makeBuffer(format: format, size: size) { copy($0) }
        }
        planes.removeAll(keepingCapacity: true)
        for (index, description) in descriptions.enumerated() {
            let stride = Int(vitrail_frame_linesize(frame, Int32(index)))
            let length = description.byteCount(size, bytesPerRow: stride)
            let bytes = UnsafeRawBufferPointer(start: vitrail_frame_data(frame, Int32(index)), count: length)
            planes.append(PixelBuffer.Plane(bytes: bytes, bytesPerRow: stride))
        }
        if let buffer, buffer.format == format, buffer.size == size {
            try buffer.lendAgain(planes)
            return buffer
        }
        let memory = memory
        let fresh = try PixelBuffer(lending: planes, format: format, size: size) { withExtendedLifetime(memory) {} }
        buffer = fresh
        return fresh
    }

    private func copy(_ target: borrowing WritablePlanes) {
        for (index, description) in target.format.planes.enumerated() {
            guard let first = vitrail_frame_data(frame, Int32(index)) else { continue }
            let stride = Int(vitrail_frame_linesize(frame, Int32(index)))
            for row in 0..<description.height(size) {
                target.withRow(row, ofPlane: index) { bytes in
                    bytes.copyMemory(from: UnsafeRawBufferPointer(start: first + row * stride, count: bytes.count))
                }
            }
        }
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
