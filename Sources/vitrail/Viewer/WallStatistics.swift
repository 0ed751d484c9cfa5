import VideoWall

/// The statistics of a wall's visible tiles, as one line.
struct WallStatistics {
    private var last = TileStatistics()
    private var lastLatency = FrameLatency()
    private var lastDrawn = 0
    private var lastPasses = PassTimes()
    private var lastTime: ContinuousClock.Instant?

    /// Describes the time since the last call.
    ///
    /// - Parameters:
    ///   - tiles: the statistics of the visible tiles.
    ///   - latency: that of the visible tiles.
    ///   - drawn: the number of times that the window was drawn so far.
    ///   - refreshRate: the screen's measured refreshes per second, if known.
    ///   - renderer: the renderer's name, and why it draws.
    ///   - passes: how long the GPU has worked so far.
    ///   - now: the time.
    /// - Returns: a line of rates, and of totals of dropped and failed frames.
    mutating func line(
        _ tiles: [TileStatistics], _ latency: FrameLatency, drawn: Int, refreshRate: Double?,
        renderer: String, passes: PassTimes?, now: ContinuousClock.Instant
    ) -> String {
        let total = Self.sum(tiles)
        let seconds = lastTime.map { ($0.duration(to: now)) / .seconds(1) } ?? 0
        // Totals of different sets of tiles cannot be compared, so rates exist only within one set.
        func rate(_ new: Int, _ old: Int) -> String {
            guard seconds > 0, new >= old else { return "–" }
            return "\(((Double(new - old) / seconds) * 10).rounded() / 10)"
        }
        let work = passes?.since(lastPasses)
        defer {
            (last, lastLatency, lastDrawn, lastTime) = (total, latency, drawn, now)
            lastPasses = passes ?? PassTimes()
        }
        return [
            "\(tiles.count) \(tiles.count == 1 ? "stream" : "streams")",
            "\(rate(total.received, last.received)) frames/s",
            "\(rate(drawn, lastDrawn)) pictures/s",
            refreshRate.map { "screen \(($0 * 100).rounded() / 100) Hz" },
            "\(total.dropped) dropped",
            "\(total.omitted) omitted",
            "\(total.failed) failed",
            Self.text(latency.since(lastLatency)),
            renderer, work.flatMap(Self.text),
        ]
        .compactMap(\.self).joined(separator: " · ")
    }

    /// Describes how long the GPU worked on a picture; `nil` if none was measured.
    static func text(_ passes: PassTimes) -> String? {
        guard passes.pictures > 0 else { return nil }
        let mean = passes.mean
        func milliseconds(_ time: Duration) -> String { "\(((time / .milliseconds(1)) * 100).rounded() / 100)" }
        let sum = milliseconds(mean.upload + mean.prepare + mean.draw)
        return
            "GPU \(sum) ms: upload \(milliseconds(mean.upload)), prepare \(milliseconds(mean.prepare)), draw \(milliseconds(mean.draw))"
    }

    /// Describes how long frames took to the screen.
    static func text(_ latency: FrameLatency) -> String {
        guard let median = latency.percentile(0.5), let most = latency.percentile(0.99) else { return "latency –" }
        func milliseconds(_ time: Duration) -> String { "\(((time / .milliseconds(1)) * 10).rounded() / 10)" }
        return "latency \(milliseconds(median)) ms, p99 \(milliseconds(most)), at most \(milliseconds(latency.maximum))"
    }

    /// The frames of several tiles.
    static func sum(_ tiles: [FrameLatency]) -> FrameLatency { tiles.reduce(into: FrameLatency()) { $0.add($1) } }

    /// The totals of several tiles.
    static func sum(_ tiles: [TileStatistics]) -> TileStatistics {
        tiles.reduce(into: TileStatistics()) { sum, tile in
            sum.received += tile.received
            sum.dropped += tile.dropped
            sum.omitted += tile.omitted
            sum.uploaded += tile.uploaded
            sum.imported += tile.imported
            sum.drawn += tile.drawn
            sum.failed += tile.failed
        }
    }
}
