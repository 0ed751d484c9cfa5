import MediaIO

/// Saying what the tiles want, so that nothing is made which nobody sees.
extension Wall {
    /// Says what each tile wants, where that has changed.
    ///
    /// **Cost:** every frame; where nothing has changed, a few comparisons a tile.
    func tellWants() {
        for index in entries.indices {
            let wants = isVisible ? wants(ofTile: index) : .nothing
            guard wants != entries[index].wants else { continue }
            entries[index].wants = wants
            entries[index].claim?.want(wants)
        }
    }

    private func wants(ofTile index: Int) -> VideoSinkWants {
        guard scene.tiles[index].isVisible else { return .nothing }
        let needed = scene.tiles[index].neededPixels
        // While a window is resized, sources are to change the size of their pictures rarely: what they make is enough
        // until half of it would do, and where it is not, they make half as much again as is needed.
        let old = entries[index].wants?.maximumPixels
        let isEnough = old.map { needed <= $0 && needed > $0 / 2 } ?? false
        let isGrowing = old.map { needed > $0 } ?? false
        return VideoSinkWants(maximumPixels: isEnough ? old : isGrowing ? needed + needed / 2 : needed)
    }
}

extension WallScene.Tile {
    /// How many pixels the whole picture has when one of them is one of the wall's; at least 1.
    fileprivate var neededPixels: Int {
        let area = Double(placement.destination.width * placement.destination.height)
        var pixels = area / max(placement.visibleWidth * placement.visibleHeight, 1e-3)
        if let frame {
            let visible = frame.visibleRectangle
            pixels *= Double(frame.image.size.width * frame.image.size.height)
            pixels /= Double(max(1, visible.width * visible.height))
        }
        return Int(min(max(pixels, 1), 1e9).rounded(.up))
    }
}
