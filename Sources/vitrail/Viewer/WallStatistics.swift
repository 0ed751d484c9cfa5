import VideoWall

/// The statistics of a wall's visible tiles, as one line.
struct WallStatistics {
    private var last = TileStatistics()
    private var lastDrawn = 0
    private var lastTime: ContinuousClock.Instant?

    /// Describes the time since the last call.
    ///
    /// - Parameters:
    ///   - tiles: the statistics of the visible tiles.
    ///   - drawn: the number of times that the window was drawn so far.
    ///   - renderer: the renderer's name, and why it draws.
    ///   - now: the time.
    /// - Returns: a line of rates, and of totals of dropped and failed frames.
    mutating func line(
        _ tiles: [TileStatistics], drawn: Int, renderer: String, now: ContinuousClock.Instant
    ) -> String {
        let total = Self.sum(tiles)
        let seconds = lastTime.map { ($0.duration(to: now)) / .seconds(1) } ?? 0
        // Totals of different sets of tiles cannot be compared, so rates exist only within one set.
        func rate(_ new: Int, _ old: Int) -> String {
            guard seconds > 0, new >= old else { return "–" }
            return "\(((Double(new - old) / seconds) * 10).rounded() / 10)"
        }
        defer { (last, lastDrawn, lastTime) = (total, drawn, now) }
        return [
            "\(tiles.count) \(tiles.count == 1 ? "stream" : "streams")",
            "\(rate(total.received, last.received)) frames/s",
            "\(rate(drawn, lastDrawn)) pictures/s",
            "\(total.dropped) dropped",
            "\(total.failed) failed",
            renderer,
        ]
        .joined(separator: " · ")
    }

    /// The totals of several tiles.
    static func sum(_ tiles: [TileStatistics]) -> TileStatistics {
        tiles.reduce(into: TileStatistics()) { sum, tile in
            sum.received += tile.received
            sum.dropped += tile.dropped
            sum.uploaded += tile.uploaded
            sum.drawn += tile.drawn
            sum.failed += tile.failed
        }
    }
}
