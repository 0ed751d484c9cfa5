package import MediaIO

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

    /// Draws the picture and its effects smaller, as if the tile were.
    package mutating func shrink(by factor: Double) {
        guard factor < 1 else { return }
        func scaled(_ side: Int) -> Int { max(1, Int((Double(side) * factor).rounded())) }
        placement.destination.width = scaled(placement.destination.width)
        placement.destination.height = scaled(placement.destination.height)
        effects.steps = effects.steps.map { $0.scaled(by: factor) }
        plan()
    }

    /// Whether privacy masks are among the effects that are applied.
    package var hasMasks: Bool {
        // By index: without optimisation, an array's iterator allocates.
        for index in effects.steps.indices where effects.steps[index].isMask {
            if effects.applies(index) { return true }
        }
        return false
    }

    /// Keeps only the privacy masks of the effects: see ``EffectChain/onlyMasks``.
    package mutating func keepOnlyMasks() {
        effects.steps = effects.onlyMasks.steps
        plan()
    }

    /// The same, but without what keeps pictures in memory.
    package var withoutFrame: WallScene.Tile {
        var tile = self
        (tile.frame, tile.overlays) = (nil, [])
        return tile
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
        let read = Set(tiles(readBy: tile).map(\.id))
        for index in tiles.indices {
            let isOwn = tiles[index].id == tile.id
            var shown = isOwn ? tile : originals[tiles[index].id] ?? tiles[index]
            shown.overlays = []
            shown.rectangle = isOwn ? bounds : Rectangle(x: 0, y: 0, width: 0, height: 0)
            if isOwn { shown.placement.destination = bounds } else if !read.contains(shown.id) { shown.frame = nil }
            scene.tiles[index] = shown
        }
        guard !tiles.contains(where: { $0.id == tile.id }) else { return scene }
        // It is the whole wall.
        var whole = tile
        (whole.rectangle, whole.placement.destination, whole.overlays) = (bounds, bounds, [])
        scene.order.append(scene.tiles.count)
        scene.tiles.append(whole)
        return scene
    }

    /// The tiles that the effects of a tile show.
    package func tiles(readBy tile: Tile) -> [Tile] {
        var read: [Tile] = []
        for step in tile.effects.steps {
            for case .tile(let number) in step.values where tiles.indices.contains(number - 1) {
                read.append(tiles[number - 1])
            }
        }
        return read
    }

    /// The scene without the effects and the overlays of the whole wall.
    package var withoutWhole: WallScene {
        var scene = self
        (scene.effects, scene.effectPlan, scene.overlays) = (EffectChain(), EffectPlan(), [])
        return scene
    }

    /// A tile that shows a picture of the whole wall with the wall's effects.
    ///
    /// - Parameters:
    ///   - frame: the picture, in the colours of the target.
    ///   - number: its number.
    ///   - effects: the effects.
    /// - Returns: a tile with the identity of the wall.
    package func whole(_ frame: VideoFrame, number: Int, _ effects: EffectChain) -> Tile {
        var tile = Tile(
            id: wall, frame: frame, frameNumber: number, rectangle: bounds,
            placement: ContentMode.Placement(destination: bounds), orientation: .upright, filter: .nearest,
            scalesInLinearLight: false, colorOverride: ColorOverride(), effects: effects, effectInputs: effectInputs,
            overlays: [])
        tile.plan()
        return tile
    }

    /// The scene with one tile instead of all of its own, under the overlays of the wall.
    package func showing(_ tile: Tile) -> WallScene {
        var scene = self
        (scene.effects, scene.effectPlan) = (EffectChain(), EffectPlan())
        (scene.tiles, scene.order) = ([tile], [0])
        return scene
    }

    /// The colours of a picture that needs no conversion.
    package var pictureColors: ColorSpace {
        ColorSpace(matrix: .rgb, range: .full, primaries: colorTarget.primaries, transfer: colorTarget.transfer)
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
