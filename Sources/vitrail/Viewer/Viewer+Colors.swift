import Logging
import MediaIO
import VideoWall
import WindowGL

/// Trying out colours, and looking at single pixels.
extension Viewer {
    /// Changes a colour setting of the only visible tile, or else of the one under the mouse.
    func turn(_ knob: ColorKnob) {
        guard let tile = pointedTile else { return overlay.show("Point at a tile first.", now: clock.now) }
        let name = wall.tiles.count > 1 ? "\(tile.name): " : ""
        guard let frame = tile.frame else { return overlay.show("\(name)no frame yet", now: clock.now) }
        let said = knob.turn(&tile.colorOverride, frame)
        overlay.show(name + said, now: clock.now)
        logger.info("\(tile.name): \(said).")
    }

    /// Shows or hides the line about the pixel under the mouse.
    func toggleInspector() {
        isInspecting.toggle()
        mustInspect = isInspecting
        overlay.pixel = nil
    }

    /// Records the position of the mouse.
    func point(at place: WindowEvent.MousePosition) {
        mouse = place
        wall.mouse = SIMD2(place.x, place.y)
        mustInspect = isInspecting
    }

    /// Updates the lines over the wall.
    ///
    /// - Parameter isNew: whether something on the wall has changed.
    func refreshOverlay(_ isNew: Bool) {
        overlay.expire(now: clock.now)
        if isInspecting, isNew || mustInspect { overlay.pixel = inspected }
        mustInspect = false
        wall.overlay = overlay.text
    }

    /// The only visible tile, or else the one under the mouse.
    var pointedTile: WallTile? {
        if let focus = wall.focus.flatMap(wall.tile) { return focus }
        return wall.tiles.count == 1 ? wall.tiles[0] : mouse.flatMap { wall.tile(atX: $0.x, y: $0.y) }
    }

    private var inspected: String {
        guard let mouse else { return PixelInspector.line(nil) }
        do throws(RenderingError) {
            let sample = try renderer.sample(
                atX: Int(mouse.x.rounded(.down)), y: Int(mouse.y.rounded(.down)), of: wall.scene)
            return PixelInspector.line(
                sample, name: sample.flatMap { wall.tiles.count > 1 ? wall.tile($0.tile)?.name : nil })
        } catch {
            return error.description
        }
    }
}
