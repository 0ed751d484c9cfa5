import MediaIO
import VideoWall
import WallRendering
import WindowGL

/// The statistics over the wall.
extension Viewer {
    /// Shows or hides the statistics.
    func setStatistics(_ isOn: Bool) {
        statistics = isOn ? statistics ?? WallStatistics() : nil
        nextStatistics = clock.now
        overlay.statistics = []
        for tile in wall.tiles { tile.details = nil }
        tileDetails = TileDetails()
    }

    /// What a failed tile says of the key for details; made once, since the look is checked before each picture.
    private static let hint = ActionTable.action(named: "statistics").map {
        "press \(ActionHelp.keys(of: $0)) for details"
    }

    /// How tiles say what their streams are, as the document and the keys have it.
    func refreshTileLook() {
        var look = TileLook()
        (look.hasBars, look.hasAges, look.scale) = (style.look.names, true, window.contentScale)
        (look.hasLabels, look.hasDetails) = (style.look.names, statistics != nil)
        look.hint = Self.hint
        look.clockOffset = style.look.clock ? LocalDate.sinceEpoch - MonotonicTime.now.sinceBoot - pastDelay : nil
        // Between the readings of two clocks passes a little time.
        if let old = wall.tileLook.clockOffset, let new = look.clockOffset,
            max(new - old, old - new) < .milliseconds(100)
        {
            look.clockOffset = old
        }
        if wall.tileLook != look { wall.tileLook = look }
    }

    /// Brings the statistics up to date once a second, while they are shown.
    func refreshStatistics() {
        guard statistics != nil, clock.now >= nextStatistics else { return }
        let now = clock.now
        nextStatistics = now + .seconds(1)
        for tile in wall.tiles {
            let stream = input(of: tile)?.stream
            let packets = (stream?.source as? LiveSource)?.packetTotals ?? PacketTotals()
            tile.details = tileDetails.text(of: tile, packets, heldFor: stream?.playoutDelay, now: now)
        }
        tileDetails.forget(except: wall.tiles)
        let shown = wall.focus.flatMap(wall.tile).map { [$0] } ?? wall.tiles
        let rows = statistics?.rows(
            shown, drawn: drawn, refreshRate: window.refreshRate,
            renderer: renderer.summary(screen.reason, withUploadReason: false), passes: renderer.passTimes, now: now)
        overlay.statistics = rows ?? []
        let delays = shown.compactMap { input(of: $0)?.stream.playoutDelay }
        if let delay = WallStatistics.text(playoutDelays: delays) { overlay.statistics.append(delay) }
        if let text = alignmentText(of: shown) { overlay.statistics.append(text) }
        overlay.statistics += outputs.map { WallStatistics.text($0.output) }
        if shown.count == 1, let camera = cameraStatistics(of: shown[0]) { overlay.statistics.append(camera) }
    }

    /// When the next line of statistics is due.
    var nextRecord: ContinuousClock.Instant? { statisticsFile == nil ? nil : recorder.next }

    /// Has a line of statistics written once a second, in a hidden window, too.
    func recordStatistics() {
        guard let statisticsFile, clock.now >= recorder.next else { return }
        var record = recorder.record(of: wall.tiles, pictures: drawn, now: clock.now)
        if !outputs.isEmpty { record.outputs = outputs.map { WallRecord.Output($0.output) } }
        record.alignment = early.shared.alignment.map { alignment in
            WallRecord.Alignment(
                delay: WallRecord.milliseconds(alignment.delay),
                spread: WallStatistics.spread(of: wall.tiles).map(WallRecord.milliseconds))
        }
        for (index, tile) in wall.tiles.enumerated() {
            record.tiles[index].clock = input(of: tile)?.stream.captureReport.flatMap(WallRecord.Clock.init)
            guard let (condition, counts) = input(of: tile).flatMap({ recordings.condition(of: $0.stream) }) else {
                continue
            }
            record.tiles[index].recording = WallRecord.Recording(condition, counts)
        }
        statisticsFile.put(record)
    }
}
