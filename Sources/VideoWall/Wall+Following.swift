import MediaIO

/// A wall that shows what another one shows.
extension Wall {
    /// Shows the tiles of another wall in the same layout and look, with the same effects, at a size of its own.
    ///
    /// What belongs to the window of the other wall is left out: ``overlay`` and ``overlays``, the mouse, and whether it
    /// is visible. Tiles do not move to new places, but are there at once.
    ///
    /// **Cost:** every frame; a few comparisons if nothing has changed.
    /// - Parameter other: a wall of the same thread.
    package func follow(_ other: Wall) {
        if followed != other.arrangement {
            followed = other.arrangement
            let known = entries
            entries = other.entries.map { entry in
                known.first { $0.tile === entry.tile } ?? Entry(entry.tile)
            }
            (layout, part) = (other.layout, other.part)
            focus = other.focus
        }
        if effects != other.effects { effects = other.effects }
        if surround != other.surround { surround = other.surround }
        if colorConversion != other.colorConversion { colorConversion = other.colorConversion }
        if time != other.time { time = other.time }
        date = other.date
    }
}
