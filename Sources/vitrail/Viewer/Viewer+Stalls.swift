import Logging
import MediaIO
import VideoWall

/// Streams that are connected, but send no picture.
extension Viewer {
    /// After this time without a new picture, a live stream is called stalled.
    static let stallTime = Duration.seconds(3)

    /// Has the wall watch the streams whose pictures never cease.
    func watchPictures() {
        for input in inputs {
            let time = input.stream.expectsPictures ? Self.stallTime : nil
            for tile in input.tiles where tile.stallTime != time { tile.stallTime = time }
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
            } else if tile.isStalled {
                stalled[tile.id] = received
                logger.warning("\(tile.name): no picture for \(Self.stallTime.components.seconds) s.")
            }
        }
    }
}
