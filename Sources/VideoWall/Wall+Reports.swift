public import MediaIO

/// What became of the scene: reports of its renderer, and that it was presented.
extension Wall {
    /// Notes that the scene was presented just now, which ``WallTile/latency`` counts.
    ///
    /// **Cost:** every frame.
    /// - Parameter drawn: when it was drawn, which may be long before a screen takes it; `nil` if that is not known.
    /// - Returns: whether any tile shows a frame that was not presented before.
    @discardableResult
    public func notePresented(drawnAt drawn: MonotonicTime? = nil) -> Bool {
        let now = now()
        var isNew = false
        for index in entries.indices where scene.tiles.indices.contains(index) && scene.tiles[index].isVisible {
            isNew = entries[index].tile.notePresented(at: now, drawn: drawn) || isNew
        }
        return isNew
    }

    /// Copies the renderer's reports to the tiles.
    ///
    /// - Returns: whether the notice of any tile has changed.
    func note(reportsOf renderer: any WallRenderer) -> Bool {
        var isNew = false
        hasStageNews = false
        // By index: in debug builds an array's iterator allocates.
        for index in entries.indices {
            let tile = entries[index].tile
            var report = renderer.report(on: tile.id)
            effectStage?.complete(&report, on: tile.id)
            if report.effectPace != tile.report.effectPace { isNew = true }
            tile.report = report
            let entry = entries[index]
            guard report.failure != entry.failure || report.effectFailure != entry.effectFailure else { continue }
            entries[index].failure = report.failure
            entries[index].effectFailure = report.effectFailure
            isNew = true
        }
        var own = renderer.report(on: id)
        effectStage?.complete(&own, on: id)
        if own.effectFailure != report.effectFailure || own.effectPace != report.effectPace { isNew = true }
        report = own
        if let effectBudget { isNew = keep(effectBudget) || isNew }
        if isNew { hasOwnChanges = true }
        return isNew
    }
}
