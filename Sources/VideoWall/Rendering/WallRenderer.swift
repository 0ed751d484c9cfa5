public import MediaIO

/// A renderer of wall scenes, on a GPU or on the CPU.
///
/// It keeps resources for each tile by the tile's identity, and releases them when a scene does not have that tile. One
/// renderer draws one wall; several walls need several renderers.
///
/// **Thread:** render thread: the one that made it.
public protocol WallRenderer: AnyObject {
    /// The name of the GPU or of the software rasterizer, for people.
    var name: String { get }

    /// The largest side, in pixels, of a frame and of a target.
    var maximumSide: Int { get }

    /// Draws what the target does not show yet: the whole scene, the changed parts, or nothing.
    ///
    /// An error of one tile is in its ``report(on:)``; the others are drawn.
    ///
    /// **Cost:** every frame; an unchanged tile is not uploaded, and not drawn if the target keeps its pixels.
    /// - Parameters:
    ///   - scene: the scene to draw, of the target's size.
    ///   - target: a target of this renderer.
    /// - Returns: whether anything was drawn.
    /// - Throws: ``RenderingError`` if nothing can be drawn any more, for example because the context is lost.
    @discardableResult
    func render(_ scene: WallScene, into target: any RenderTarget) throws(RenderingError) -> Bool

    /// Allocates a picture to draw into, with undefined content.
    ///
    /// **Cost:** rare.
    /// - Throws: ``RenderingError`` if the size exceeds ``maximumSide``, with that number.
    func makeOffscreenTarget(size: VideoSize, format: PictureFormat) throws(RenderingError) -> any OffscreenTarget

    /// The counts for a tile so far.
    func report(on tile: WallTile.ID) -> TileReport

    /// Memory that the renderer takes frames from without a copy by the CPU; `nil` if it takes them as well from any.
    var frameMemory: (any FrameMemory)? { get }

    /// How long the GPU has worked so far, measured by the GPU itself; `nil` where the CPU draws.
    ///
    /// Not every picture is measured, and a picture only some pictures later.
    var passTimes: PassTimes? { get }

    /// Samples a pixel of a scene: the frame's samples, and the colour that is drawn.
    ///
    /// Overlays are ignored. Waits for the GPU.
    ///
    /// **Cost:** rare; nothing if it is never called.
    /// - Parameters:
    ///   - x: the column of the pixel, from the left.
    ///   - y: the row of the pixel, downwards.
    ///   - scene: a scene that was rendered.
    /// - Returns: `nil` if there is no frame at that pixel.
    /// - Throws: ``RenderingError`` if nothing can be drawn any more.
    func sample(atX x: Int, y: Int, of scene: WallScene) throws(RenderingError) -> PixelSample?
}

/// A target that a renderer draws into.
///
/// **Thread:** render thread.
public protocol RenderTarget: AnyObject {
    /// The size in pixels.
    var size: VideoSize { get }

    /// Redraws everything next time, because the content is lost.
    func invalidate()
}

/// A picture in CPU or GPU memory that can be read back; its first row is the top one.
///
/// **Thread:** render thread.
public protocol OffscreenTarget: RenderTarget {
    /// The format of its pixels.
    var format: PictureFormat { get }

    /// Copies the picture into memory in its own format, opaque; waits for the GPU.
    ///
    /// **Cost:** every frame if frames are read back.
    /// - Parameters:
    ///   - bytes: memory for `height` rows.
    ///   - bytesPerRow: a multiple of ``PictureFormat/bytesPerPixel``, at least `width` times that.
    /// - Throws: ``RenderingError`` if the picture is lost.
    func readPixels(into bytes: UnsafeMutableRawBufferPointer, bytesPerRow: Int) throws(RenderingError)

    /// Converts the picture to I420 and copies the planes into a buffer of `pool`; waits for the GPU.
    ///
    /// Chroma is the mean of the four pixels that share it: ``ChromaLocation/center``.
    ///
    /// **Cost:** every frame if frames are read back.
    func readI420(colorSpace: ColorSpace, pool: PixelBufferPool) throws(RenderingError) -> PixelBuffer

    /// OpenGL's name of the texture that the picture is in, for those who draw with it in the same context; `nil` for a
    /// picture in memory.
    ///
    /// Its first row is the top one. Drawing into the target changes it.
    var textureName: UInt32? { get }

    /// The picture as a frame for another renderer, whose context shares textures with this one's.
    ///
    ///     tile.mailbox.put(try picture.textureFrame())
    ///
    /// It has the colours of the wall that was drawn last. Nothing may be drawn into the target until the frame is
    /// released; its memory stays until then.
    ///
    /// **Cost:** every frame; some objects.
    /// - Throws: ``RenderingError`` for a picture in memory or of 32-bit floating-point numbers.
    func textureFrame() throws(RenderingError) -> VideoFrame
}

extension OffscreenTarget {
    /// None: for pictures in memory.
    public var textureName: UInt32? { nil }

    /// Refused: for pictures in memory.
    public func textureFrame() throws(RenderingError) -> VideoFrame {
        throw RenderingError(
            .device, "The picture is in memory, not in a texture: read it (readPixels), or draw it with a GLRenderer.")
    }

    /// Copies the picture into a new array without padding, in its own format, opaque; waits for the GPU.
    ///
    /// **Cost:** rare: it allocates. ``readPixels(into:bytesPerRow:)`` does not.
    public func readPixels() throws(RenderingError) -> [UInt8] {
        let bytesPerRow = size.width * format.bytesPerPixel
        var bytes = [UInt8](repeating: 0, count: bytesPerRow * size.height)
        do {
            try bytes.withUnsafeMutableBytes { try readPixels(into: $0, bytesPerRow: bytesPerRow) }
        } catch let error as RenderingError {
            throw error
        } catch {
            throw RenderingError(.device, "\(error)")
        }
        return bytes
    }
}

extension WallRenderer {
    /// None: for renderers that take frames from any memory.
    public var frameMemory: (any FrameMemory)? { nil }

    /// None: for renderers that do not measure.
    public var passTimes: PassTimes? { nil }

    /// Allocates a picture with 8 bits per component to draw into, with undefined content.
    public func makeOffscreenTarget(size: VideoSize) throws(RenderingError) -> any OffscreenTarget {
        try makeOffscreenTarget(size: size, format: .rgba8)
    }

    /// Updates a wall and draws it: takes the newest frames, renders, and shows errors on their tiles.
    ///
    /// - Parameters:
    ///   - wall: the wall to draw, in the target's size.
    ///   - target: a target of this renderer.
    /// - Returns: whether anything was drawn.
    /// - Throws: ``RenderingError`` if nothing can be drawn any more.
    @discardableResult
    public func render(_ wall: Wall, into target: any RenderTarget) throws(RenderingError) -> Bool {
        wall.frameMemory = frameMemory
        wall.update(size: target.size)
        var isDrawn = try render(wall.scene, into: target)
        // Show errors of this picture in the same picture.
        if isDrawn, wall.note(reportsOf: self) {
            wall.update(size: target.size)
            isDrawn = try render(wall.scene, into: target) || isDrawn
        }
        return isDrawn
    }
}
