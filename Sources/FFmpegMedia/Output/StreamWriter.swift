public import MediaIO

/// Encodes pictures at a constant rate, and writes them to a file.
///
///     let writer = try StreamWriter(descriptor: file, name: "wall.mp4", container: .mp4, size: size, frameRate: 25)
///     for _ in 0..<250 {
///         try renderer.render(wall, into: target)
///         try writer.write(try target.readPlanes(as: writer.format, colorSpace: writer.colorSpace, pool: pool))
///     }
///     try writer.finish()
///
/// **Thread:** one at a time. **Cost:** every frame; that of the encoder.
public final class StreamWriter {
    private let encoder: VideoEncoder
    private let muxer: MuxerContext

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
        var encoding = encoding
        let codec = encoding.codec ?? container.usualCodec
        encoding.codec = codec
        guard container.codecs.contains(codec) else {
            throw StreamError(
                .unsupported,
                "\(name) cannot hold \(codec): choose \(container.codecs.map(\.rawValue).joined(separator: ", ")), or another extension."
            )
        }
        let muxer = try MuxerContext(container, try WriterBytes(descriptor), name)
        encoder = try VideoEncoder(
            size: size, frameRate: frameRate, encoding: encoding, hasConfigurationInPackets: !muxer.hasGlobalHeader,
            name: name)
        self.muxer = muxer
        try self.muxer.begin(encoder.track)
    }

    /// The codec.
    public var codec: PacketCodec { encoder.track.codec }

    /// The format that pictures must have: I420, with 10 bits I010.
    public var format: PixelFormat { encoder.format }

    /// The colour space that pictures must have: BT.709 or BT.2020 in limited range; BT.601 for VP8, and in full
    /// range for Motion JPEG.
    ///
    /// Container and codec say so, as far as they can, and that chroma is at the centre of its four pixels.
    public var colorSpace: ColorSpace { encoder.colorSpace }

    /// Encodes the next picture; writes what the encoder has ready.
    ///
    /// Nothing is copied but by the encoder, unless a side is odd.
    ///
    /// - Parameters:
    ///   - picture: a picture in ``format``, of the size that the writer was made with.
    ///   - number: its number at the frame rate, from 0 and greater than that of the picture before it; `nil` for one
    ///     more. Where numbers are left out, the picture before is shown for longer.
    /// - Throws: ``StreamError/Code/unsupported`` for another format or size; ``StreamError/Code/writeFailed``.
    public func write(_ picture: PixelBuffer, at number: Int64? = nil) throws(StreamError) {
        try encoder.encode(picture, at: number) { (packet) throws(StreamError) in try muxer.write(packet) }
    }

    /// Writes the pictures that the encoder held back, and completes the file.
    ///
    /// Nothing may be written afterwards. Without this call, an MP4 file cannot be played.
    ///
    /// - Throws: ``StreamError/Code/writeFailed``.
    public func finish() throws(StreamError) {
        try encoder.finish { (packet) throws(StreamError) in try muxer.write(packet) }
        try muxer.end()
    }
}
