public import MediaIO

/// A tile of a wall: the mailbox of a stream's frames, and how they are shown.
///
/// A tile may be on several walls at the same time, and several tiles may share a mailbox. One that joins after all
/// others have taken the newest frame shows nothing until the next one.
///
/// **Thread:** render thread; only the mailbox may be used on any thread.
public final class WallTile: Identifiable {
    /// The identity of a tile, which is never reused while it is referenced.
    public struct ID: Hashable, Sendable {
        private final class Token: Sendable {}
        // The object lives as long as the identity is referenced, so its address is unique.
        private let token = Token()

        /// Whether both are the same tile.
        public static func == (left: ID, right: ID) -> Bool { left.token === right.token }

        /// Hashes the identity.
        public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(token)) }
    }

    /// The tile's identity.
    public let id = ID()
    /// The name of the stream; shown while there is no frame.
    public let name: String
    /// The mailbox that the source puts its frames into.
    public var mailbox: FrameMailbox { reader.mailbox }
    private let reader: FrameMailbox.Reader
    /// How frames fill the tile.
    public var contentMode = ContentMode.fit { didSet { note(contentMode != oldValue) } }
    /// The part of the picture that is shown, enlarged; `nil` for all of it.
    public var zoom: TileZoom? { didSet { note(zoom != oldValue) } }
    /// A rotation in addition to the frame's own.
    public var rotation = VideoRotation.upright { didSet { note(rotation != oldValue) } }
    /// A mirror in addition to the frame's own, after all rotations.
    public var mirror = VideoMirror.unmirrored { didSet { note(mirror != oldValue) } }
    /// The scaling filter.
    public var filter = ScalingFilter.automatic { didSet { note(filter != oldValue) } }
    /// Whether scaling averages light instead of code values: more accurate at fine detail, but slower.
    public var scalesInLinearLight = false { didSet { note(scalesInLinearLight != oldValue) } }
    /// Overrides of the frames' colours.
    public var colorOverride = ColorOverride() { didSet { note(colorOverride != oldValue) } }
    /// The effects on the tile's picture; a change of values is seen in the next picture.
    public var effects = EffectChain() { didSet { note(effects != oldValue) } }
    /// A text over the upper left corner of the tile, or `nil`.
    public var label: String? { didSet { note(label != oldValue) } }
    /// A short text over the upper right corner, such as that the stream is recorded; `nil` for none.
    public var badge: TileBadge? { didSet { note(badge != oldValue) } }
    /// Images over the tile, under its texts, in drawing order; relative to its upper left corner and clipped to it.
    public var overlays: [WallOverlay] = [] { didSet { note(overlays != oldValue) } }
    /// Lines about the stream, such as its rate, over the upper left corner if ``TileLook/hasDetails``; `nil` for none.
    public var details: String? { didSet { note(details != oldValue) } }
    /// What the tile says of a live source that is silent; `nil`, the default, for nothing.
    ///
    /// Set it for streams whose frames arrive regularly, as from a camera. The time counts from the arrival of ``frame``,
    /// but not before the tile was visible and this was set. See ``Wall/timeUntilChange`` for when to draw.
    public var silenceLadder: SilenceLadder? { didSet { note(silenceLadder != oldValue) } }
    /// Whether the user has stopped the stream, so that no frames are expected.
    public var isPaused = false { didSet { note(isPaused != oldValue) } }
    /// Whether it shows another moment than the present on purpose: then an old picture is not covered by words about the
    /// present, such as that its source is lost.
    public var showsPast = false { didSet { note(showsPast != oldValue) } }
    /// Whether the tile says at which time of day ``frame`` arrived, if ``TileLook/clockOffset`` is set.
    public var hasClock = false { didSet { note(hasClock != oldValue) } }
    /// Whether the picture was old at the last update of its wall: it is then dimmed, and says how old it is.
    public internal(set) var hasOldPicture = false
    /// For how long pictures have been missing, at least, at the last update of its wall; `nil` if they are not missing.
    ///
    /// It is the last step of the ``silenceLadder``, as it is for this source. While there were only a few frames, the source
    /// may be a slow one, which is no reason for an alarm, although the tile already says that it waits.
    package internal(set) var missingTime: Duration?
    /// The state at the last update of its wall.
    var shownState = TileState.connecting
    /// How far apart its frames usually are.
    private(set) var usualDistance = UsualDistance()
    /// Whether its frames are all the same.
    private(set) var repeats = PictureRepeats()
    /// The renderer's counts for the tile, as of the last ``WallRenderer/render(_:into:)``.
    public internal(set) var report = TileReport()
    /// The newest frame, or `nil` until there is one.
    public private(set) var frame: VideoFrame?
    /// When ``frame`` was put into the mailbox; `nil` without a frame.
    private(set) var arrival: MonotonicTime?
    /// Whether ``latency`` has counted ``frame``.
    private var isPresented = false
    /// How long frames took from the mailbox to the screen; only frames reported by ``Wall/notePresented()`` count.
    public private(set) var latency = FrameLatency()
    /// How long each stage took that frames of a live stream went through.
    public private(set) var stages = StageLatency()
    /// When ``frame`` was taken from the mailbox.
    private var taken = MonotonicTime(sinceBoot: .zero)
    /// The condition of the source at the tile's last update.
    public private(set) var condition: SourceCondition { didSet { note(condition != oldValue) } }

    /// The mailbox's generation when ``frame`` was taken.
    private var generation: Int
    /// Counts the changes of ``frame``.
    private(set) var frameNumber = 0 { didSet { revision += 1 } }
    /// Counts the changes of everything that is visible, except renderers' failures, which each wall keeps for itself.
    private(set) var revision = 0

    /// Creates a tile that waits for its first frame.
    public init(name: String, mailbox: FrameMailbox = FrameMailbox()) {
        self.name = name
        reader = mailbox.makeReader()
        condition = mailbox.condition
        generation = mailbox.generation
    }

    /// The text about a failure or a wait; `nil` while the stream is live.
    public var notice: String? {
        notice(report.failure ?? effects.bypassReason ?? (effects.failure ?? report.effectFailure)?.description)
    }

    /// The text about a renderer's failure, or else about the source.
    func notice(_ failure: String?) -> String? {
        if let failure { return failure }
        switch condition {
        case .failed, .waiting, .live: return condition.reason
        case .ended: return frame == nil ? "ended without a frame" : "ended"
        }
    }

    /// What there is to say about the stream now.
    ///
    /// That it is late, stalled or frozen is known as of the last update of its wall, and only of a visible tile.
    public var state: TileState {
        let now = state(mailbox.condition, failure: report.failure)
        return now == .live && condition == .live && shownState.isOfSilence ? shownState : now
    }

    /// The state without regard to silence.
    func state(_ condition: SourceCondition, failure: String?) -> TileState {
        switch condition {
        case .failed(_, let code): code == .noVideo ? .noVideo : .failed
        case _ where failure != nil: .failed
        case .waiting(_, _, .noSignal): .noSignal
        case .waiting(_, _, .noVideo): .noVideo
        case .waiting(_, nil, nil) where frame == nil: isPaused ? .paused : .connecting
        case .waiting: .offline
        case .ended: .ended
        case .live: isPaused ? .paused : frame == nil ? .connecting : .live
        }
    }

    /// What the source delivered since the mailbox was made, and what became of it in the ``report``.
    public var statistics: TileStatistics {
        let box = mailbox.statistics
        var all = TileStatistics()
        (all.received, all.dropped, all.omitted) = (box.received, box.dropped, box.omitted)
        (all.uploaded, all.imported) = (report.uploaded, report.imported)
        (all.drawn, all.failed) = (report.drawn, report.failed)
        return all
    }

    /// The frame's orientation, followed by the tile's own.
    public var orientation: Orientation {
        let own = Orientation(rotation: rotation, mirror: mirror)
        guard let attributes = frame?.attributes else { return own }
        return Orientation(rotation: attributes.rotation, mirror: attributes.mirror).followed(by: own)
    }

    /// The aspect ratio of the frame as shown; 16:9 until there is one.
    public var aspectRatio: Double {
        guard let frame else { return 16.0 / 9 }
        let visible = frame.visibleRectangle
        let ratio = Double(visible.width) / Double(visible.height) * frame.attributes.pixelAspectRatio.value
        return orientation.rotation.isQuarterTurn ? 1 / ratio : ratio
    }

    /// Where the frame is drawn in a rectangle, and which part of it.
    package func placement(in area: Rectangle) -> ContentMode.Placement {
        let all = contentMode.place(aspectRatio: aspectRatio, in: area)
        return zoom.map { all.enlarged($0.scale, x: $0.x, y: $0.y, in: area) } ?? all
    }

    /// Whether ``update()`` would change anything.
    var hasChanges: Bool { mailbox.hasChanges(for: reader, since: condition, generation: generation) }

    private func note(_ isChanged: Bool) { if isChanged { revision += 1 } }

    /// Takes the newest frame, if there is a new one, and the source's condition.
    ///
    /// - Parameter now: the time.
    func update(now: MonotonicTime = .now) {
        let news = mailbox.takeNews(for: reader)
        condition = news.condition
        if generation != news.generation {
            generation = news.generation
            usualDistance.forget()
            repeats.forget()
            clear()
        }
        guard let newest = news.newest else { return }
        if silenceLadder != nil {
            if let arrival { usualDistance.note(newest.arrival - arrival) }
            if silenceLadder?.frozen != nil { repeats.note(newest.frame, at: newest.arrival) }
        }
        (frame, arrival, isPresented, taken) = (newest.frame, newest.arrival, false, now)
        frameNumber += 1
    }

    /// Notes that the newest frame is on the screen.
    ///
    /// - Parameters:
    ///   - time: since when.
    ///   - drawn: when it was drawn; `nil` if that is not known.
    /// - Returns: whether it was not before.
    func notePresented(at time: MonotonicTime, drawn: MonotonicTime?) -> Bool {
        guard let arrival, let frame, !isPresented else { return false }
        isPresented = true
        latency.note(time - arrival)
        stages.note(frame.timing, taken: taken, drawn: drawn ?? time, presented: time)
        return true
    }

    /// Replaces the attributes of ``frame``, as when a setting of its source is changed while no new frame arrives.
    ///
    /// Nothing happens without a frame.
    public func setAttributes(_ attributes: FrameAttributes) {
        guard let old = frame, old.attributes != attributes else { return }
        frame?.attributes = attributes
        frameNumber += 1
    }

    /// Shows no frame until the next one arrives.
    public func clear() {
        guard frame != nil else { return }
        (frame, arrival) = (nil, nil)
        frameNumber += 1
    }
}
