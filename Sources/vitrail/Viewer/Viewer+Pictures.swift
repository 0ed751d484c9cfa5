import MediaIO
import VideoWall

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
