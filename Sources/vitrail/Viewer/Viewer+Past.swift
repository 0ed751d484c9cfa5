import MediaIO
import VideoWall

/// Winding the wall back, and stopping it.
extension Viewer {
    /// How far behind the present a wall may be that goes on, at least: less than this is the present.
    private static let shortest = Duration.milliseconds(100)

    /// Whether streams and time stand still.
    var isPaused: Bool { past.isStopped }

    /// Stops all streams, or lets them go on.
    func setPaused(_ isPaused: Bool) {
        past.setStopped(isPaused, now: .now)
        updatePast()
    }

    /// Winds the wall, or the only visible tile.
    func wind(_ words: ActionWords) throws(ProgramError) {
        guard words.first != "live" else {
            guard words.words.count == 1 else { throw words.refusal }
            past.showPresent()
            return updatePast()
        }
        let number = words.words.count == 1 ? Double(words.words[0]) : nil
        guard let number, number.isFinite, abs(number) <= Double(HistoryPlan.longest) else { throw words.refusal }
        let now = MonotonicTime.now
        guard let oldest = try oldestMoment(now) ?? (past.playhead == nil ? nil : now) else { return }
        past.wind(by: .seconds(number), notBefore: oldest, now: now)
        if !isPaused, now - past.moment(now: now) < Self.shortest { past.showPresent() }
        updatePast()
    }

    /// Shows the next or previous picture of the chosen tile, or else of the first that has one, and stops there.
    func stepPicture(_ words: ActionWords) throws(ProgramError) {
        let step: PictureStep = try words.step() > 0 ? .next : .previous
        let now = MonotonicTime.now
        _ = try oldestMoment(now)
        let chosen = words.tile ?? pointedTile
        let inputs = windable
        let first = inputs.first { input in input.tiles.contains { $0 === chosen } }
        let moment = past.moment(now: now)
        let isPresent = past.playhead == nil
        past.setStopped(true, now: now)
        let found = ((first.map { [$0] } ?? []) + inputs).lazy.compactMap { input in
            // What is shown as the present was captured earlier, by as much as it was decoded and held.
            let shown = isPresent ? input.stream.moment(of: input.tiles.first?.frame) : nil
            return input.stream.moment(ofPicture: step, from: shown ?? moment)
        }.first { $0 <= now }
        if let found { past.stand(at: found, now: now) }
        updatePast()
    }

    /// The streams that are wound: those of the only visible tile, or of all.
    private var windable: [ViewerInput] {
        inputs.filter { input in wall.focus.map { focus in input.tiles.contains { $0.id == focus } } ?? true }
    }

    /// The oldest moment that can be shown; `nil` if that is the present.
    ///
    /// A ring releases what is older than it keeps from one key frame to the next, so that what it has beyond that comes
    /// and goes.
    private func oldestMoment(_ now: MonotonicTime) throws(ProgramError) -> MonotonicTime? {
        let known = windable.compactMap { input in
            input.stream.moments.map { moments in
                input.stream.isKept
                    ? max(moments.lowerBound, now - .seconds(history.document.history.seconds)) : moments.lowerBound
            }
        }
        if known.isEmpty, past.playhead == nil {
            throw ProgramError(
                .usage, "There is nothing to look back at: no stream has been kept, see --history, and no file plays.")
        }
        return known.min()
    }

    /// Has each stream show the moment of the wall, if it can, and marks the tiles of those that cannot.
    func updatePast() {
        let wound = past.playhead == nil ? [] : windable.map(\.stream)
        guard past != shownPast || past.playhead != nil || hasMarks else { return }
        for input in inputs {
            input.stream.show(wound.contains { $0 === input.stream } ? past.playhead : nil)
            input.stream.setPaused(isPaused && !input.stream.isPast)
        }
        let isNew = past != shownPast
        if isNew {
            shownPast = past
            showTitle()
            pastSince = .now
            nextStrip = clock.now
        }
        guard isNew || clock.now >= nextStrip else { return }
        // Soon after a change, it is known what each stream shows.
        nextStrip = clock.now + .milliseconds(250)
        hasMarks = past.playhead != nil
        strip = past.playhead.map { stripContent($0, .now) }
        refreshBadges()
    }

    /// When the strip is next brought up to date; `nil` while the present is shown.
    var stripDue: ContinuousClock.Instant? { hasMarks || past.playhead != nil ? nextStrip : nil }

    private func stripContent(_ playhead: Playhead, _ now: MonotonicTime) -> PastStrip.Content {
        let moment = playhead.moment(now: now)
        let kept = windable.compactMap { $0.stream.isKept ? $0.stream.moments?.lowerBound : nil }.min()
        let oldest = kept ?? windable.compactMap { $0.stream.moments?.lowerBound }.min() ?? moment
        func seconds(_ time: Duration) -> Int { Int((time / .seconds(1)).rounded()) }
        let timeOfDay = LocalDate.sinceEpoch - (now - moment)
        return PastStrip.Content(
            seconds: max(0, seconds(now - moment)), kept: max(1, seconds(now - oldest)),
            timeOfDay: Int(timeOfDay.components.seconds % 86_400), isStopped: isPaused)
    }

    /// The strip, if another moment is shown.
    func pastOverlays(_ scene: WallScene, _ painter: any TextPainter) -> [WallOverlay] {
        guard let strip else { return [] }
        return pastStrip.overlays(strip, on: scene, painter)
    }

    /// How much earlier what is shown was captured than it came into the tiles.
    var pastDelay: Duration {
        switch past.playhead {
        case .behind(let delay): delay
        case .stopped(let moment): pastSince - moment
        case nil: .zero
        }
    }

    /// What the tile says of its stream while the wall shows another moment.
    func pastBadge(of stream: ViewerStream) -> TileBadge? {
        guard let playhead = past.playhead, windable.contains(where: { $0.stream === stream }) else { return nil }
        guard stream.isPast else { return TileBadge("NOW", isAlarm: true) }
        // What it shows is from before or after the moment, because it has nothing of it.
        guard let shown = stream.shownMoment else { return nil }
        let late = Int(((shown - playhead.moment(now: .now)) / .seconds(1)).rounded())
        return late < 1 ? nil : TileBadge("\(PastStrip.Content.length(late)) LATER", isAlarm: true)
    }
}
