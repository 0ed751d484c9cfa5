public import GL
public import MediaIO

/// What a pixel of an ``OffscreenPicture`` is made of.
public enum PictureFormat: Hashable, Sendable {
    /// R, G, B and A in a byte each.
    case rgba8
    /// A 32-bit word: from the low bits R, G, B with 10 bits each, A with 2.
    case rgb10a2
    /// R, G, B and A as 16-bit floating-point numbers.
    case rgba16f
    /// R, G, B and A as 32-bit floating-point numbers.
    case rgba32f

    /// Bytes of a pixel in memory.
    public var bytesPerPixel: Int { textureFormat.bytesPerTexel }

    var textureFormat: TextureFormat {
        switch self {
        case .rgba8: .rgba8
        case .rgb10a2: .rgb10a2
        case .rgba16f: .rgba16f
        case .rgba32f: .rgba32f
        }
    }

    /// Bits of a component, as far as sources are concerned: to floating-point numbers no pattern has to be added.
    var depth: Int {
        switch self {
        case .rgba8: 8
        case .rgb10a2: 10
        case .rgba16f, .rgba32f: 16
        }
    }
}

/// A picture in the GPU's memory to draw a wall into and to read back; its first row is the top one.
///
/// **Thread:** render thread.
public final class OffscreenPicture {
    /// The size in pixels.
    public let size: VideoSize
    /// What a pixel is made of.
    public let format: PictureFormat
    private let context: GLContext
    private let framebuffer: Framebuffer
    private var encoder: PlaneEncoder?

    /// Allocates a picture with undefined content.
    ///
    /// **Cost:** rare.
    /// - Throws: ``RenderingError`` when the size is above the driver's `GL_MAX_TEXTURE_SIZE`, with that number.
    public init(
        context: GLContext, size: VideoSize, format: PictureFormat = .rgba8
    ) throws(RenderingError) {
        do throws(GLError) {
            try context.use()
            framebuffer = try Framebuffer(context, format.textureFormat, width: size.width, height: size.height)
        } catch {
            throw RenderingError(error)
        }
        self.context = context
        self.size = size
        self.format = format
    }

    /// Draws a wall of the same context.
    ///
    /// Does not wait for the GPU.
    ///
    /// **Cost:** every frame.
    public func draw(_ wall: WallRenderer) throws(RenderingError) {
        precondition(wall.context === context, "A picture is drawn with the context that it was made in.")
        try wall.use()
        framebuffer.bind()
        try wall.draw(size, topIsFirstRow: true, depth: format.depth)
    }

    /// Copies the picture into memory in its own format, opaque; waits for the GPU.
    ///
    /// **Cost:** every frame, where one reads back.
    /// - Parameters:
    ///   - bytes: room for `height` rows.
    ///   - bytesPerRow: a multiple of ``PictureFormat/bytesPerPixel``, at least `width` times that.
    /// - Throws: ``RenderingError`` when the context is lost.
    public func readPixels(into bytes: UnsafeMutableRawBufferPointer, bytesPerRow: Int) throws(RenderingError) {
        try read { framebuffer.readPixels(into: bytes, bytesPerRow: bytesPerRow) }
    }

    /// Copies the picture into a new array without padding, in its own format, opaque; waits for the GPU.
    ///
    /// **Cost:** rare: it allocates. ``readPixels(into:bytesPerRow:)`` does not.
    public func readPixels() throws(RenderingError) -> [UInt8] {
        let bytesPerRow = size.width * format.bytesPerPixel
        var bytes = [UInt8](repeating: 0, count: bytesPerRow * size.height)
        try read { bytes.withUnsafeMutableBytes { framebuffer.readPixels(into: $0, bytesPerRow: bytesPerRow) } }
        return bytes
    }

    /// Converts the picture to I420 on the GPU and copies the planes into a buffer of `pool`; waits for the GPU.
    ///
    /// Chroma is the mean of the four pixels that share it: ``ChromaLocation/center``.
    ///
    /// **Cost:** every frame, where one reads back.
    public func readI420(colorSpace: ColorSpace, pool: PixelBufferPool) throws(RenderingError) -> PixelBuffer {
        do throws(GLError) {
            try context.use()
            if encoder == nil { encoder = try PlaneEncoder(context, size) }
            encoder?.encode(framebuffer.texture, .encoding(colorSpace))
        } catch {
            throw RenderingError(error)
        }
        let buffer: PixelBuffer
        do throws(StreamError) {
            buffer = try pool.makeBuffer(format: .i420, size: size) { encoder?.read(into: $0) }
        } catch {
            throw RenderingError(error)
        }
        try check()
        return buffer
    }

    private func read(_ copy: () -> Void) throws(RenderingError) {
        do throws(GLError) { try context.use() } catch { throw RenderingError(error) }
        copy()
        try check()
    }

    /// In debug builds, throws what the driver complains of.
    private func check() throws(RenderingError) {
        #if DEBUG
            do throws(GLError) { try context.check("Reading the picture back") } catch { throw RenderingError(error) }
        #endif
    }
}
