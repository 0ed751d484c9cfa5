import MediaIO
import VideoWall

/// What ``LiveEffects`` knows about a tile.
struct PacedTile {
    /// What was given to a lane.
    struct Begun: Equatable {
        var lane: Int
        var effects: [Effect]
        var size: VideoSize
    }

    /// The lane that draws it.
    var lane: Int
    /// The effects that are drawn; ``current`` may have newer ones.
    ///
    /// Empty until the first ones were tried.
    var chain: EffectChain
    /// The lane that tries newer effects; `nil` while there are none.
    var trial: Int? { didSet { if trial != oldValue { trialBegin = .now } } }
    /// When ``trial`` was chosen.
    private var trialBegin = MonotonicTime.now
    /// How long the first picture with its effects took, which a driver then knows from its cache on the disk.
    var firstTime: Duration?
    /// Whether it has moved to a lane that is to draw them for the first time.
    private var isNewToLane = false
    /// The effects that were refused, with their values, and why.
    var refusal: (chain: EffectChain, error: EffectError)?
    /// That the driver has crashed while it drew one of the effects.
    var crash: EffectError?
    /// The tile as it should be drawn.
    var current: WallScene.Tile?
    /// Whether ``current`` was not given to a lane yet.
    var isDue = false
    /// The last picture that was given to ``lane``.
    var begun: Begun?
    /// The newest picture.
    var shown: EffectLane.Result?
    /// Counts the pictures.
    var number = 0
    /// How long the last measured picture took.
    var time: Duration?
    /// How large and how often it is drawn by a lane.
    var pacer = EffectPacer()
    /// The budget for a picture, or `nil`.
    var budget: Duration?
    /// Whether the wall's renderer draws the effects itself.
    var isOwn = false
    /// How often in a row this took too long, and the last measurement that counted.
    private var ownExcess = (count: 0, measured: 0)
    /// Whether it is the whole wall.
    var isWhole = false
    /// Whether it is the whole wall, and tiles are at other places now than in its newest picture, which is shown.
    private(set) var isBehind = false
    /// Whether its newest picture is no longer shown for that reason.
    private var isOutdated = false
    /// The update that last asked for it.
    var update: Int

    // What a key has changed is shown at once, without the wall's effects, if these take longer than that, or if the
    // newest picture is older: a key is answered within 100 ms.
    private static let longestTime = Duration.milliseconds(40)
    private static let longestLag = Duration.milliseconds(80)

    /// A tile that was not seen before.
    init(_ tile: WallScene.Tile, lane: Int, update: Int) {
        (self.lane, chain, self.update) = (lane, tile.effects, update)
    }

    /// How much of its effects there is time for.
    var pace: EffectPace { budget == nil || isOwn ? .full : pacer.pace }

    /// The lane that has been trying newer effects for seconds; `nil` if there is none.
    func slowTrial(at time: MonotonicTime) -> Int? { time - trialBegin > .seconds(3) ? trial : nil }

    /// Whether the wall's renderer takes too long for the effects.
    var isTooSlow: Bool { ownExcess.count >= 3 }

    /// Why its effects are not drawn as they should be.
    var failure: EffectError? { crash ?? refusal?.error ?? (isOwn ? nil : shown?.failure ?? overload) }

    /// That there is no time for them.
    private var overload: EffectError? {
        guard pace == .muted, let budget else { return nil }
        func text(_ time: Duration) -> String { "\(Int((time / .milliseconds(1)).rounded())) ms" }
        return EffectError(
            "muted, because even a small picture took \(text(pacer.slowest)) of \(text(budget))",
            file: chain.applied.map(\.name).joined(separator: ", "))
    }

    /// Notes how long the wall's renderer took; after three pictures beyond the limit, a lane is to draw the tile.
    mutating func note(own report: TileReport, limit: Duration) {
        guard isOwn, !isTooSlow, let time = report.effectTime, report.effectTimes != ownExcess.measured else { return }
        ownExcess = (time > limit ? ownExcess.count + 1 : 0, report.effectTimes)
        if isTooSlow { isDue = true }
    }

    /// Draws other effects from now on.
    mutating func use(_ chain: EffectChain, lane: Int, firstTime: Duration) {
        (self.lane, self.chain, self.firstTime, isNewToLane) = (lane, chain, firstTime, false)
        ownExcess.count = 0
    }

    /// Is drawn by another lane from now on.
    mutating func move(to lane: Int) {
        (self.lane, begun, isDue) = (lane, nil, true)
        isNewToLane = firstTime != nil
    }

    /// Notes how long a lane took, if that was its first picture of the effects.
    ///
    /// - Returns: whether another lane would take much less time to compile them.
    mutating func note(first duration: Duration) -> Bool {
        guard let first = firstTime else {
            firstTime = duration
            return true
        }
        guard isNewToLane else { return true }
        isNewToLane = false
        let drawing = time ?? .zero
        return duration - drawing < max(.milliseconds(200), (first - drawing) * 0.6)
    }

    /// Whether what was drawn hides all that privacy masks hide now, those of other tiles in the picture, too.
    private func hidesAll(of tile: WallScene.Tile, _ scene: WallScene) -> Bool {
        guard let subject = shown?.subject else { return false }
        return subject.chain.hides(allOf: tile.effects)
            && subject.others.allSatisfy { other in
                scene.tiles.first { $0.id == other.id }.map { other.chain.hides(allOf: $0.chain) } ?? true
            }
    }

    /// Whether tiles are at other places than in the newest picture, which is one of the whole wall.
    private func isMoved(_ scene: WallScene) -> Bool {
        guard isWhole, let others = shown?.subject.others else { return false }
        return !others.allSatisfy { other in
            scene.tiles.contains { $0.id == other.id && $0.hasPlace(of: other) }
        }
    }

    /// Notes whether the wall has changed since its newest picture, and whether that is too late to be shown.
    mutating func noteLag(_ scene: WallScene) {
        guard !isOwn, budget != nil, pace != .muted, let shown, isMoved(scene) else {
            return (isBehind, isOutdated) = (false, false)
        }
        isOutdated = (time ?? .zero) > Self.longestTime || .now - shown.subject.begin > Self.longestLag
        isBehind = !isOutdated
    }

    /// The newest picture with effects, unless it lacks a privacy mask.
    func shown(instead tile: WallScene.Tile, of scene: WallScene) -> WallScene.Tile {
        if isOwn {
            guard chain.hides(allOf: tile.effects) else { return Self.plain(tile) }
            var own = tile
            own.effects = chain
            own.plan()
            return own
        }
        guard pace != .muted, let shown, let frame = shown.frame, hidesAll(of: tile, scene), !isOutdated else {
            return Self.plain(tile)
        }
        var new = tile
        let area = tile.placement.destination
        (new.frame, new.frameNumber) = (frame, shown.number)
        new.placement = ContentMode.Placement(destination: area)
        (new.orientation, new.colorOverride, new.scalesInLinearLight) = (.upright, ColorOverride(), false)
        let isSame = frame.image.size == VideoSize(width: area.width, height: area.height)
        new.filter = isSame ? .nearest : .bilinear
        (new.effects, new.effectPlan, new.effectInputs) = (EffectChain(), EffectPlan(), .init())
        return new
    }

    /// The tile without effects but privacy masks.
    static func plain(_ tile: WallScene.Tile) -> WallScene.Tile {
        var plain = tile
        plain.keepOnlyMasks()
        plain.effectInputs = .init()
        return plain
    }
}

extension WallScene.Tile {
    /// Whether both are at the same place, and show the same part of their frames in the same way.
    fileprivate func hasPlace(of other: WallScene.Tile) -> Bool {
        rectangle == other.rectangle && placement == other.placement && orientation == other.orientation
    }
}

extension EffectChain {
    /// The effects that are applied.
    var applied: [Effect] { bypassReason == nil ? steps.filter(\.isOn).map(\.effect) : [] }
}
