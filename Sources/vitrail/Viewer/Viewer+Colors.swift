import Logging
import MediaIO
import VideoWall
import WindowGL

/// Trying out colours, and looking at single pixels.
extension Viewer {
    /// Changes a colour setting of a tile.
    func turn(_ knob: ColorKnob, _ words: ActionWords) throws(ProgramError) {
        try words.none()
        let tile = try target(words)
        guard var frame = tile.frame else { return overlay.show("no frame yet", over: tile, now: clock.now) }
        let result: String
        if let id = inputID(of: tile), let own = input(of: tile)?.stream.ownAttributes(of: tile), let entry = shown[id]
        {
            // What the options set is not the stream's own.
            frame.attributes = own
            var override = ColorOverride(entry.input.settings)
            result = knob.turn(&override, frame)
            try editInput(words) { override.write(to: &$0.settings) }
        } else {
            result = knob.turn(&tile.colorOverride, frame)
        }
        overlay.show(result, over: tile, now: clock.now)
        logger.info("\(tile.title): \(result).")
    }

    /// Shows or hides the line about the pixel under the mouse.
    func setInspector(_ isOn: Bool) {
        isInspecting = isOn
        mustInspect = isInspecting
        overlay.pixel = nil
    }

    /// Records the position of the mouse; `nil` outside the window.
    func point(at place: WindowEvent.MousePosition?) {
        mouse = place
        wall.mouse = place.map { SIMD2($0.x, $0.y) }
        mustInspect = isInspecting
    }

    /// Updates the texts over the wall.
    ///
    /// - Parameter isNew: whether something on the wall has changed.
    func refreshOverlay(_ isNew: Bool) {
        overlay.expire(now: clock.now)
        if isInspecting, isNew || mustInspect { overlay.pixel = inspected }
        mustInspect = false
        wall.overlay = overlay.pixel
        if let painter = wall.text {
            wall.overlays =
                firstOverlays(painter) + pastOverlays(wall.scene, painter) + overlay.images(on: wall.scene, painter)
                + handOverlays(wall.scene, painter)
        }
    }

    /// The only visible tile, or else the one under the mouse.
    var pointedTile: WallTile? {
        if let focus = wall.focus.flatMap(wall.tile) { return focus }
        if let selected = hands.selected.flatMap(wall.tile) { return selected }
        return wall.tiles.count == 1 ? wall.tiles[0] : mouse.flatMap { wall.tile(atX: $0.x, y: $0.y) }
    }

    private var inspected: String {
        guard let mouse else { return PixelInspector.line(nil) }
        do throws(RenderingError) {
            let sample = try renderer.sample(
                atX: Int(mouse.x.rounded(.down)), y: Int(mouse.y.rounded(.down)), of: wall.scene)
            return PixelInspector.line(
                sample, name: sample.flatMap { wall.tiles.count > 1 ? wall.tile($0.tile)?.title : nil })
        } catch {
            return error.description
        }
    }
}

extension ColorOverride {
    /// Reads the options of an input.
    init(_ settings: [InputOption: String]) {
        self.init(
            matrix: settings[.matrix].flatMap(ColorSpace.Matrix.init(rawValue:)),
            range: settings[.range].flatMap(ColorSpace.Range.init(rawValue:)),
            chromaLocation: settings[.chroma].flatMap(ChromaLocation.init(rawValue:)),
            swapsChroma: settings[.swapuv] == "yes")
    }

    /// Sets the options of an input.
    func write(to settings: inout [InputOption: String]) {
        (settings[.matrix], settings[.range]) = (matrix?.rawValue, range?.rawValue)
        settings[.chroma] = chromaLocation?.rawValue
        settings[.swapuv] = swapsChroma ? "yes" : nil
    }
}
