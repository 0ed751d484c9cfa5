public import MediaIO

/// Draws scenes of a wall: on a GPU, or on the CPU.
///
/// It keeps what it needs of each tile by the tile's identity, and releases it when a scene comes without that tile. One
/// renderer draws one wall; several walls are several renderers.
///
/// **Thread:** render thread: the one that made it.
public protocol WallRenderer: AnyObject {
    /// Who draws, for people: the GPU's name, or that of the software which stands in for one.
    var name: String { get }

    /// The largest side, in pixels, of a frame and of a target.
    var maximumSide: Int { get }

    /// Draws what the target does not show yet: all of the scene, or the parts that have changed, or nothing.
    ///
    /// What goes wrong with one stream is in its ``report(on:)``; the others are drawn.
    ///
    /// **Cost:** every frame; nothing is uploaded for a tile that has not changed, and nothing drawn where the target keeps
    /// its pixels.
    /// - Parameters:
    ///   - scene: what to draw; of the target's size.
    ///   - target: made by this renderer.
    /// - Returns: whether anything was drawn.
    /// - Throws: ``RenderingError`` when nothing can be drawn any more, as when a context is lost.
    @discardableResult
    func render(_ scene: WallScene, into target: any RenderTarget) throws(RenderingError) -> Bool

    /// Allocates a picture to draw into, with undefined content.
    ///
    /// **Cost:** rare.
    /// - Throws: ``RenderingError`` when the size is beyond ``maximumSide``, with that number.
    func makeOffscreenTarget(size: VideoSize, format: PictureFormat) throws(RenderingError) -> any OffscreenTarget

    /// What was done with a tile so far.
    func report(on tile: WallTile.ID) -> TileReport

    /// What is at a pixel of a scene: the samples of the picture, and the colour that is drawn.
    ///
    /// Overlays do not count. Waits for the GPU.
    ///
    /// **Cost:** rare; where it is never asked for, nothing.
    /// - Parameters:
    ///   - x: of the pixel, from the left.
    ///   - y: of the pixel, downwards.
    ///   - scene: one that was rendered.
    /// - Returns: `nil` where there is no picture.
    /// - Throws: ``RenderingError`` when nothing can be drawn any more.
    func sample(atX x: Int, y: Int, of scene: WallScene) throws(RenderingError) -> PixelSample?
}

/// What a renderer draws into.
///
/// **Thread:** render thread.
public protocol RenderTarget: AnyObject {
    /// The size in pixels.
    var size: VideoSize { get }

    /// Has everything drawn anew next time, because what was there is lost.
    func invalidate()
}

/// A picture in memory, or in the GPU's, that can be read back; its first row is the top one.
///
/// **Thread:** render thread.
public protocol OffscreenTarget: RenderTarget {
    /// What a pixel is made of.
    var format: PictureFormat { get }

    /// Copies the picture into memory in its own format, opaque; waits for the GPU.
    ///
    /// **Cost:** every frame, where one reads back.
    /// - Parameters:
    ///   - bytes: room for `height` rows.
    ///   - bytesPerRow: a multiple of ``PictureFormat/bytesPerPixel``, at least `width` times that.
    /// - Throws: ``RenderingError`` when the picture is lost.
    func readPixels(into bytes: UnsafeMutableRawBufferPointer, bytesPerRow: Int) throws(RenderingError)

    /// Converts the picture to I420 and copies the planes into a buffer of `pool`; waits for the GPU.
    ///
    /// Chroma is the mean of the four pixels that share it: ``ChromaLocation/center``.
    ///
    /// **Cost:** every frame, where one reads back.
    func readI420(colorSpace: ColorSpace, pool: PixelBufferPool) throws(RenderingError) -> PixelBuffer
}

extension OffscreenTarget {
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
    /// Allocates a picture of 8 bits a component to draw into, with undefined content.
    public func makeOffscreenTarget(size: VideoSize) throws(RenderingError) -> any OffscreenTarget {
        try makeOffscreenTarget(size: size, format: .rgba8)
    }

    /// Brings a wall up to date and draws it: takes the newest frames, renders, and lets each tile say what went wrong.
    ///
    /// - Parameters:
    ///   - wall: what to draw, in the target's size.
    ///   - target: made by this renderer.
    /// - Returns: whether anything was drawn.
    /// - Throws: ``RenderingError`` when nothing can be drawn any more.
    @discardableResult
    public func render(_ wall: Wall, into target: any RenderTarget) throws(RenderingError) -> Bool {
        wall.update(size: target.size)
        var isDrawn = try render(wall.scene, into: target)
        // A frame that could not be drawn is said on its tile in the same picture.
        if isDrawn, wall.note(reportsOf: self) {
            wall.update(size: target.size)
            isDrawn = try render(wall.scene, into: target) || isDrawn
        }
        return isDrawn
    }
}
