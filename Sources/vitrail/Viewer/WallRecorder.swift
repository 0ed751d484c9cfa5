import VideoWall

/// Makes a record of what a wall does, each second.
struct WallRecorder {
    private let start = ContinuousClock.now
    /// When the next record is due.
    private(set) var next = ContinuousClock.now
    private var lastPicture: ContinuousClock.Instant?
    private var intervals = FrameLatency()
    private var lastLatency = FrameLatency()
    private var lastStages: [WallTile.ID: StageLatency] = [:]

    /// Counts a picture that was presented.
    mutating func notePicture(at now: ContinuousClock.Instant) {
        if let lastPicture { intervals.note(lastPicture.duration(to: now)) }
        lastPicture = now
    }

    /// Describes the time since the last record.
    ///
    /// - Parameters:
    ///   - tiles: all tiles.
    ///   - pictures: how many pictures were presented so far.
    ///   - now: the time.
    /// - Returns: the record, without what the program uses of the machine.
    mutating func record(of tiles: [WallTile], pictures: Int, now: ContinuousClock.Instant) -> WallRecord {
        // Not more often after the machine has slept.
        next = max(next + .seconds(1), now)
        let latency = WallStatistics.sum(tiles.map(\.latency))
        let stages = Dictionary(uniqueKeysWithValues: tiles.map { ($0.id, $0.stages) })
        defer { (intervals, lastLatency, lastStages) = (FrameLatency(), latency, stages) }
        return WallRecord(
            time: LocalDate.text, seconds: ((start.duration(to: now) / .seconds(1)) * 1000).rounded() / 1000,
            pictures: pictures, intervals: WallRecord.Times(intervals),
            latency: WallRecord.Times(latency.since(lastLatency)),
            tiles: tiles.map { tile in
                let counts = tile.statistics
                return WallRecord.Tile(
                    name: tile.name, state: tile.state.rawValue, received: counts.received, dropped: counts.dropped,
                    omitted: counts.omitted, failed: counts.failed,
                    latency: WallRecord.Stages(tile.stages.since(lastStages[tile.id] ?? StageLatency())))
            })
    }
}
