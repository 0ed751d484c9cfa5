import CFFmpeg
import MediaIO

/// A decoded picture, and the means to lend its planes without a copy.
///
/// The memory belongs to the decoder's own pool, which counts references and may be left by the decoder: pictures that
/// are still lent outlive it.
final class Picture: @unchecked Sendable {
    // Unchecked: one owner at a time. The reader writes it until it is lent; then nobody touches it until the last
    // holder of the pixels gives it back, and the pool's lock orders the two.
    let frame: UnsafeMutablePointer<AVFrame>
    private var planes: [PixelBuffer.Plane] = []
    private var pool: PicturePool?
    private var giveBack: @Sendable () -> Void = {}

    init?() {
        guard let frame = av_frame_alloc() else { return nil }
        self.frame = frame
        // Made once, so that lending a picture allocates nothing but the buffer. While lent, the picture holds itself.
        let reference = Unmanaged.passUnretained(self)
        giveBack = {
            let picture = reference.takeRetainedValue()
            av_frame_unref(picture.frame)
            let pool = picture.pool
            picture.pool = nil
            pool?.put(picture)
        }
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&frame)
    }

    /// The size in memory, without what the stream says to cut off.
    var size: VideoSize { VideoSize(width: Int(frame.pointee.width), height: Int(frame.pointee.height)) }

    /// Whether the decoder noticed that something is wrong with it.
    var isDamaged: Bool { frame.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0 || frame.pointee.decode_error_flags != 0 }

    /// Lends the planes; the picture goes back to `pool` when the buffer is let go.
    ///
    /// A picture that is stored upside down cannot be lent: it is copied to a buffer of `copies`. The caller has looked
    /// the format up. Throws when the picture is too large.
    func lend(
        _ format: PixelFormat, to pool: PicturePool, copies: PixelBufferPool
    ) throws(PixelBufferError) -> PixelBuffer {
        let descriptions = format.planes
        guard descriptions.indices.allSatisfy({ vitrail_frame_linesize(frame, Int32($0)) > 0 }) else {
            defer { pool.put(self) }
            return try copies.makeBuffer(format: format, size: size) { copy($0) }
        }
        planes.removeAll(keepingCapacity: true)
        for (index, description) in descriptions.enumerated() {
            let stride = Int(vitrail_frame_linesize(frame, Int32(index)))
            let length = description.byteCount(size, bytesPerRow: stride)
            let bytes = UnsafeRawBufferPointer(start: vitrail_frame_data(frame, Int32(index)), count: length)
            planes.append(PixelBuffer.Plane(bytes: bytes, bytesPerRow: stride))
        }
        self.pool = pool
        _ = Unmanaged.passRetained(self)
        do throws(PixelBufferError) {
            return try PixelBuffer(lending: planes, format: format, size: size, release: giveBack)
        } catch {
            giveBack()
            throw error
        }
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

/// Pictures that wait to be decoded into again: as many as were ever held at one time.
final class PicturePool: Sendable {
    private let free = Monitor<[Picture]>([])

    /// A picture with nothing in it, or `nil` when there is no memory left.
    func take() -> Picture? { free.withLock { $0.popLast() } ?? Picture() }

    /// Takes a picture back.
    func put(_ picture: Picture) {
        av_frame_unref(picture.frame)
        free.withLock { $0.append(picture) }
    }
}
