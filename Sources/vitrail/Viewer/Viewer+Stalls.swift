import Logging
import MediaIO
import VideoWall

/// Streams that are connected, but send no picture, or not all.
extension Viewer {
    /// Tells the tiles of which streams the pictures never cease, and which stand still.
    func watchPictures() {
        for input in inputs {
            let ladder = input.stream.expectsPictures ? SilenceLadder() : nil
            let isLive = ladder != nil || input.stream.source is LiveSource
            for tile in input.tiles {
                if tile.silenceLadder != ladder { tile.silenceLadder = ladder }
                if tile.isPaused != isPaused { tile.isPaused = isPaused }
                if tile.hasClock != isLive { tile.hasClock = isLive }
            }
        }
    }

    /// Logs once that a stream has stalled, and that it goes on.
    func logStalls() {
        for input in inputs {
            guard let tile = input.tiles.first else { continue }
            let received = tile.mailbox.statistics.received
            if let old = stalled[tile.id] {
                // What becomes of a stream that is lost meanwhile is logged elsewhere. A hidden one may still be stalled.
                guard received > old || tile.condition != .live else { continue }
                stalled[tile.id] = nil
                if tile.condition == .live { logger.notice("\(tile.name): pictures arrive again.") }
            } else if let time = tile.missingTime, tile.state == .stalled {
                stalled[tile.id] = received
                logger.warning("\(tile.name): no picture for \(Int((time / .seconds(1)).rounded())) s.")
            }
        }
    }

    /// Logs, once a minute at most, how many pictures of a live stream were left out.
    func logOmissions() {
        let now = clock.now
        guard now >= nextOmissions else { return }
        nextOmissions = now + .seconds(1)
        for input in inputs where input.stream.source is LiveSource {
            guard let tile = input.tiles.first else { continue }
            let total = tile.mailbox.statistics.omitted
            var log = omissions[tile.id] ?? OmissionLog(known: total)
            // What was left out before the first picture of a connection was never there to be shown. Until it comes,
            // nothing may be drawn, and this not be called.
            let isLive = tile.mailbox.condition == .live
            if let count = log.note(total, isCounted: isLive, at: now) {
                logger.warning(
                    "\(tile.name): \(count) \(count == 1 ? "picture was" : "pictures were") left out: packets were lost or damaged, or came too fast to be decoded."
                )
            }
            omissions[tile.id] = log
        }
    }
}
