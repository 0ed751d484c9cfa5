import MediaIO
import VideoWall

/// The lines of a tile about its stream: size and format, codec and bit rate, pictures a second, latency.
struct TileDetails {
    private struct Past {
        var statistics: TileStatistics
        var latency: FrameLatency
        var stages: StageLatency
        var packets: PacketTotals
        var time: ContinuousClock.Instant
    }

    private var past: [WallTile.ID: Past] = [:]

    /// Describes the time since the last call.
    ///
    /// - Parameters:
    ///   - tile: the tile.
    ///   - packets: the packets of its source so far.
    ///   - delay: how long its source holds pictures; `nil` if it does not.
    ///   - now: the time.
    /// - Returns: one to three lines; `nil` before the first picture.
    mutating func text(
        of tile: WallTile, _ packets: PacketTotals, heldFor delay: Duration?, now: ContinuousClock.Instant
    ) -> String? {
        let new = Past(
            statistics: tile.statistics, latency: tile.latency, stages: tile.stages, packets: packets, time: now)
        let old = past.updateValue(new, forKey: tile.id)
        guard let frame = tile.frame else { return nil }
        let visible = frame.visibleRectangle
        var first = ["\(visible.width)x\(visible.height)"]
        first += [packets.codec?.rawValue, frame.image.format.map { "\($0)" }].compactMap(\.self)
        guard let old, now > old.time else { return first.joined(separator: " ") }
        let seconds = old.time.duration(to: now) / .seconds(1)
        func tenths(_ number: Double) -> String { "\((number * 10).rounded() / 10)" }
        let bits = Double(packets.bytes - old.packets.bytes) * 8 / seconds
        if packets.count > 0, bits >= 0 { first.append("\(tenths(bits / 1e6)) Mbit/s") }
        let (received, dropped) = (
            new.statistics.received - old.statistics.received,
            new.statistics.dropped + new.statistics.omitted - old.statistics.dropped - old.statistics.omitted
        )
        var second = ["\(tenths(Double(max(0, received)) / seconds)) pictures/s"]
        if dropped > 0 { second.append("\(tenths(Double(dropped) / seconds)) not shown") }
        if let median = new.latency.since(old.latency).percentile(0.5) {
            second.append("\(tenths(median / .milliseconds(1))) ms to the screen")
        }
        if let delay, delay > .zero {
            second.append("held \(Int((delay / .milliseconds(1)).rounded())) ms")
        }
        let third = Self.text(new.stages.since(old.stages)).map { "\n\($0)" } ?? ""
        return first.joined(separator: " ") + "\n" + second.joined(separator: ", ") + third
    }

    /// As in `212 ms after capture: receive 31, decode 4, wait 160, draw 12, screen 5`; `nil` without a live picture.
    static func text(_ stages: StageLatency) -> String? {
        guard let total = stages.total.percentile(0.5) else { return nil }
        func milliseconds(_ time: Duration) -> String { "\(Int((time / .milliseconds(1)).rounded()))" }
        let parts = [
            ("receive", stages.receive), ("decode", stages.decode), ("wait", stages.wait), ("draw", stages.draw),
            ("screen", stages.screen),
        ].compactMap { name, times in times.percentile(0.5).map { "\(name) \(milliseconds($0))" } }
        let since = stages.receive.count > 0 ? "capture" : "arrival"
        return "\(milliseconds(total)) ms after \(since): \(parts.joined(separator: ", "))"
    }

    /// Forgets tiles that are no longer on the wall.
    mutating func forget(except tiles: [WallTile]) {
        guard past.count > tiles.count else { return }
        let kept = Set(tiles.map(\.id))
        past = past.filter { kept.contains($0.key) }
    }
}
