import MediaIO
import VideoWall
import WindowGL

/// How the picture of a tile is turned and fills its tile.
extension Viewer {
    /// Turns a picture by a quarter, or to an angle.
    func rotate(_ words: ActionWords) throws(ProgramError) {
        let tile = try target(words)
        let now = tile.frame?.attributes.rotation.rawValue ?? 0
        let angle = words.words.isEmpty ? (now + 90) % 360 : try words.number(in: 0...270)
        guard VideoRotation(rawValue: angle) != nil else { throw words.refusal }
        try editInput(words) { $0.settings[.rotate] = "\(angle)" }
    }

    /// Enlarges a picture around its middle, or less.
    func zoom(_ words: ActionWords) throws(ProgramError) {
        let tile = try target(words)
        switch (words.words.count, words.first) {
        case (1, "off"): try editInput(words) { $0.zoom = nil }
        case (1, "in"), (1, "out"):
            guard let area = wall.scene.tiles.first(where: { $0.id == tile.id })?.rectangle else { return }
            let middle = WindowEvent.MousePosition(
                x: Double(area.x) + Double(area.width) / 2, y: Double(area.y) + Double(area.height) / 2)
            zoom(tile, by: words.first == "in" ? 1 : -1, at: middle)
        default: throw words.refusal
        }
    }

    /// Moves an enlarged picture by a tenth of its tile, or a tile of a free layout.
    func pan(_ words: ActionWords) throws(ProgramError) {
        let tile = try target(words)
        guard let direction = try words.choice(Direction.self) else { throw words.refusal }
        if tile.zoom == nil, wall.focus == nil, history.document.layout.kind == .free {
            return try moveFreely(tile, direction)
        }
        guard let area = wall.scene.tiles.first(where: { $0.id == tile.id })?.rectangle else { return }
        pan(tile, x: direction.step.x * Double(area.width) / 10, y: direction.step.y * Double(area.height) / 10)
    }

    /// Mirrors a picture, or no longer.
    func mirror(_ words: ActionWords) throws(ProgramError) {
        let tile = try target(words)
        let isMirrored = (tile.frame?.attributes.mirror ?? .unmirrored) != .unmirrored
        let chosen = try words.choice(VideoMirror.self) ?? (isMirrored ? .unmirrored : .horizontal)
        try editInput(words) { $0.settings[.mirror] = chosen.rawValue }
    }

    /// Changes how a picture fills its tile; without a word to the next way.
    func setContent(_ words: ActionWords) throws(ProgramError) {
        let tile = try target(words)
        let all = ContentMode.allCases
        let next = all.firstIndex(of: tile.contentMode).map { all[($0 + 1) % all.count] } ?? .fit
        let chosen = try words.choice(ContentMode.self) ?? next
        try editInput(words) { $0.settings[.content] = chosen.rawValue }
        overlay.show(chosen.rawValue, over: tile, now: clock.now)
    }
}
