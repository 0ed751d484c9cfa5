/// Where the pixels of a frame are.
///
/// Every kind answers ``mapped()``: the way out for a sink or a renderer that cannot take it as it is.
///
/// **Thread:** any. **Cost:** copying one is a retain.
public enum FrameImage: Sendable {
    /// Planes in memory that the CPU reads.
    case planes(PixelBuffer)
    /// Memory that devices share, such as a camera's or a hardware decoder's (a Linux DMA-BUF).
    case dmaBuffer(DMABufferImage)
    /// Textures of an OpenGL context.
    case texture(TextureImage)

    /// The size in memory, in pixels.
    public var size: VideoSize {
        switch self {
        case .planes(let buffer): buffer.size
        case .dmaBuffer(let image): image.size
        case .texture(let image): image.size
        }
    }

    /// How the samples lie, or `nil` where that is none of our formats.
    public var format: PixelFormat? {
        switch self {
        case .planes(let buffer): buffer.format
        case .dmaBuffer(let image): image.format
        case .texture(let image): image.format
        }
    }

    /// The image as planes that the CPU reads, without a copy.
    ///
    /// The planes keep the image: it is released when nobody holds them any more.
    ///
    /// **Cost:** nothing for planes; four system calls a plane for a DMA-BUF.
    /// - Throws: ``StreamError/Code/unsupported`` for a texture, and for a DMA-BUF that is tiled or of a format that
    ///   is none of ours, with what to do instead; ``StreamError/Code/tooShort`` for a DMA-BUF that ends before its
    ///   last sample; ``StreamError/Code/readFailed`` where the system does not map it.
    public func mapped() throws(StreamError) -> PixelBuffer {
        switch self {
        case .planes(let buffer): buffer
        case .dmaBuffer(let image): try image.mapped()
        case .texture:
            throw StreamError(
                .unsupported,
                "A texture cannot be read without its OpenGL context: read it back there (glReadPixels) and send the "
                    + "planes, or show it with a renderer that shares textures with that context.")
        }
    }
}
