import MediaIO

/// What the effects of a wall depend on.
extension Wall {
    /// The seconds after which the time of effects begins anew: until then, a `Float` has it within two milliseconds.
    private static let effectTimePeriod = 32768.0

    /// Finds the tiles that the effects of visible tiles read; they are updated though they may be hidden.
    ///
    /// **Cost:** every frame; nothing is allocated.
    func markReadTiles(_ focus: Int?) {
        for index in entries.indices { entries[index].isRead = false }
        for index in entries.indices where (focus ?? index) == index { mark(entries[index].tile.effects) }
        mark(effects)
    }

    /// Notes the effects that are wanted for a tile.
    func noteEffects(ofTile index: Int) {
        let (old, new) = (scene.tiles[index].chain, entries[index].tile.effects)
        guard old != new else { return }
        if !old.hides(allOf: new) { maskCount += 1 }
        scene.tiles[index].chain = new
    }

    private func mark(_ chain: EffectChain) {
        for step in chain.steps.indices where chain.applies(step) {
            for value in chain.steps[step].values.indices {
                if let index = tileIndex(chain.steps[step].values[value]) { entries[index].isRead = true }
            }
        }
    }

    /// What a chain depends on besides the picture; values that it does not use keep their defaults.
    func inputs(of chain: EffectChain, in area: Rectangle) -> WallScene.EffectInputs {
        var inputs = WallScene.EffectInputs()
        guard !chain.isEmpty else { return inputs }
        if chain.readsPrevious { inputs.masks = maskCount }
        if chain.isAnimated {
            inputs.time = Float((time / .seconds(1)).truncatingRemainder(dividingBy: Self.effectTimePeriod))
            inputs.date = date ?? SIMD4(0, 0, 0, inputs.time)
        }
        if chain.followsMouse, let mouse, area.contains(x: mouse.x, y: mouse.y) {
            let place = (mouse - SIMD2(Double(area.x), Double(area.y))) / SIMD2(Double(area.width), Double(area.height))
            inputs.mouse = SIMD2<Float>(place)
        }
        for step in chain.steps.indices where chain.applies(step) {
            for value in chain.steps[step].values.indices {
                guard let index = tileIndex(chain.steps[step].values[value]) else { continue }
                inputs.others = inputs.others &* 31 &+ entries[index].tile.revision
            }
        }
        return inputs
    }

    /// Bypasses effects that exceed a budget.
    ///
    /// - Returns: whether any effect was bypassed.
    func keep(_ limit: Duration) -> Bool {
        var isExceeded = false
        // A stage has tiles drawn smaller first.
        for index in entries.indices where effectStage == nil {
            guard let time = entries[index].budget.excess(entries[index].tile.report, limit) else { continue }
            entries[index].tile.effects.bypass(took: time, limit)
            isExceeded = true
        }
        if report.effectPictures == 0, let time = budget.excess(report, limit) {
            effects.bypass(took: time, limit)
            isExceeded = true
        }
        return isExceeded
    }

    /// The index of the tile that a value names; `nil` if it names none on this wall.
    private func tileIndex(_ value: EffectValue) -> Int? {
        guard case .tile(let number) = value, entries.indices.contains(number - 1) else { return nil }
        return number - 1
    }
}

extension Wall.Entry {
    /// Why the renderer could not draw the tile as it should, or `nil`.
    var anyFailure: String? {
        failure ?? tile.effects.bypassReason ?? (tile.effects.failure ?? effectFailure)?.description
    }
}
