import MediaIO
import VideoWall

/// What has effects, drawn by another renderer, and read back.
final class EffectPicture {
    private let renderer: any WallRenderer
    private var picture: (any OffscreenTarget)?
    private var memory: [UInt8] = []

    init(_ renderer: any WallRenderer) { self.renderer = renderer }

    /// Draws the parts of a scene that have effects, and copies them into a picture.
    ///
    /// - Parameters:
    ///   - scene: the scene.
    ///   - target: the picture.
    /// - Returns: whether the whole scene was drawn.
    /// - Throws: what the renderer throws.
    func draw(_ scene: WallScene, into target: PictureMemory) throws(RenderingError) -> Bool {
        let isWhole = !scene.effects.isEmpty
        var shown = scene
        if !isWhole { shown.showOnlyEffects() }
        let picture = try picture(target.size, target.format)
        if try renderer.render(shown, into: picture) || memory.isEmpty { try readBack(picture) }
        if isWhole {
            copy(scene.bounds, to: target)
        } else {
            for index in scene.tiles.indices where scene.tiles[index].isVisible && !scene.tiles[index].effects.isEmpty {
                copy(scene.tiles[index].rectangle.intersection(scene.bounds), to: target)
            }
        }
        return isWhole
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

    private func copy(_ area: Rectangle, to target: PictureMemory) {
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
