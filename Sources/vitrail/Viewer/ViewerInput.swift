import MediaIO
import VideoWall

/// An input on the wall.
struct ViewerInput {
    /// What plays it.
    let stream: ViewerStream
    /// The tiles that show it, at least one.
    var tiles: [WallTile]
    /// Whether it was dropped on the window, instead of named on the command line.
    let isDropped: Bool
    /// When it is removed; `nil` as long as it stays.
    var removal: ContinuousClock.Instant?

    /// Whether it shows nothing, and never will.
    var isBroken: Bool {
        if case .failed = tiles.first?.mailbox.condition { return !stream.hasDelivered }
        return false
    }
}
