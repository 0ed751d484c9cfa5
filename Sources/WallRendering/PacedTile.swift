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
    var chain: EffectChain
    /// The lane that tries newer effects; `nil` while there are none.
    var trial: Int?
    /// The effects that were refused, and why.
    var refusal: (effects: [Effect], error: EffectError)?
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
    /// The update that last asked for it.
    var update: Int

    /// A tile that was not seen before.
    init(_ tile: WallScene.Tile, lane: Int, update: Int) {
        (self.lane, chain, self.update) = (lane, tile.effects, update)
    }

    /// How much of its effects there is time for.
    var pace: EffectPace { budget == nil || isOwn ? .full : pacer.pace }

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
    mutating func use(_ chain: EffectChain, lane: Int) {
        (self.lane, self.chain) = (lane, chain)
        ownExcess.count = 0
    }

    /// The newest picture with effects, unless it lacks a privacy mask.
    func shown(instead tile: WallScene.Tile) -> WallScene.Tile {
        if isOwn {
            var own = tile
            own.effects = chain
            own.plan()
            return own.effectPlan.masks == tile.effectPlan.masks ? own : Self.plain(tile)
        }
        guard pace != .muted, let shown, let frame = shown.frame,
            shown.tile.effectPlan.masks == tile.effectPlan.masks
        else { return Self.plain(tile) }
        var new = tile
        let area = tile.placement.destination
        (new.frame, new.frameNumber) = (frame, shown.tile.frameNumber)
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

extension EffectChain {
    /// The effects that are applied.
    var applied: [Effect] { bypassReason == nil ? steps.filter(\.isOn).map(\.effect) : [] }
}
