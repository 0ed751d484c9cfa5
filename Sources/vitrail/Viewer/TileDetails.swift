import MediaIO
import VideoWall

/// The lines of a tile about its stream: size and format, codec and bit rate, pictures a second, latency.
struct TileDetails {
    private struct Past {
        var statistics: TileStatistics
        var latency: FrameLatency
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
    /// - Returns: one or two lines; `nil` before the first picture.
    mutating func text(
        of tile: WallTile, _ packets: PacketTotals, heldFor delay: Duration?, now: ContinuousClock.Instant
    ) -> String? {
        let new = Past(statistics: tile.statistics, latency: tile.latency, packets: packets, time: now)
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
        return first.joined(separator: " ") + "\n" + second.joined(separator: ", ")
    }

    /// Forgets tiles that are no longer on the wall.
    mutating func forget(except tiles: [WallTile]) {
        guard past.count > tiles.count else { return }
        let kept = Set(tiles.map(\.id))
        past = past.filter { kept.contains($0.key) }
    }
}
