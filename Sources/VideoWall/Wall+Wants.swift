import MediaIO

/// What the tiles want, so that sources make no frames that are not visible.
extension Wall {
    /// Passes on what each tile wants, if that has changed.
    ///
    /// **Cost:** every frame; if nothing has changed, a few comparisons per tile.
    func tellWants() {
        for index in entries.indices {
            let wants = isVisible ? wants(ofTile: index) : .nothing
            guard wants != entries[index].wants else { continue }
            entries[index].wants = wants
            entries[index].claim?.want(wants)
        }
    }

    private func wants(ofTile index: Int) -> VideoSinkWants {
        // A tile that another tile's effect reads may be shown larger there, so it has no limit.
        if entries[index].isRead { return VideoSinkWants(memory: frameMemory) }
        // Those at the end of a transition, so that sources do not change the size of their frames during it.
        let target = entries[index].target
        guard isInPart(target) else { return .nothing }
        let tile = entries[index].tile
        let placement =
            scene.tiles[index].rectangle == target
            ? scene.tiles[index].placement : tile.contentMode.place(aspectRatio: tile.aspectRatio, in: target)
        let needed = scene.tiles[index].neededPixels(placement)
        // While a window is resized, sources should rarely change the size of their frames. So a limit stays as long as
        // it is enough and less than twice what is needed; one that is too small grows to 1.5 times what is needed.
        let old = entries[index].wants?.maximumPixels
        let isEnough = old.map { needed <= $0 && needed > $0 / 2 } ?? false
        let isGrowing = old.map { needed > $0 } ?? false
        return VideoSinkWants(
            maximumPixels: isEnough ? old : isGrowing ? needed + needed / 2 : needed, memory: frameMemory)
    }
}

extension WallScene.Tile {
    /// The number of pixels that the whole frame needs to be drawn at a scale of 1; at least 1.
    fileprivate func neededPixels(_ placement: ContentMode.Placement) -> Int {
        // As floating-point numbers: the sides may be of any size.
        let area = Double(placement.destination.width) * Double(placement.destination.height)
        var pixels = area / max(placement.visibleWidth * placement.visibleHeight, 1e-3)
        if let frame {
            let visible = frame.visibleRectangle
            pixels *= Double(frame.image.size.width) * Double(frame.image.size.height)
            pixels /= max(1, Double(visible.width) * Double(visible.height))
        }
        return Int(min(max(pixels, 1), 1e9).rounded(.up))
    }
}
