import MediaIO

extension WallScene.Tile {
    /// Plans the effects for the placement unless they are planned already.
    package mutating func plan() {
        let area = placement.destination
        let key = EffectPlan.Key(
            chain: effects, size: VideoSize(width: max(1, area.width), height: max(1, area.height)),
            part: SIMD4(placement.visibleX, placement.visibleY, placement.visibleWidth, placement.visibleHeight))
        guard key != effectPlan.key else { return }
        effectPlan = effects.isEmpty ? EffectPlan() : EffectPlan(key, foldsIntoPicture: true)
    }

    /// Keeps only the privacy masks of the effects.
    package mutating func keepOnlyMasks() {
        effects.steps.removeAll { !$0.isOn || $0.effect.kernel != .privacyMask }
        plan()
    }

    /// Whether it has effects that only OpenGL draws.
    package var needsShaders: Bool { !effects.isEmpty && !effectPlan.isOfKernels }
}

/// For renderers that draw tiles with effects separately from the others.
extension WallScene {
    /// A scene of one of its tiles alone, as large as that tile's picture.
    ///
    /// - Parameters:
    ///   - tile: the tile, which may differ from the scene's.
    ///   - originals: the tiles that differ in the scene, because a stage has replaced them.
    /// - Returns: a scene with all tiles, of which only this one is visible; others have frames if its effects read
    ///   them.
    package func alone(_ tile: Tile, originals: [WallTile.ID: Tile]) -> WallScene {
        var scene = self
        let area = tile.placement.destination
        let bounds = Rectangle(x: 0, y: 0, width: max(1, area.width), height: max(1, area.height))
        scene.size = VideoSize(width: bounds.width, height: bounds.height)
        (scene.effects, scene.effectPlan, scene.effectBudget, scene.overlays) = (EffectChain(), EffectPlan(), nil, [])
        var read: Set<Int> = []
        for step in tile.effects.steps { for case .tile(let number) in step.values { read.insert(number - 1) } }
        for index in tiles.indices {
            let isOwn = tiles[index].id == tile.id
            var shown = isOwn ? tile : originals[tiles[index].id] ?? tiles[index]
            shown.overlays = []
            shown.rectangle = isOwn ? bounds : Rectangle(x: 0, y: 0, width: 0, height: 0)
            if isOwn { shown.placement.destination = bounds } else if !read.contains(index) { shown.frame = nil }
            scene.tiles[index] = shown
        }
        return scene
    }

    /// Whether anything that is visible has effects that only OpenGL draws.
    package var needsShaders: Bool {
        if !effects.isEmpty { return true }
        // By index: without optimisation, an array's iterator allocates.
        for index in tiles.indices where tiles[index].isVisible && tiles[index].needsShaders { return true }
        return false
    }

    /// Hides the tiles without such effects, which effects may still read, and removes all overlays.
    package mutating func showOnlyEffects() {
        for index in tiles.indices {
            if !tiles[index].needsShaders {
                tiles[index].rectangle = Rectangle(x: 0, y: 0, width: 0, height: 0)
            }
            tiles[index].overlays = []
        }
        overlays = []
    }
}
