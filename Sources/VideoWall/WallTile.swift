public import MediaIO

/// One stream's place on a wall: the mailbox that its frames come through, and how they are shown.
///
/// A tile may be on several walls at once: each shows its newest frame.
///
/// **Thread:** render thread; only the mailbox is for all.
public final class WallTile: Identifiable {
    /// Which tile it is, for as long as anyone asks.
    public struct ID: Hashable, Sendable {
        private final class Token: Sendable {}
        // The object lives as long as anyone has the identity, so its address is nobody else's.
        private let token = Token()

        /// Whether both are the same tile.
        public static func == (left: ID, right: ID) -> Bool { left.token === right.token }

        /// Feeds the identity to a hasher.
        public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(token)) }
    }

    /// Which tile it is.
    public let id = ID()
    /// What people call the stream; shown while there is no picture.
    public let name: String
    /// Where the source puts its frames.
    public let mailbox: FrameMailbox
    /// How the picture fills the tile.
    public var contentMode = ContentMode.fit
    /// A turn on top of the frame's own.
    public var rotation = VideoRotation.upright
    /// A mirror on top of the frame's own, after all turns.
    public var mirror = VideoMirror.unmirrored
    /// How the picture is scaled.
    public var filter = ScalingFilter.automatic
    /// Whether scaling averages light instead of code values: truer at fine detail, and slower.
    public var scalesInLinearLight = false
    /// What is taken of the picture's colours instead of what its frames say.
    public var colorOverride = ColorOverride()
    /// A text over the upper left corner of the tile, or `nil`.
    public var label: String?
    /// What the renderer has done with the tile, as ``WallRenderer/render(_:into:)`` last noted.
    public internal(set) var report = TileReport()
    /// The newest picture, or `nil` until there is one.
    public private(set) var frame: VideoFrame?
    /// How the source was doing when the tile was last brought up to date.
    public private(set) var condition: SourceCondition

    /// How often the mailbox had been cleared when ``frame`` was taken.
    private var generation: Int
    /// Counts the changes of ``frame``.
    private(set) var frameNumber = 0

    /// Creates a tile that waits for its first frame.
    public init(name: String, mailbox: FrameMailbox = FrameMailbox()) {
        self.name = name
        self.mailbox = mailbox
        condition = mailbox.condition
        generation = mailbox.generation
    }

    /// What the tile says that is wrong or awaited; `nil` while all is well.
    public var notice: String? {
        if let failure = report.failure { return failure }
        switch condition {
        case .failed(let reason), .waiting(let reason): return reason
        case .ended: return frame == nil ? "ended without a picture" : "ended"
        case .live: return nil
        }
    }

    /// Whether the notice tells of something that is wrong.
    var isInTrouble: Bool {
        if case .failed = condition { return true }
        return report.failure != nil
    }

    /// Counts since the tile was made.
    public var statistics: TileStatistics {
        let box = mailbox.statistics
        var all = TileStatistics()
        (all.received, all.dropped) = (box.received, box.dropped)
        (all.uploaded, all.drawn, all.failed) = (report.uploaded, report.drawn, report.failed)
        return all
    }

    /// The frame's orientation and the tile's own on top.
    public var orientation: Orientation {
        let own = Orientation(rotation: rotation, mirror: mirror)
        guard let attributes = frame?.attributes else { return own }
        return Orientation(rotation: attributes.rotation, mirror: attributes.mirror).followed(by: own)
    }

    /// The width of the picture as shown divided by its height; 16:9 until there is one.
    public var aspectRatio: Double {
        guard let frame else { return 16.0 / 9 }
        let visible = frame.visibleRectangle
        let ratio = Double(visible.width) / Double(visible.height) * frame.attributes.pixelAspectRatio.value
        return orientation.rotation.isQuarterTurn ? 1 / ratio : ratio
    }

    /// Whether ``update()`` would change anything.
    var hasNews: Bool { mailbox.hasFrame || mailbox.condition != condition || mailbox.generation != generation }

    /// Takes the newest frame, if one has come since the last time, and how the source is doing.
    func update() {
        condition = mailbox.condition
        if generation != mailbox.generation {
            generation = mailbox.generation
            clear()
        }
        guard let newest = mailbox.take() else { return }
        frame = newest
        frameNumber += 1
    }

    /// Shows no picture until the next frame comes.
    public func clear() {
        guard frame != nil else { return }
        frame = nil
        frameNumber += 1
    }
}
