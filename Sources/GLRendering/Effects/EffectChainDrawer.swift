import MediaIO
import VideoWall
import VitrailGL

/// Draws the effects of a chain that are not folded into the picture before them: their passes, and their results.
final class EffectChainDrawer {
    private var entries: [EffectStepsDrawer] = []
    /// What the results were made from.
    private var steps: [EffectSteps] = []
    private var state: EffectState?

    /// Draws everything that precedes the last draw, unless nothing has changed.
    ///
    /// - Parameters:
    ///   - steps: the draws of the chain; at least one.
    ///   - picture: the picture that the first draw reads.
    ///   - planes: the frame's code values, if a draw reads them.
    ///   - isNew: whether the picture has changed.
    ///   - state: what the effects depend on.
    ///   - context: the context.
    ///   - view: the target of the last draw.
    ///   - shared: the resources shared by all tiles.
    ///   - others: the tiles of the scene.
    /// - Throws: ``GLError`` if a program or a picture cannot be made.
    func prepare(
        _ steps: [EffectSteps], _ picture: PassTarget, _ planes: PassTarget?, isNew: Bool, _ state: EffectState,
        _ context: GLContext, _ view: TargetView, _ shared: borrowing SharedResources, _ others: SceneTextures
    ) throws(GLError) {
        guard isNew || self.steps != steps || self.state != state else { return }
        if !draws(steps) { entries = steps.map { EffectStepsDrawer($0.own?.effect) } }
        (self.steps, self.state) = (steps, state)
        var source = picture
        for index in entries.indices {
            let entry = entries[index]
            try entry.prepare(steps[index], source, planes, state, context, view, shared, others)
            if index < entries.count - 1 || entry.keepsResult {
                source = try entry.drawResult(steps[index], source, planes, state, context, shared)
            }
        }
    }

    /// Whether the entries were made for the effects of these steps.
    private func draws(_ steps: [EffectSteps]) -> Bool {
        guard entries.count == steps.count else { return false }
        // By index: in debug builds an array's iterator allocates.
        for index in entries.indices where entries[index].effect != steps[index].own?.effect { return false }
        return true
    }

    /// Draws the last effect, or a copy of its result, into the bound target.
    func draw(
        _ steps: [EffectSteps], _ picture: PassTarget, _ planes: PassTarget?, _ placement: FramePlacement,
        ditherDepth: Int, _ state: EffectState, _ shared: borrowing SharedResources
    ) throws(GLError) {
        guard !entries.isEmpty, entries.count == steps.count else { return }
        // By index: in debug builds `last` allocates.
        let last = entries.count - 1
        let source = last > 0 ? entries[last - 1].result ?? picture : picture
        try entries[last].draw(steps[last], source, planes, placement, ditherDepth: ditherDepth, state, shared)
    }
}
