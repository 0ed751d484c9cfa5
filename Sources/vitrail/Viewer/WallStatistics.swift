import MediaIO
import VideoWall

/// The statistics of a wall's visible tiles, as rows of text.
struct WallStatistics {
    private var last = TileStatistics()
    private var lastLatency = FrameLatency()
    private var lastDrawn = 0
    private var lastPasses = PassTimes()
    private var lastEffects = 0
    private var lastTime: ContinuousClock.Instant?

    /// Describes the time since the last call.
    ///
    /// - Parameters:
    ///   - tiles: the visible tiles.
    ///   - drawn: the number of times that the window was drawn so far.
    ///   - refreshRate: the screen's measured refreshes per second, if known.
    ///   - renderer: the renderer's name, and why it draws.
    ///   - passes: how long the GPU has worked so far.
    ///   - now: the time.
    /// - Returns: rows: the tiles' conditions, rates, totals of frames that were not shown, and what draws.
    mutating func rows(
        _ tiles: [WallTile], drawn: Int, refreshRate: Double?, renderer: String, passes: PassTimes?,
        now: ContinuousClock.Instant
    ) -> [String] {
        let total = Self.sum(tiles.map(\.statistics))
        let latency = Self.sum(tiles.map(\.latency))
        let seconds = lastTime.map { ($0.duration(to: now)) / .seconds(1) } ?? 0
        // Totals of different sets of tiles cannot be compared, so rates exist only within one set.
        func rate(_ new: Int, _ old: Int) -> String {
            guard seconds > 0, new >= old else { return "–" }
            return "\(((Double(new - old) / seconds) * 10).rounded() / 10)"
        }
        let work = passes?.since(lastPasses)
        let paced = tiles.filter { $0.report.effectPictures > 0 }
        let effects = paced.reduce(0) { $0 + $1.report.effectPictures }
        defer {
            lastEffects = effects
            (last, lastLatency, lastDrawn, lastTime) = (total, latency, drawn, now)
            lastPasses = passes ?? PassTimes()
        }
        let screen = refreshRate.map { ", screen \(($0 * 100).rounded() / 100) Hz" } ?? ""
        return [
            Self.states(tiles),
            "\(rate(total.received, last.received)) frames/s, \(rate(drawn, lastDrawn)) pictures/s\(screen)",
            "Frames: \(total.dropped) dropped, \(total.omitted) omitted, \(total.failed) not drawable",
            paced.isEmpty ? nil : "Effects: \(rate(effects, lastEffects)) pictures/s on \(Self.count(paced.count))",
            Self.text(latency.since(lastLatency)), renderer, work.flatMap(Self.text),
        ].compactMap(\.self)
    }

    /// How many tiles are in each state.
    private static func states(_ tiles: [WallTile]) -> String {
        let counts = Dictionary(grouping: tiles, by: \.state).mapValues(\.count)
        let known = TileState.allCases.compactMap { state in counts[state].map { "\($0) \(state.rawValue)" } }
        return known.isEmpty ? "No tiles" : "\(count(tiles.count)): \(known.joined(separator: ", "))"
    }

    private static func count(_ tiles: Int) -> String { "\(tiles) \(tiles == 1 ? "tile" : "tiles")" }

    /// Describes how long the GPU worked on a picture; `nil` if none was measured.
    static func text(_ passes: PassTimes) -> String? {
        guard passes.pictures > 0 else { return nil }
        let mean = passes.mean
        func milliseconds(_ time: Duration) -> String { "\(((time / .milliseconds(1)) * 100).rounded() / 100)" }
        let sum = milliseconds(mean.upload + mean.prepare + mean.draw)
        return
            "GPU \(sum) ms: upload \(milliseconds(mean.upload)), prepare \(milliseconds(mean.prepare)), draw \(milliseconds(mean.draw))"
    }

    /// Describes how long the pictures of live streams are held; `nil` without such streams.
    static func text(playoutDelays delays: [Duration]) -> String? {
        guard let least = delays.min(), let most = delays.max() else { return nil }
        func milliseconds(_ time: Duration) -> Int { Int((time / .milliseconds(1)).rounded()) }
        let range = least == most ? "" : "\(milliseconds(least)) to "
        return "playout delay \(range)\(milliseconds(most)) ms"
    }

    /// How far apart the captures of the pictures are that live tiles show; `nil` of fewer than two whose clock is known.
    static func spread(of tiles: [WallTile]) -> Duration? {
        let captures = tiles.filter { $0.condition == .live }.compactMap { $0.frame?.timing.capture }
        guard captures.count > 1, let first = captures.min(), let last = captures.max() else { return nil }
        return last - first
    }

    /// Describes an output beside the window.
    static func text(_ output: LiveOutput) -> String {
        let report = output.report
        let missed = report.missed > 0 ? ", \(report.missed) missed" : ""
        let omitted = report.omitted > 0 ? ", \(report.omitted) not sent" : ""
        return "\(output.specification.name): \(report.state.rawValue), \(report.pictures) pictures\(missed)\(omitted)"
    }

    /// Describes how long frames took from their mailbox to the screen.
    static func text(_ latency: FrameLatency) -> String {
        guard let median = latency.percentile(0.5), let most = latency.percentile(0.99) else { return "latency –" }
        func milliseconds(_ time: Duration) -> String { "\(((time / .milliseconds(1)) * 10).rounded() / 10)" }
        return "latency \(milliseconds(median)) ms, p99 \(milliseconds(most)), at most \(milliseconds(latency.maximum))"
    }

    /// The latencies of several tiles, as if of one.
    static func sum(_ tiles: [FrameLatency]) -> FrameLatency { tiles.reduce(into: FrameLatency()) { $0.add($1) } }

    /// The sums of several tiles' counts.
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
