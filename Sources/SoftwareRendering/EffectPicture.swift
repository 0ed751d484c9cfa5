import FrameConversion
import MediaIO
import VideoWall

/// Draws tiles that have effects with another renderer, and reads the picture back.
///
/// **Thread:** render thread; only ``copy(_:to:)`` on any.
final class EffectPicture: @unchecked Sendable {
    // Unchecked: the pixels are written before threads copy them.
    private let renderer: any WallRenderer
    private var picture: (any OffscreenTarget)?
    private var memory: [UInt8] = []

    init(_ renderer: any WallRenderer) { self.renderer = renderer }

    /// Draws the tiles that have effects, or everything if the whole wall has effects.
    ///
    /// - Parameters:
    ///   - scene: the scene.
    ///   - format: the format of its picture.
    /// - Throws: what the renderer throws.
    func draw(_ scene: WallScene, _ format: PictureFormat) throws(RenderingError) {
        var shown = scene
        if scene.effects.isEmpty { shown.showOnlyEffects() }
        let picture = try picture(scene.size, format)
        if try renderer.render(shown, into: picture) || memory.isEmpty { try readBack(picture) }
    }

    /// Samples a pixel with its effects.
    func sample(atX x: Int, y: Int, of scene: WallScene) throws(RenderingError) -> PixelSample? {
        try renderer.sample(atX: x, y: y, of: scene)
    }

    /// The renderer's counts for a tile.
    func report(on tile: WallTile.ID) -> TileReport { renderer.report(on: tile) }

    private func picture(_ size: VideoSize, _ format: PictureFormat) throws(RenderingError) -> any OffscreenTarget {
        if let picture, picture.size == size, picture.format == format { return picture }
        let made = try renderer.makeOffscreenTarget(size: size, format: format)
        picture = made
        memory = []
        return made
    }

    private func readBack(_ picture: any OffscreenTarget) throws(RenderingError) {
        let bytesPerRow = picture.size.width * picture.format.bytesPerPixel
        let count = bytesPerRow * picture.size.height
        if memory.count != count { memory = [UInt8](repeating: 0, count: count) }
        do {
            try memory.withUnsafeMutableBytes { try picture.readPixels(into: $0, bytesPerRow: bytesPerRow) }
        } catch let error as RenderingError {
            throw error
        } catch {
            throw RenderingError(.device, "\(error)")
        }
    }

    /// Copies a rectangle of what was drawn.
    func copy(_ area: Rectangle, to target: PictureMemory) {
        let pixel = target.format.bytesPerPixel
        guard area.width > 0, area.height > 0 else { return }
        memory.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            for row in area.y..<area.y + area.height {
                let from = base + (row * target.size.width + area.x) * pixel
                UnsafeMutableRawPointer(target.bytes + row * target.bytesPerRow + area.x * pixel).copyMemory(
                    from: from, byteCount: area.width * pixel)
            }
        }
    }
}
