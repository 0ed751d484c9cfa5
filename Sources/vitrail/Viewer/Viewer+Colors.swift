import Logging
import MediaIO
import VideoRendering
import WindowGL

/// Trying out colours, and looking at single pixels.
extension Viewer {
    /// Turns a knob of the tile that is shown alone, or else is the only one, or else is under the mouse.
    func turn(_ knob: ColorKnob) {
        guard let tile = pointedTile else { return overlay.show("Point at a picture first.", now: clock.now) }
        let name = wall.tiles.count > 1 ? "\(tile.name): " : ""
        guard let colors = tile.pictureColors else {
            return overlay.show("\(name)no picture yet", now: clock.now)
        }
        let said = knob.turn(&tile.colorOverride, colors)
        overlay.show(name + said, now: clock.now)
        logger.info("\(tile.name): \(said).")
    }

    /// Shows or hides the line about the pixel under the mouse.
    func toggleInspector() {
        isInspecting.toggle()
        mustInspect = isInspecting
        overlay.pixel = nil
    }

    /// Takes note of where the mouse is.
    func point(at place: WindowEvent.MousePosition) {
        mouse = place
        mustInspect = isInspecting
    }

    /// Brings the lines over the wall up to date.
    ///
    /// - Parameter isNew: whether something on the wall has changed.
    func refreshOverlay(_ isNew: Bool) {
        overlay.expire(now: clock.now)
        if isInspecting, isNew || mustInspect || mustDraw { overlay.pixel = inspected }
        mustInspect = false
        let text = overlay.text
        // Text that stays the same is no reason to draw, however far the mouse has gone.
        guard text != wall.overlay else { return }
        wall.overlay = text
        mustDraw = true
    }

    private var pointedTile: StreamTile? {
        let index = wall.focus ?? (wall.tiles.count == 1 ? 0 : mouse.flatMap { wall.tile(atX: $0.x, y: $0.y) })
        return index.flatMap { wall.tiles.indices.contains($0) ? wall.tiles[$0] : nil }
    }

    private var inspected: String {
        let size = window.framebufferSize
        guard let mouse, size.width > 0, size.height > 0 else { return PixelInspector.line(nil) }
        do throws(RenderingError) {
            let sample = try wall.sample(
                atX: Int(mouse.x.rounded(.down)), y: Int(mouse.y.rounded(.down)),
                in: VideoSize(width: size.width, height: size.height))
            return PixelInspector.line(
                sample, name: sample.flatMap { wall.tiles.count > 1 ? wall.tiles[$0.tile].name : nil })
        } catch {
            return error.description
        }
    }
}
