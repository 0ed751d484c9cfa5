import MediaIO

/// Tiles whose picture is old, and when that is next to be seen.
extension Wall {
    /// How long the wall looks the same if nothing arrives and nobody changes it; `nil` for any time.
    ///
    /// It is the time until the next second if a visible tile shows the age of its picture (``showsAges``), or until a
    /// visible tile stalls (``WallTile/stallTime``); zero during a transition (``isInTransition``). Effects that change with ``time`` are not included: see
    /// ``isAnimated``. Ask after ``update(size:)``, and sleep no longer.
    ///
    /// **Cost:** every frame; it reads the clock.
    public var timeUntilChange: Duration? {
        guard isVisible else { return nil }
        if isInTransition { return .zero }
        let now = now()
        var next: MonotonicTime?
        // By index: in debug builds an array's iterator allocates.
        for index in entries.indices where scene.tiles.indices.contains(index) && scene.tiles[index].isVisible {
            guard let change = nextChange(ofTile: index, after: now), change < next ?? change + .seconds(1) else {
                continue
            }
            next = change
        }
        return next.map { max(.zero, $0 - now) }
    }

    private func nextChange(ofTile index: Int, after now: MonotonicTime) -> MonotonicTime? {
        if let silence = entries[index].silence { return silence.seconds.map { _ in Silence.nextChange(after: now) } }
        return stall(ofTile: index)
    }

    /// When a tile stalls if no frame arrives; `nil` for never.
    private func stall(ofTile index: Int) -> MonotonicTime? {
        let tile = entries[index].tile
        guard tile.condition == .live, let time = tile.stallTime, let arrival = tile.arrival,
            let watched = entries[index].watchedSince
        else { return nil }
        return max(arrival, watched) + time
    }

    /// What there is to say about the age of a tile's picture; `nil` without a picture, and for a present one.
    func silence(ofTile index: Int, at now: MonotonicTime) -> Silence? {
        guard let arrival = entries[index].tile.arrival, let cause = cause(ofTile: index, at: now) else { return nil }
        return showsAges ? Silence(cause, since: arrival, now: now) : Silence(cause)
    }

    private func cause(ofTile index: Int, at now: MonotonicTime) -> Silence.Cause? {
        switch entries[index].tile.condition {
        case .waiting: .offline
        case .failed: .failed
        // The last picture of a file is as it should be.
        case .ended: nil
        case .live: stall(ofTile: index).flatMap { $0 <= now ? .stalled : nil }
        }
    }

    /// Notes at an update what there is to say about a tile, and from when on frames are expected.
    ///
    /// While a tile is hidden, its source delivers nothing, and that is no fault.
    func noteSilence(ofTile index: Int, at now: MonotonicTime) {
        let tile = entries[index].tile
        let isShown = isVisible && !entries[index].target.isEmpty
        let isWatched = isShown && tile.condition == .live && tile.stallTime != nil
        entries[index].watchedSince = isWatched ? entries[index].watchedSince ?? now : nil
        entries[index].silence = silence(ofTile: index, at: now)
        tile.isStalled = entries[index].silence?.cause == .stalled
    }

    /// Expects no frames until the wall is visible again.
    func forgetWatching() { for index in entries.indices { entries[index].watchedSince = nil } }
}
