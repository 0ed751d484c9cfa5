import Logging
import MediaIO
import VideoWall

/// The instant that live streams show together, and the clocks of their senders.
extension Viewer {
    /// Marks the tiles whose clock is missing or wrong, once a second, and logs what is wrong.
    func updateAlignment() {
        guard clock.now >= nextAlignment else { return }
        nextAlignment = clock.now + .seconds(1)
        for input in inputs {
            guard let tile = input.tiles.first else { continue }
            let report = input.stream.captureReport
            let error = report?.clockError
            let isKnown = wrongClocks.contains(tile.id)
            if let error, !isKnown {
                wrongClocks.insert(tile.id)
                logger.warning(
                    "\(tile.name): its clock is \(Self.text(ofClockError: error)): set it, by NTP for example.")
            } else if report?.networkDelay != nil, isKnown {
                wrongClocks.remove(tile.id)
                logger.notice("\(tile.name): its clock is right again.")
            }
        }
        if early.shared.alignment != nil { refreshBadges() }
    }

    /// When tiles are next marked; `nil` if they are not aligned.
    var alignmentDue: ContinuousClock.Instant? { early.shared.alignment == nil ? nil : nextAlignment }

    /// What a tile says of its clock, while streams are aligned.
    func alignmentBadge(of stream: ViewerStream) -> TileBadge? {
        guard early.shared.alignment != nil, stream.expectsPictures, let report = stream.captureReport else {
            return nil
        }
        if let error = report.clockError {
            return TileBadge("CLOCK \(Self.text(ofClockError: error).uppercased())", isAlarm: true)
        }
        return report.networkDelay == nil ? TileBadge("NO CLOCK", isAlarm: true) : nil
    }

    /// As in `5.0 s behind`.
    static func text(ofClockError error: Duration) -> String {
        let seconds = (error / .milliseconds(100)).rounded() / 10
        return "\(abs(seconds)) s \(seconds < 0 ? "ahead" : "behind")"
    }

    /// What the statistics say of the alignment of tiles; `nil` without it.
    func alignmentText(of tiles: [WallTile]) -> String? {
        guard let alignment = early.shared.alignment else { return nil }
        let spread = WallStatistics.spread(of: tiles).map { ", \(WallRecord.milliseconds($0)) ms apart" } ?? ""
        return "aligned \(WallRecord.milliseconds(alignment.delay)) ms after capture\(spread)"
    }
}
