import CVitrailFFmpeg
public import MediaIO

/// Encodes pictures into packets, to send or to keep them.
///
///     let encoder = try VideoEncoder(size: size, frameRate: 25, encoding: VideoEncoding(tuning: .live))
///     while isRunning {
///         try renderer.render(wall, into: target)
///         let picture = try target.readPlanes(as: encoder.format, colorSpace: encoder.colorSpace, pool: pool)
///         try encoder.encode(picture) { packet in connection.send(packet) }
///     }
///
/// **Thread:** one at a time. **Cost:** every frame; that of the encoder. Nothing is copied but by the encoder, unless a
/// side is odd.
public final class VideoEncoder {
    /// What its packets have in common.
    public let track: TrackInfo
    /// The format that pictures must have: I420, with 10 bits I010.
    public let format: PixelFormat
    /// The colour space that pictures must have: BT.709 or BT.2020 in limited range; BT.601 for VP8 (RFC 6386,
    /// section 9.2), and in full range for Motion JPEG.
    ///
    /// The codec says so, as far as it can, and that chroma is at the centre of its four pixels.
    public let colorSpace: ColorSpace
    private let name: String
    private let size: VideoSize
    private let encoder: EncoderContext
    private let lender: PictureLender
    private let packet: UnsafeMutablePointer<AVPacket>
    /// The number of the next picture.
    private var next: Int64 = 0

    /// Opens the encoder.
    ///
    /// - Parameters:
    ///   - size: the size of the pictures, each side 1…``PixelBuffer/maximumSide``. If one is odd, the last column or row
    ///     is repeated in the packets.
    ///   - frameRate: the pictures per second.
    ///   - encoding: the codec, H.264 if it names none, quality and speed.
    ///   - hasConfigurationInPackets: whether each key frame of H.264 and HEVC has the parameter sets, as receivers that
    ///     join need them; otherwise only ``TrackInfo/configuration`` has them, as for MP4.
    ///   - name: what is encoded, for errors.
    /// - Throws: ``StreamError/Code/sizeOutOfRange``; ``StreamError/Code/unsupported`` if there is no such encoder, or it
    ///   refuses the encoding; ``StreamError/Code/noMemory``.
    public init(
        size: VideoSize, frameRate: Rational, encoding: VideoEncoding = VideoEncoding(),
        hasConfigurationInPackets: Bool = true, name: String = "the video"
    ) throws(StreamError) {
        try PixelBuffer.validate(size)
        let codec = encoding.codec ?? .h264
        let (isJPEG, hasOwnColors) = (codec == .motionJPEG, codec == .motionJPEG || codec == .vp8)
        let format = try encoding.format(name)
        let colorSpace =
            encoding.colors == .bt2020
            ? ColorSpace(matrix: .bt2020, range: .limited, primaries: .bt2020)
            : ColorSpace(matrix: hasOwnColors ? .bt601 : .bt709, range: isJPEG ? .full : .limited)
        let info = StreamInfo(
            container: "", format: format, size: PictureLender.evenSize(size), frameRate: frameRate,
            attributes: FrameAttributes(colorSpace: colorSpace, chromaLocation: .center))
        let encoder = try EncoderContext(
            try EncoderSettings(codec, encoding, name), encoding, info, hasGlobalHeader: !hasConfigurationInPackets,
            name)
        lender = try PictureLender()
        track = try encoder.track(codec, info)
        guard let packet = av_packet_alloc() else { throw Self.noMemory(name) }
        (self.format, self.colorSpace, self.name, self.size, self.packet) = (format, colorSpace, name, size, packet)
        self.encoder = encoder
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&packet)
    }

    /// Encodes a picture, and hands out the packets that the encoder then has ready: it may hold back some pictures.
    ///
    /// - Parameters:
    ///   - picture: a picture in ``format``, of the size that the encoder was made with.
    ///   - number: its number at the frame rate, from 0 and greater than that of the picture before it; `nil` for one
    ///     more. Where numbers are left out, the picture before is shown for longer.
    ///   - isKeyFrame: whether decoding must be able to begin with it.
    ///   - body: takes each packet.
    /// - Throws: ``StreamError/Code/unsupported`` for another format or size; ``StreamError/Code/writeFailed``; what
    ///   `body` throws.
    public func encode(
        _ picture: PixelBuffer, at number: Int64? = nil, isKeyFrame: Bool = false,
        _ body: (EncodedPacket) throws(StreamError) -> Void
    ) throws(StreamError) {
        guard picture.format == format, picture.size == size else {
            throw StreamError(
                .unsupported,
                "\(name) needs \(format) pictures of \(size), not \(picture.format) of \(picture.size): convert them first."
            )
        }
        let number = max(number ?? next, next)
        // The encoder is empty, as all its packets were received.
        try check(
            try lender.lend(picture, number, encoder.format) { frame in
                frame.pointee.pict_type = isKeyFrame ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
                return encoder.send(frame)
            })
        next = number + 1
        try drain(body)
    }

    /// Hands out the packets of the pictures that the encoder held back; nothing can be encoded afterwards.
    ///
    /// - Parameter body: takes each packet.
    /// - Throws: ``StreamError/Code/writeFailed``; what `body` throws.
    public func finish(_ body: (EncodedPacket) throws(StreamError) -> Void) throws(StreamError) {
        try check(encoder.send(nil))
        try drain(body)
    }

    private func drain(_ body: (EncodedPacket) throws(StreamError) -> Void) throws(StreamError) {
        while true {
            let result = encoder.receive(packet)
            if result == vitrail_averror_try_again || result == vitrail_averror_eof { return }
            try check(result)
            guard let shared = SharedPacket(moving: packet) else { throw Self.noMemory(name) }
            try body(try EncodedPacket(shared, of: track, unit: encoder.timeUnit))
        }
    }

    private func check(_ result: Int32) throws(StreamError) {
        guard result < 0 else { return }
        throw StreamError(
            .writeFailed, "\(name) cannot be encoded as \(track.codec) (\(ffmpegText(result))).", underlying: result)
    }

    private static func noMemory(_ name: String) -> StreamError {
        StreamError(.noMemory, "There is not enough memory to encode \(name).", underlying: ENOMEM)
    }
}

extension EncodedPacket {
    /// Shares a packet of an encoder, whose times are in `unit` seconds.
    fileprivate convenience init(_ shared: SharedPacket, of track: TrackInfo, unit: AVRational) throws(StreamError) {
        let packet = shared.packet.pointee
        try self.init(
            sharing: shared.bytes, owner: shared, of: track,
            timing: Timing(
                presentation: Duration(timestamp: packet.pts, unit: unit),
                decoding: Duration(timestamp: packet.dts, unit: unit),
                duration: Duration(timestamp: max(packet.duration, 1), unit: unit)),
            marks: Marks(isKeyFrame: packet.flags & AV_PKT_FLAG_KEY != 0))
    }
}
