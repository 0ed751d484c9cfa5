import MediaIO
import VideoWall
import VitrailGL

/// Draws the effects of a whole wall: the tiles are drawn into a picture, which the effects then change.
final class WallEffects {
    private var plan = EffectPlan()
    private var picture: PassTarget?
    private var history = DamageHistory()
    private var state = EffectState()
    private let drawer = EffectChainDrawer()
    /// Measures the effects; `nil` if they have no time budget.
    private(set) var timer: EffectTimer?

    /// Why an effect is left out, or replaced by an earlier version.
    var failure: EffectError? { plan.failure }

    /// Plans the effects of a scene.
    ///
    /// - Returns: whether there is anything to apply.
    func plan(_ scene: WallScene, _ shared: borrowing SharedResources) -> Bool {
        if plan.key != scene.effectPlan.key {
            plan = shared.effects.drawable(scene.effectPlan, shared, foldsIntoPicture: false)
        }
        return !plan.draws.isEmpty
    }

    /// Binds the picture for drawing the tiles.
    ///
    /// - Parameters:
    ///   - scene: the scene.
    ///   - context: the context.
    ///   - parts: replaced by the rectangles to draw.
    /// - Returns: how much of the wall has to be drawn.
    /// - Throws: what ``PassTarget`` throws.
    func begin(
        _ scene: WallScene, _ context: GLContext, _ parts: inout [Rectangle]
    ) throws(GLError) -> DamageHistory.Extent {
        if picture?.size != scene.size {
            picture = nil
            picture = try PassTarget(context, scene.size)
            history.invalidate()
        }
        picture?.bind()
        return history.draw(scene, &parts)
    }

    /// Draws everything that precedes the last draw.
    func prepare(
        _ scene: WallScene, _ context: GLContext, _ view: TargetView, _ shared: borrowing SharedResources,
        _ others: SceneTextures
    ) throws(GLError) {
        guard let picture else { return }
        measure(scene.effectBudget, context, shared)
        timer?.start()
        defer { timer?.stop() }
        state = EffectState(inputs: scene.effectInputs, frameNumber: scene.number, size: scene.size)
        try drawer.prepare(plan.draws, picture, nil, isNew: true, state, context, view, shared, others)
    }

    /// Draws the last effect into the bound target.
    func draw(_ scene: WallScene, _ view: TargetView, _ shared: borrowing SharedResources) throws(GLError) {
        guard let picture else { return }
        timer?.start()
        defer { timer?.stop() }
        let placement = FramePlacement(rectangle: scene.bounds, source: scene.bounds, view)
        try drawer.draw(plan.draws, picture, nil, placement, ditherDepth: 0, state, shared)
    }

    /// Begins to measure a picture if the effects have a time budget.
    private func measure(_ budget: Duration?, _ context: GLContext, _ shared: borrowing SharedResources) {
        guard let budget else { return timer = nil }
        let timer = self.timer ?? EffectTimer(context, usesQueries: shared.usesTimerQueries)
        self.timer = timer
        timer.beginPicture(budget)
    }
}
