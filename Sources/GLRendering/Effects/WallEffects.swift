import MediaIO
import VideoWall
import VitrailGL

/// Draws the effects of a whole wall: its tiles are drawn into a picture, which the effects change.
final class WallEffects {
    private var chain = EffectChain()
    private var plan = EffectPlan()
    private var picture: PassTarget?
    private var history = DamageHistory()
    private var state = EffectState()
    private let draws = EffectDraws()
    /// Measures them; `nil` if they have no budget.
    private(set) var timer: EffectTimer?

    /// Why an effect is missing, or an earlier version takes its place.
    var failure: EffectError? { plan.failure }

    /// Plans the effects of a scene.
    ///
    /// - Returns: whether there is anything to apply.
    func plan(_ chain: EffectChain, _ shared: borrowing SharedResources) -> Bool {
        if chain != self.chain {
            self.chain = chain
            plan = EffectPlan(chain, shared, foldsIntoPicture: false)
        }
        return !plan.draws.isEmpty
    }

    /// Binds the picture for drawing the tiles.
    ///
    /// - Parameters:
    ///   - scene: the scene.
    ///   - context: the context.
    ///   - parts: replaced by the rectangles to draw.
    /// - Returns: what has to be drawn.
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
        try draws.prepare(plan.draws, picture, nil, isNew: true, state, context, view, shared, others)
    }

    /// Draws the last effect into the bound target.
    func draw(_ scene: WallScene, _ view: TargetView, _ shared: borrowing SharedResources) throws(GLError) {
        guard let picture else { return }
        timer?.start()
        defer { timer?.stop() }
        let placement = FramePlacement(rectangle: scene.bounds, source: scene.bounds, view)
        try draws.draw(plan.draws, picture, nil, placement, ditherDepth: 0, state, shared)
    }

    /// Begins to measure a picture.
    private func measure(_ budget: Duration?, _ context: GLContext, _ shared: borrowing SharedResources) {
        guard let budget else { return timer = nil }
        let timer = self.timer ?? EffectTimer(context, usesQueries: shared.usesTimerQueries)
        self.timer = timer
        timer.beginPicture(budget)
    }
}
