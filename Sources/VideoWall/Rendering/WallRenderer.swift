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

    /// The counts for a tile; zeros if the last scene did not have it.
    func report(on tile: WallTile.ID) -> TileReport

    /// Memory from which the renderer takes frames without a copy by the CPU; `nil` if all memory is equally good.
    var frameMemory: (any FrameMemory)? { get }

    /// Draws tiles with effects at a pace of their own; `nil` if every picture waits for its effects.
    var effectStage: (any EffectStage)? { get }

    /// How long the GPU has worked so far, measured by the GPU itself; `nil` where the CPU draws.
    ///
    /// Not every picture is measured, and a result is available only some pictures later.
    var passTimes: PassTimes? { get }

    /// How frames reach the GPU, and why so, for people; `nil` where the CPU draws.
    var uploadDescription: (method: String, reason: String)? { get }

    /// Makes room in ``frameMemory``, if there is one, before it is needed.
    ///
    /// **Cost:** rare.
    func reserveFrameMemory(byteCount: Int) throws(RenderingError)

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

    /// Copies the picture into memory in its own format, with alpha 1; waits for the GPU.
    ///
    /// **Cost:** every frame if frames are read back.
    /// - Parameters:
    ///   - bytes: memory for `height` rows.
    ///   - bytesPerRow: a multiple of ``PictureFormat/bytesPerPixel``, at least `width` times that.
    /// - Throws: ``RenderingError`` if the picture is lost.
    func readPixels(into bytes: UnsafeMutableRawBufferPointer, bytesPerRow: Int) throws(RenderingError)

    /// Converts the picture to YCbCr with 4:2:0 and copies the planes into a buffer of `pool`; waits for the GPU.
    ///
    /// Chroma is the mean of the four pixels that share it: ``ChromaLocation/center``.
    ///
    /// **Cost:** every frame if frames are read back.
    /// - Parameters:
    ///   - format: ``PixelFormat/i420``, or ``PixelFormat/i010``, best from a picture of ``PictureFormat/rgb10a2``.
    ///   - colorSpace: the matrix and range to convert with; primaries and transfer function stay those of the wall.
    ///   - pool: lends the buffer.
    /// - Returns: a buffer of that format.
    /// - Throws: ``RenderingError`` if the picture is lost, or for another format.
    func readPlanes(
        as format: PixelFormat, colorSpace: ColorSpace, pool: PixelBufferPool
    ) throws(RenderingError) -> PixelBuffer
}

extension OffscreenTarget {
    /// Converts the picture to I420: see ``readPlanes(as:colorSpace:pool:)``.
    public func readI420(colorSpace: ColorSpace, pool: PixelBufferPool) throws(RenderingError) -> PixelBuffer {
        try readPlanes(as: .i420, colorSpace: colorSpace, pool: pool)
    }

    /// Copies the picture into a new array without padding, in its own format, with alpha 1; waits for the GPU.
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
    /// `nil`, the default for renderers that draw on the CPU.
    public var uploadDescription: (method: String, reason: String)? { nil }

    /// Does nothing, the default for renderers without ``frameMemory``.
    public func reserveFrameMemory(byteCount: Int) throws(RenderingError) {}

    /// `nil`, the default for renderers to which all memory is equally good.
    public var frameMemory: (any FrameMemory)? { nil }

    /// `nil`, the default: every picture waits.
    public var effectStage: (any EffectStage)? { nil }

    /// `nil`, the default for renderers that do not measure.
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
        try render(wall, into: target) { _ in }
    }

    /// Updates a wall once and draws it, with overlays of its own that are made for the new scene.
    ///
    /// - Parameters:
    ///   - wall: the wall to draw, in the target's size.
    ///   - target: a target of this renderer.
    ///   - overlay: may change ``Wall/overlay`` and ``Wall/overlays``; gets whether anything has changed on the wall.
    /// - Returns: whether anything was drawn.
    /// - Throws: ``RenderingError`` if nothing can be drawn any more.
    @discardableResult
    package func render(
        _ wall: Wall, into target: any RenderTarget, overlay: (_ isNew: Bool) -> Void
    ) throws(RenderingError) -> Bool {
        wall.frameMemory = frameMemory
        wall.effectStage = effectStage
        overlay(wall.update(size: target.size))
        wall.updateOverlays()
        var isDrawn = try render(wall.scene, into: target)
        // Show errors of this picture in the same picture.
        if isDrawn || wall.hasStageNews, wall.note(reportsOf: self) {
            wall.update(size: target.size)
            isDrawn = try render(wall.scene, into: target) || isDrawn
        }
        return isDrawn
    }
}
