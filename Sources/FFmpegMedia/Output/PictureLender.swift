import CVitrailFFmpeg
import MediaIO

/// Lends pictures to an encoder, without a copy.
struct PictureLender: ~Copyable {
    private let frame: UnsafeMutablePointer<AVFrame>
    private let pool = PixelBufferPool()

    init() throws(StreamError) {
        guard let frame = av_frame_alloc() else { throw Self.noMemory }
        self.frame = frame
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&frame)
    }

    /// The size that an encoder of 4:2:0 takes: with even sides.
    static func evenSize(_ size: VideoSize) -> VideoSize {
        VideoSize(width: (size.width + 1) & ~1, height: (size.height + 1) & ~1)
    }

    /// Lends a picture for the time of a call; the encoder may hold it longer.
    ///
    /// One with an odd side is copied, and its last column and row are repeated.
    ///
    /// - Parameters:
    ///   - picture: a picture in I420 or I010.
    ///   - number: its number in the stream.
    ///   - format: FFmpeg's format of the encoder.
    ///   - body: sends the picture.
    /// - Returns: what `body` returns.
    /// - Throws: ``StreamError/Code/noMemory``.
    func lend(
        _ picture: PixelBuffer, _ number: Int64, _ format: AVPixelFormat,
        to body: (UnsafeMutablePointer<AVFrame>) -> Int32
    ) throws(StreamError) -> Int32 {
        let size = Self.evenSize(picture.size)
        let picture = picture.size == size ? picture : try padded(picture, size)
        let owner = Unmanaged.passRetained(picture).toOpaque()
        let free: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?) -> Void = { owner, _ in
            guard let owner else { return }
            let picture = Unmanaged<PixelBuffer>.fromOpaque(owner)
            // The encoder has read it until now.
            picture.takeUnretainedValue().withPlane(0) { _ in }
            picture.release()
        }
        let first = picture.withPlane(0) { $0.bytes }
        // FFmpeg does not write to a buffer that is marked as read-only.
        let bytes = UnsafeMutableRawPointer(mutating: first.baseAddress)?.assumingMemoryBound(to: UInt8.self)
        guard let buffer = av_buffer_create(bytes, first.count, free, owner, vitrail_buffer_readonly) else {
            Unmanaged<PixelBuffer>.fromOpaque(owner).release()
            throw Self.noMemory
        }
        frame.pointee.buf.0 = buffer
        for index in 0..<picture.planeCount {
            picture.withPlane(index) { plane in
                vitrail_frame_set_plane(
                    frame, Int32(index),
                    UnsafeMutableRawPointer(mutating: plane.bytes.baseAddress)?.assumingMemoryBound(to: UInt8.self),
                    Int32(plane.bytesPerRow))
            }
        }
        (frame.pointee.width, frame.pointee.height) = (Int32(size.width), Int32(size.height))
        frame.pointee.format = format.rawValue
        frame.pointee.pts = number
        vitrail_frame_set_duration(frame, 1)
        defer { av_frame_unref(frame) }
        return body(frame)
    }

    /// Copies a picture, and repeats its last column and row.
    private func padded(_ picture: PixelBuffer, _ size: VideoSize) throws(StreamError) -> PixelBuffer {
        let length = picture.format.layout.depth > 8 ? 2 : 1
        return try pool.makeBuffer(format: picture.format, size: size) { target in
            for (plane, description) in picture.format.planes.enumerated() {
                let last = description.height(picture.size) - 1
                for row in 0..<description.height(size) {
                    picture.withRow(min(row, last), ofPlane: plane) { source in
                        target.withRow(row, ofPlane: plane) { bytes in
                            for byte in bytes.indices {
                                bytes[byte] = source[min(byte, source.count - length + byte % length)]
                            }
                        }
                    }
                }
            }
        }
    }

    private static var noMemory: StreamError {
        StreamError(.noMemory, "There is not enough memory to encode a picture.", underlying: ENOMEM)
    }
}
