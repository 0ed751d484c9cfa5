/// The pixels of a frame, in one of several kinds of memory.
///
/// Every kind has ``mapped()``, for sinks and renderers that do not support it directly.
///
/// **Thread:** any. **Cost:** a copy is a retain.
public enum FrameImage: Sendable {
    /// Planes in memory that the CPU can read.
    case planes(PixelBuffer)
    /// Memory shared with devices, such as a camera or a hardware decoder (a Linux DMA-BUF).
    case dmaBuffer(DMABufferImage)
    /// Textures of an OpenGL context.
    case texture(TextureImage)
    /// An encoded packet, which must be decoded first.
    case encoded(EncodedPacket)

    /// The size in memory, in pixels; that of a packet as its track states it, 0 × 0 if it does not.
    public var size: VideoSize {
        switch self {
        case .planes(let buffer): buffer.size
        case .dmaBuffer(let image): image.size
        case .texture(let image): image.size
        case .encoded(let packet): packet.track.size ?? VideoSize(width: 0, height: 0)
        }
    }

    /// The pixel format, or `nil` if it is not a ``PixelFormat``.
    public var format: PixelFormat? {
        switch self {
        case .planes(let buffer): buffer.format
        case .dmaBuffer(let image): image.format
        case .texture(let image): image.format
        case .encoded: nil
        }
    }

    /// Whether the image is in that kind of memory.
    ///
    /// **Cost:** allocates nothing.
    public func isOf(_ kind: BufferKind) -> Bool {
        switch (self, kind) {
        case (.planes(let buffer), .rawData): buffer.rawLayout != nil
        case (.planes, .pixelBuffer), (.texture, .texture), (.dmaBuffer, .dmaBuffer), (.encoded, .encoded): true
        case (.planes, _), (.dmaBuffer, _), (.texture, _), (.encoded, _): false
        }
    }

    /// Maps the image to planes that the CPU can read, without a copy.
    ///
    /// The planes retain the image: it is released with the last of them.
    ///
    /// **Cost:** nothing for planes; four system calls per plane for a DMA-BUF.
    /// - Throws: ``StreamError/Code/unsupported``, with what to do instead, for a texture, for an encoded packet, and
    ///   for a DMA-BUF that is tiled or whose format is not a ``PixelFormat``; ``StreamError/Code/tooShort`` for a
    ///   DMA-BUF that ends before its last sample; ``StreamError/Code/readFailed`` if the system cannot map it.
    public func mapped() throws(StreamError) -> PixelBuffer {
        switch self {
        case .planes(let buffer): buffer
        case .dmaBuffer(let image): try image.mapped()
        case .texture:
            throw StreamError(
                .unsupported,
                "A texture cannot be read without its OpenGL context: read it back there (glReadPixels) and pass the "
                    + "planes, or use a renderer that shares textures with that context.")
        case .encoded(let packet):
            throw StreamError(
                .unsupported,
                "A packet of \(packet.codec.rawValue) has no pixels yet: put a DecodingSource around its source.")
        }
    }
}
