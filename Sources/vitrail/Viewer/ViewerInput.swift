import MediaIO
import VideoWall

/// An input on the wall.
struct ViewerInput {
    /// What plays it.
    let stream: ViewerStream
    /// What other tiles may share; `nil` for nothing.
    let connection: InputSpecification.Connection?
    /// The tiles that show it.
    var tiles: [WallTile]
    /// The tiles that will show it from its first picture on, and another stream until then.
    var incoming: [WallTile] = []
    /// Whether it was dropped on the window, instead of named on the command line.
    let isDropped: Bool
    /// When it is removed; `nil` as long as it stays.
    private(set) var removal: ContinuousClock.Instant?

    /// How long the tile of a dropped file that cannot be shown says why.
    static let timeOfBrokenDrops = Duration.seconds(8)

    /// Puts an input on the wall to stay.
    init(
        stream: ViewerStream, connection: InputSpecification.Connection? = nil, tiles: [WallTile], isDropped: Bool
    ) {
        (self.stream, self.connection, self.tiles, self.isDropped) = (stream, connection, tiles, isDropped)
    }

    /// Whether no tile needs it any more.
    var isUnused: Bool { tiles.isEmpty && incoming.isEmpty }

    /// Notes when it is removed: some time after it has begun to say why it cannot be shown.
    mutating func noteRemoval(now: ContinuousClock.Instant) {
        removal = isDropped && isBroken ? removal ?? now + Self.timeOfBrokenDrops : nil
    }

    /// Whether it shows nothing, and as far as is known never will.
    private var isBroken: Bool {
        guard !tiles.isEmpty else { return false }
        // Of one that can be read, no frame could be drawn.
        if tiles.allSatisfy({ $0.report.failure != nil && $0.report.uploaded + $0.report.imported == 0 }) {
            return true
        }
        return switch tiles.first?.mailbox.condition {
        case .failed, .ended: !stream.hasDelivered
        case .waiting, .live, nil: false
        }
    }
}
