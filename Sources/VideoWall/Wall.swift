public import MediaIO
import VitrailSupport

/// A wall of many streams in one picture: what is shown, and where.
///
/// A ``WallRenderer`` draws it. ``update(size:)`` takes the newest frames and makes the ``scene``; the renderer's
/// `render(_:into:)` does both.
///
/// **Thread:** render thread.
public final class Wall: Identifiable {
    /// The identity of a wall, which is never reused while it is referenced.
    public typealias ID = WallTile.ID

    /// The wall's identity.
    public let id = ID()
    /// The streams, in the order of the layout.
    public var tiles: [WallTile] { entries.map(\.tile) }
    /// How the wall is divided.
    public var layout: any WallLayout { didSet { invalidateLayout() } }
    /// The part of the wall that this picture of it shows; the whole by default.
    ///
    /// Tiles, layouts and the focus are those of the whole wall, whose ``area`` is larger than the ``scene``; tiles beside
    /// the scene are hidden. Overlays of the wall are relative to the scene, and effects on the whole wall see only what
    /// the scene shows.
    public var part = WallPart.whole { didSet { if part != oldValue { invalidateLayout() } } }
    /// Where the whole wall lies, relative to the ``scene``, in pixels: its bounds unless the wall has several ``part``s.
    public var area: Rectangle { part.area(around: scene.size) }
    /// The only visible tile, or `nil` for all; a tile that is not on the wall counts as `nil`.
    ///
    /// Hidden tiles leave their newest frame in the mailbox until they are visible.
    public var focus: WallTile.ID? { didSet { if focus != oldValue { invalidateLayout() } } }
    /// How long tiles take to move to new places when ``layout``, ``focus``, their order or their set changes; zero, the
    /// default, for no time.
    ///
    /// The first ``update(size:)`` after the change begins the transition: see ``isInTransition``. Another size of the
    /// scene or another shape of a frame moves tiles at once, and another size ends a transition.
    public var transitionTime = Duration.zero
    /// Whether the wall is visible: set it to false while its window is minimised.
    ///
    /// Sources then need not make frames. False takes effect immediately, true at the next ``update(size:)``.
    public var isVisible = true {
        didSet {
            note(isVisible && !oldValue)
            guard !isVisible else { return }
            tellWants()
            forgetWatching()
        }
    }
    /// A text over the upper left corner of the whole wall, or `nil`.
    public var overlay: String? { didSet { if overlay != oldValue { hasNewOverlays = true } } }
    /// Images over all tiles, under the text, in drawing order; relative to the wall's upper left corner.
    public var overlays: [WallOverlay] = [] { didSet { if overlays != oldValue { hasNewOverlays = true } } }
    /// The colours of the screen or target.
    public var colorTarget = ColorTarget.sRGB { didSet { note(colorTarget != oldValue) } }
    /// The colour of what no picture covers, between tiles and beside pictures: R, G and B of sRGB, 0…1; black
    /// by default.
    public var surround = SIMD3<Float>.zero { didSet { note(surround != oldValue) } }
    /// Which frames are converted to ``colorTarget``.
    public var colorConversion = ColorConversionMode.auto { didSet { note(colorConversion != oldValue) } }
    /// The memory that sources should make their frames in; set by the renderer when it draws the wall.
    public var frameMemory: (any FrameMemory)?
    /// The effects on the whole wall with the overlays of its tiles, but without ``overlay`` and ``overlays``.
    public var effects = EffectChain() { didSet { note(effects != oldValue) } }
    /// The longest time that the effects of a tile, or those on the whole wall, may take for a picture; `nil` for any.
    ///
    /// Effects of a tile that exceed it in three measured pictures in a row, or tenfold in one, are drawn smaller, then less
    /// often, then not at all, if there is an ``effectStage``; see ``EffectPace``. Without one, and on the whole wall, they
    /// are bypassed: see ``EffectChain/bypassReason``. The GPU's time is measured; with a software driver, the CPU's.
    public var effectBudget: Duration?
    /// Draws tiles with effects at a pace of their own, or `nil`; set by the renderer when it draws the wall.
    public var effectStage: (any EffectStage)?
    /// Whether the stage had news that the reports do not have yet.
    var hasStageNews = false
    /// The time for effects that change with it; for them it begins anew after 32,768 seconds, which is nine hours.
    public var time = Duration.zero { didSet { note(time != oldValue && isAnimated) } }
    /// The local date for Shadertoy's `iDate`: year, month from 0, day, seconds of the day; `nil` for zeros and
    /// ``time``.
    public var date: SIMD4<Float>?
    /// The position of the mouse for effects that follow it, in pixels of the scene, y downwards; `nil` if it is
    /// elsewhere.
    public var mouse: SIMD2<Double>? { didSet { note(mouse != oldValue && followsMouse) } }
    /// Whether any visible effect changes with ``time``, so that the wall must be drawn continuously.
    public var isAnimated: Bool {
        if effects.isAnimated { return true }
        let focus = focusedIndex
        // By index: in debug builds an array's iterator allocates.
        for index in entries.indices where (focus ?? index) == index {
            if entries[index].tile.effects.isAnimated { return true }
        }
        return false
    }
    /// How tiles say what their streams are, and how they are.
    public var tileLook = TileLook() { didSet { note(tileLook != oldValue) } }
    /// The number of the scene that was taken last, for a wall whose scenes are taken at ticks: each tick shows one more frame
    /// of a stream, not the newest one; `nil` for a wall that shows the newest frames.
    package var takenScene: Int?
    /// The clock for the ages of pictures, that of the mailboxes.
    package var now: @Sendable () -> MonotonicTime = { .now }
    /// Whether ``effects`` keep to the budget.
    var budget = EffectBudget()
    /// What the renderer reports of ``effects``, and why an overlay could not be drawn, if one could not.
    public internal(set) var report = TileReport()
    /// The scene to draw, as of the last ``update(size:)``.
    public internal(set) var scene: WallScene

    /// Rasterizes labels and notices.
    package let text: (any TextPainter)?
    /// Makes what tiles have in common.
    let tilePainter: TilePainter?
    var entries: [Entry] = []
    var overlayText = TextSlot()
    /// The wall's own overlays and its text in ``scene``.
    var shownOverlays: (own: [WallOverlay], text: WallOverlay?) = ([], nil)
    /// The aspect ratios that the tiles were last placed for; `nil` if they must be placed again.
    var layoutRatios: [Double]?
    /// Whether anything but a tile's own state and the wall's own overlays has changed since the last update.
    var hasOwnChanges = true
    /// Whether the wall's own overlays have changed since they were last updated.
    var hasNewOverlays = false
    /// Collects changed rectangles, in reused memory.
    var changes: [Rectangle] = []
    /// The running transition, or `nil`.
    var transition: Transition?
    /// Whether a change since the last update lets tiles move to their new places.
    var isMoveDue = false
    /// Counts the times that a privacy mask has changed.
    var maskCount = 0
    /// Counts the changes of the tiles, their layout and the focus.
    private(set) var arrangement = 0
    /// The ``arrangement`` of the wall that this one follows, as it was last taken over; `nil` before.
    var followed: Int?

    /// A tile, with its overlays and what this wall knows about it.
    struct Entry {
        let tile: WallTile
        var overlays = TileOverlays()
        /// The tile's revision at the last update.
        var revision = -1
        /// Its frames, if the scenes are taken at ticks.
        var stepped = SteppedFrames()
        /// The rectangle that it has, or has at the end of a transition.
        var target = Rectangle.hidden
        /// The rectangle that it had at the beginning of a transition.
        var origin = Rectangle.hidden
        /// The rectangle in which it was last drawn.
        var shown = Rectangle.hidden
        /// Why this wall's renderer could not draw the tile, or `nil` if it could.
        var failure: String?
        /// Why an effect could not be applied, or `nil`.
        var effectFailure: EffectError?
        /// Whether its effects keep to the budget.
        var budget = EffectBudget()
        /// How its effects are drawn.
        var effectPlan = EffectPlan()
        /// What the scene showed, while an effect stage is about to be asked for the tile.
        var staged: WallScene.Tile?
        /// Whether the effects of a visible tile read this one.
        var isRead = false
        /// Since when frames have been expected; `nil` while they are not.
        var watchedSince: MonotonicTime?
        /// What it had to say at the last update.
        var status = TileStatus.none
        /// The wants last passed on for the tile; `nil` before the first.
        var wants: VideoSinkWants?
        let claim: SinkDemand.Claim?

        init(_ tile: WallTile) {
            self.tile = tile
            claim = tile.mailbox.demand?.makeClaim()
        }
    }

    /// Creates an empty wall.
    ///
    /// - Parameters:
    ///   - layout: the layout of the tiles.
    ///   - text: rasterizes labels and notices; without it there are none.
    public init(layout: any WallLayout = GridLayout(gap: 2), text: (any TextPainter)? = nil) {
        self.layout = layout
        self.text = text
        tilePainter = text.map { TilePainter($0) }
        scene = WallScene(wall: id)
    }

    /// Makes a tile and appends it.
    @discardableResult
    public func addTile(named name: String, mailbox: FrameMailbox = FrameMailbox()) -> WallTile {
        let tile = WallTile(name: name, mailbox: mailbox)
        insert(tile)
        return tile
    }

    /// Inserts a tile that is not on the wall yet.
    ///
    /// - Parameters:
    ///   - tile: the tile.
    ///   - index: the tile's new index, 0…count; by default the end.
    public func insert(_ tile: WallTile, at index: Int? = nil) {
        require(!entries.contains { $0.tile === tile }, "The tile is already on this wall: use move(_:to:).")
        require((0...entries.count).contains(index ?? 0), "The index of a new tile must be 0...\(entries.count).")
        entries.insert(Entry(tile), at: index ?? entries.count)
        invalidateLayout()
    }

    /// Moves a tile to another place in the order.
    ///
    /// - Parameters:
    ///   - tile: one of ``tiles``.
    ///   - index: its new index, 0..<count.
    public func move(_ tile: WallTile, to index: Int) {
        guard let old = entries.firstIndex(where: { $0.tile === tile }) else {
            brokenRule("The tile is not on this wall: insert it first.")
        }
        require(entries.indices.contains(index), "The new index must be 0..<\(entries.count).")
        entries.insert(entries.remove(at: old), at: index)
        invalidateLayout()
    }

    /// Removes a tile from the wall, if it is there; the focus stays unless it was on that tile.
    public func remove(_ tile: WallTile) {
        entries.removeAll { $0.tile === tile }
        if focus == tile.id { focus = nil }
        invalidateLayout()
    }

    /// The tile with an identity, if it is on the wall.
    public func tile(_ id: WallTile.ID) -> WallTile? { entries.first { $0.tile.id == id }?.tile }

    /// The tile `step` tiles after another one, wrapping around.
    ///
    /// If `id` is `nil` or not on the wall: the first tile for a positive step, otherwise the last.
    public func tile(_ step: Int, from id: WallTile.ID?) -> WallTile? {
        guard !entries.isEmpty else { return nil }
        guard let old = id.flatMap({ id in entries.firstIndex { $0.tile.id == id } }) else {
            return step > 0 ? entries.first?.tile : entries.last?.tile
        }
        return entries[((old + step) % entries.count + entries.count) % entries.count].tile
    }

    /// The tile at a position of the ``scene``, y downwards; `nil` outside all tiles.
    public func tile(atX x: Double, y: Double) -> WallTile? {
        scene.tile(atX: x, y: y).flatMap { tile(scene.tiles[$0].id) }
    }

    /// Whether the wall or a visible tile has changed since this wall's last ``update(size:)``, so that it must be
    /// updated again.
    ///
    /// If a tile is on several walls, this is tracked separately for each. A change of the size is not included: the
    /// caller knows the size.
    ///
    /// **Cost:** every frame; one short lock per visible tile, up to the first that has changed.
    public var hasChanges: Bool {
        if hasOwnChanges || hasNewOverlays || isInTransition || hasStageNews || effectStage?.hasNews == true {
            return true
        }
        let (focus, now) = (focusedIndex, now())
        for index in entries.indices where (focus ?? index) == index || entries[index].isRead {
            let tile = entries[index].tile
            if tile.revision != entries[index].revision || tile.hasChanges { return true }
            if let takenScene, entries[index].stepped.isDue(takenScene) { return true }
            if status(ofTile: index, at: now) != entries[index].status { return true }
        }
        return false
    }

    /// Whether the next scene will have further frames, once this one was taken.
    package var hasWaitingFrames: Bool {
        for index in entries.indices where entries[index].stepped.isWaiting { return true }
        return false
    }

    private var followsMouse: Bool {
        if effects.followsMouse { return true }
        for index in entries.indices where entries[index].tile.effects.followsMouse { return true }
        return false
    }

    private func invalidateLayout() {
        (layoutRatios, hasOwnChanges, isMoveDue) = (nil, true, true)
        arrangement += 1
    }

    private func note(_ isChanged: Bool) { if isChanged { hasOwnChanges = true } }
}
