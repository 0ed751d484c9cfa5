public import GL
public import MediaIO

/// A picture in the GPU's memory to draw a wall into and to read back; its first row is the top one.
///
/// **Thread:** render thread.
public final class OffscreenPicture {
    /// The size in pixels.
    public let size: VideoSize
    private let context: GLContext
    private let framebuffer: Framebuffer
    private var encoder: PlaneEncoder?

    /// Allocates a picture with undefined content.
    ///
    /// **Cost:** rare.
    /// - Throws: ``RenderingError`` when the size is above the driver's `GL_MAX_TEXTURE_SIZE`, with that number.
    public init(context: GLContext, size: VideoSize) throws(RenderingError) {
        do throws(GLError) {
            try context.use()
            framebuffer = try Framebuffer(context, .rgba8, width: size.width, height: size.height)
        } catch {
            throw RenderingError(error)
        }
        self.context = context
        self.size = size
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
        try wall.draw(size, topIsFirstRow: true)
    }

    /// Copies the picture into memory as RGBA, 8 bits each, alpha 255; waits for the GPU.
    ///
    /// **Cost:** every frame, where one reads back.
    /// - Parameters:
    ///   - bytes: room for `height` rows.
    ///   - bytesPerRow: a multiple of 4, at least `width` × 4.
    /// - Throws: ``RenderingError`` when the context is lost.
    public func readPixels(into bytes: UnsafeMutableRawBufferPointer, bytesPerRow: Int) throws(RenderingError) {
        try read { framebuffer.readPixels(into: bytes, bytesPerRow: bytesPerRow) }
    }

    /// Copies the picture into a new array: `width` × `height` × 4 bytes of RGBA, alpha 255; waits for the GPU.
    ///
    /// **Cost:** rare: it allocates. ``readPixels(into:bytesPerRow:)`` does not.
    public func readPixels() throws(RenderingError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: size.width * size.height * 4)
        try read { bytes.withUnsafeMutableBytes { framebuffer.readPixels(into: $0, bytesPerRow: size.width * 4) } }
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
        do throws(PixelBufferError) {
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
