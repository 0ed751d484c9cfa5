import MediaIO

/// What tiles say about their streams, and when that is next to be seen.
extension Wall {
    /// How long the wall looks the same if nothing arrives and nobody changes it; `nil` for any time.
    ///
    /// It is the time until the next second if a visible tile shows an age (``TileLook/hasAges``), or until a visible tile
    /// takes the next step of its ``SilenceLadder``; zero during a transition (``isInTransition``). Effects that change
    /// with ``time`` are not included: see ``isAnimated``. Ask after ``update(size:)``, and sleep no longer.
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
        if let change = effectStage?.nextChange, change < next ?? change + .seconds(1) { next = change }
        return next.map { max(.zero, $0 - now) }
    }

    private func nextChange(ofTile index: Int, after now: MonotonicTime) -> MonotonicTime? {
        let status = entries[index].status
        let second = status.isCounting ? TileStatus.nextSecond(after: now) : nil
        guard let silence = silence(ofTile: index) else { return second }
        let step = silence.ladder.next(after: now - silence.begin).map { silence.begin + $0 }
        guard let second else { return step }
        return step.map { min($0, second) } ?? second
    }

    /// Since when a live tile expects a picture, and what it does until then; `nil` if it expects none.
    private func silence(ofTile index: Int) -> (begin: MonotonicTime, ladder: SilenceLadder)? {
        let tile = entries[index].tile
        guard tile.condition == .live, !tile.isPaused, let ladder = tile.silenceLadder, let arrival = tile.arrival,
            let watched = entries[index].watchedSince
        else { return nil }
        return (max(arrival, watched), ladder.scaled(to: tile.usualDistance.value))
    }

    /// What a tile has to say at a moment.
    func status(ofTile index: Int, at now: MonotonicTime) -> TileStatus {
        let tile = entries[index].tile
        var status = TileStatus(state: tile.state(tile.condition, failure: entries[index].failure))
        var begin = tile.arrival
        if status.state == .live, let silence = silence(ofTile: index) {
            let time = now - silence.begin
            let ladder = silence.ladder
            if time >= ladder.late {
                status.state = time < ladder.stalled ? .late : .stalled
                status.isOld = time >= ladder.dimmed
            } else if let least = ladder.frozen, tile.repeats.frozenTime(after: least) != nil {
                status.state = .frozen
                begin = tile.repeats.since
            }
        } else if status.state.severity == .fault || status.state == .noVideo {
            status.isOld = tile.arrival != nil
        }
        if tile.showsPast { status.isOld = false }
        if tileLook.hasAges {
            if let begin, status.state.severity == .fault || status.state == .frozen {
                status.age = TileStatus.seconds(from: begin, to: now)
            }
            if case .waiting(_, let time?, _) = tile.condition, !tile.isPaused {
                let seconds = TileStatus.seconds(from: now, to: time)
                status.retry = seconds > 0 ? seconds : nil
            }
            let isTrying =
                tileLook.hasBars
                && (status.state == .connecting || (status.state == .offline && status.retry == nil))
            if isTrying { status.step = Int(now.sinceBoot.components.seconds % 3) }
            status.isCounting = isTrying || status.age != nil || status.retry != nil
        }
        status.pace = tile.report.effectPace
        if tile.hasClock, let offset = tileLook.clockOffset, let arrival = tile.arrival {
            let day = 86_400 as Int64
            let seconds = (arrival.sinceBoot + offset).components.seconds % day
            status.clock = Int((seconds + day) % day)
        }
        return status
    }

    /// Notes at an update what a tile has to say, and from when on frames are expected.
    ///
    /// While a tile is hidden, its source delivers nothing, and that is no fault.
    func noteStatus(ofTile index: Int, at now: MonotonicTime) {
        let tile = entries[index].tile
        let isShown = isVisible && isInPart(entries[index].target)
        let isWatched = isShown && tile.condition == .live && tile.silenceLadder != nil && !tile.isPaused
        entries[index].watchedSince = isWatched ? entries[index].watchedSince ?? now : nil
        entries[index].status = status(ofTile: index, at: now)
        tile.shownState = entries[index].status.state
        tile.hasOldPicture = entries[index].status.isOld
        tile.missingTime = entries[index].status.isOld || tile.showsPast ? missingTime(ofTile: index, at: now) : nil
    }

    private func missingTime(ofTile index: Int, at now: MonotonicTime) -> Duration? {
        let tile = entries[index].tile
        guard let begin = silence(ofTile: index)?.begin, let ladder = tile.silenceLadder else { return nil }
        let distance = tile.usualDistance.cautious
        // Of one picture, nothing is known; of several that came before the first was shown, that they come often.
        guard distance != nil || tile.mailbox.statistics.received > 1 else { return nil }
        let time = ladder.scaled(to: distance).dimmed
        return now - begin >= time ? time : nil
    }

    /// Expects no frames until the wall is visible again.
    func forgetWatching() { for index in entries.indices { entries[index].watchedSince = nil } }
}

extension SilenceLadder {
    /// The time of the next step; `nil` after the last.
    fileprivate func next(after time: Duration) -> Duration? {
        if time < late { return late }
        if time < stalled { return stalled }
        return time < dimmed ? dimmed : nil
    }
}
