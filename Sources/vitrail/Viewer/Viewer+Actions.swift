import VideoWall
import WallRendering
import WindowGL

/// What keys and the mouse do.
extension Viewer {
    /// Does what a key, the mouse or a dropped file asks for.
    func perform(_ action: ViewerAction) {
        switch action {
        case .quit: isDone = true
        case .leave: leave()
        case .remove: removePointedTile()
        case .toggleFullscreen: window.isFullscreen.toggle()
        case .togglePause: togglePause()
        case .snapshot: snapshot()
        case .toggleStatistics: toggleStatistics()
        case .focus(let index): toggleFocus(wall.tiles.indices.contains(index) ? wall.tiles[index] : nil)
        case .moveFocus(let step): setFocus(wall.tile(step, from: wall.focus))
        case .showAll: setFocus(nil)
        case .focusAt(let place): toggleFocus(wall.tile(atX: place.x, y: place.y))
        case .turn(let knob): turn(knob)
        case .turnEffects(let turn): self.turn(turn)
        case .turnCamera(let turn): self.turn(turn)
        case .savePreset: savePreset(presetPath)
        case .toggleInspector: toggleInspector()
        case .pointAt(let place): point(at: place)
        case .pointAtNothing: point(at: nil)
        case .add(let paths): add(paths: paths)
        case .redraw: screen.target.invalidate()
        }
    }

    /// Shows all tiles if only one is shown, or else leaves fullscreen.
    private func leave() {
        if wall.focus != nil, wall.tiles.count > 1 { setFocus(nil) } else { window.isFullscreen = false }
    }

    /// Shows only one tile, or all if it is the only one already; ignores `nil`.
    private func toggleFocus(_ tile: WallTile?) {
        guard let tile else { return }
        setFocus(wall.focus == tile.id ? nil : tile)
    }

    /// Shows only one tile, or all for `nil`.
    func setFocus(_ tile: WallTile?) {
        wall.focus = tile?.id
        // Begin new rates, because other streams are visible now.
        if statistics != nil { statistics = WallStatistics() }
    }

    private func togglePause() {
        isPaused.toggle()
        window.title = isPaused ? "\(title) (paused)" : title
        for input in inputs { input.stream.setPaused(isPaused) }
    }
}
