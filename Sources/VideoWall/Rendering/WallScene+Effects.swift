import MediaIO

/// For renderers that draw tiles with effects separately from the others.
extension WallScene {
    /// Whether anything that is visible has effects.
    package var hasEffects: Bool {
        if !effects.isEmpty { return true }
        // By index: without optimisation, an array's iterator allocates.
        for index in tiles.indices where tiles[index].isVisible && !tiles[index].effects.isEmpty { return true }
        return false
    }

    /// Hides the tiles without effects, which effects may still read, and removes all overlays.
    package mutating func showOnlyEffects() {
        for index in tiles.indices {
            if tiles[index].effects.isEmpty {
                tiles[index].rectangle = Rectangle(x: 0, y: 0, width: 0, height: 0)
            }
            tiles[index].overlays = []
        }
        overlays = []
    }
}
