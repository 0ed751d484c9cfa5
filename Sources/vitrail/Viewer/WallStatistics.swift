import VideoWall

/// The numbers of a wall, or of the tile that is shown alone, as one line.
struct WallStatistics {
    private var last = TileStatistics()
    private var lastDrawn = 0
    private var lastTime: ContinuousClock.Instant?

    /// Describes what happened since the last call.
    ///
    /// - Parameters:
    ///   - tiles: the statistics of the tiles that are shown.
    ///   - drawn: how often the window was drawn since the beginning.
    ///   - renderer: who draws.
    ///   - now: the time.
    /// - Returns: a line of rates and of totals for what should not happen.
    mutating func line(
        _ tiles: [TileStatistics], drawn: Int, renderer: String, now: ContinuousClock.Instant
    ) -> String {
        let total = Self.sum(tiles)
        let seconds = lastTime.map { ($0.duration(to: now)) / .seconds(1) } ?? 0
        // The other choice of tiles has other totals, so a rate can only be told within one choice.
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
