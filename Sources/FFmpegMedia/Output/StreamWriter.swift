import CVitrailFFmpeg
public import MediaIO

/// Encodes pictures at a constant rate, and writes them to a file.
///
///     let writer = try StreamWriter(descriptor: file, name: "wall.mp4", container: .mp4, size: size, frameRate: 25)
///     for _ in 0..<250 {
///         try renderer.render(wall, into: target)
///         try writer.write(try target.readI420(colorSpace: writer.colorSpace, pool: pool))
///     }
///     try writer.finish()
///
/// **Thread:** one at a time. **Cost:** every frame; that of the encoder.
public final class StreamWriter {
    /// The codec.
    public let codec: PacketCodec
    /// The colour space that pictures must have: BT.709 in limited range, for Motion JPEG BT.601 in full range.
    ///
    /// Container and codec say so, as far as they can, and that chroma is at the centre of its four pixels.
    public let colorSpace: ColorSpace
    private let name: String
    private let size: VideoSize
    private let format: AVPixelFormat
    private let encoder: EncoderContext
    private let muxer: MuxerContext
    private let lender: PictureLender
    private let packet: UnsafeMutablePointer<AVPacket>
    private var count: Int64 = 0

    /// Opens the encoder, and writes the header.
    ///
    /// - Parameters:
    ///   - descriptor: a file or pipe open for writing, which the caller closes.
    ///   - name: its name for errors.
    ///   - container: the format of the file.
    ///   - size: the size of the pictures. If a side is odd, the last column or row is repeated in the file.
    ///   - frameRate: the pictures per second.
    ///   - encoding: the codec, quality and speed.
    /// - Throws: ``StreamError/Code/unsupported`` if there is no such encoder, it refuses the encoding, or the container
    ///   cannot hold its codec; ``StreamError/Code/writeFailed``; ``StreamError/Code/noMemory``.
    public init(
        descriptor: Int32, name: String, container: MediaContainer, size: VideoSize, frameRate: Rational,
        encoding: VideoEncoding = VideoEncoding()
    ) throws(StreamError) {
        let codec = encoding.codec ?? container.usualCodec
        guard container.codecs.contains(codec) else {
            throw StreamError(
                .unsupported,
                "\(name) cannot hold \(codec): choose \(container.codecs.map(\.rawValue).joined(separator: ", ")), or another extension."
            )
        }
        let isJPEG = codec == .motionJPEG
        let colorSpace = ColorSpace(matrix: isJPEG ? .bt601 : .bt709, range: isJPEG ? .full : .limited)
        let info = StreamInfo(
            container: container.rawValue, format: .i420, size: PictureLender.evenSize(size), frameRate: frameRate,
            attributes: FrameAttributes(colorSpace: colorSpace, chromaLocation: .center))
        let muxer = try MuxerContext(container, try WriterBytes(descriptor), name)
        let encoder = try EncoderContext(
            try EncoderSettings(codec, encoding, name), encoding, info, hasGlobalHeader: muxer.hasGlobalHeader, name)
        lender = try PictureLender()
        guard let packet = av_packet_alloc() else {
            throw StreamError(.noMemory, "There is not enough memory to encode \(name).", underlying: ENOMEM)
        }
        (self.codec, self.colorSpace, self.name, self.size, self.packet) = (codec, colorSpace, name, size, packet)
        format = encoder.format
        self.encoder = encoder
        self.muxer = muxer
        try self.muxer.begin(self.encoder)
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&packet)
    }

    /// Encodes the next picture; writes what the encoder has ready.
    ///
    /// Nothing is copied but by the encoder, unless a side is odd.
    ///
    /// - Parameter picture: a picture in I420, of the size that the writer was made with.
    /// - Throws: ``StreamError/Code/unsupported`` for another format or size; ``StreamError/Code/writeFailed``.
    public func write(_ picture: PixelBuffer) throws(StreamError) {
        guard picture.format == .i420, picture.size == size else {
            throw StreamError(
                .unsupported,
                "\(name) needs i420 pictures of \(size), not \(picture.format) of \(picture.size): convert them first.")
        }
        // The encoder is empty, as all its packets were received.
        try check(try lender.lend(picture, count, format) { encoder.send($0) })
        count += 1
        try drain()
    }

    /// Writes the pictures that the encoder held back, and completes the file.
    ///
    /// Nothing may be written afterwards. Without this call, an MP4 file cannot be played.
    ///
    /// - Throws: ``StreamError/Code/writeFailed``.
    public func finish() throws(StreamError) {
        try check(encoder.send(nil))
        try drain()
        try muxer.end()
    }

    private func drain() throws(StreamError) {
        while true {
            let result = encoder.receive(packet)
            if result == vitrail_averror_try_again || result == vitrail_averror_eof { return }
            try check(result)
            if packet.pointee.duration == 0 { packet.pointee.duration = 1 }
            try muxer.write(packet, encoder.timeUnit)
        }
    }

    private func check(_ result: Int32) throws(StreamError) {
        guard result < 0 else { return }
        throw StreamError(
            .writeFailed, "\(name) cannot be encoded as \(codec) (\(ffmpegText(result))).", underlying: result)
    }
}
