import MediaIO
import VideoWall
import VitrailGL

/// Draws the effects of one tile.
///
/// If all effects can be folded into the conversion of the frame, this class only says which they are; otherwise it
/// draws the converted picture at the size of the tile, and then the effects.
final class TileEffects {
    /// What the converted picture was made from.
    private struct Content: Equatable {
        var drawing: FrameDrawing
        var steps: EffectSteps
        var state: EffectState
    }

    private var plan = EffectPlan()
    /// The effects that are folded into the conversion, and their values.
    private(set) var leading = EffectSteps()
    /// The same effects, without values.
    private(set) var folded: [Effect] = []
    /// What the effects depend on.
    private(set) var state = EffectState()
    /// Why an effect is left out, or replaced by an earlier version.
    var failure: EffectError? { plan.failure }
    /// Whether ``draw(_:_:_:_:)`` draws the tile.
    var isDrawnAlone: Bool { !plan.draws.isEmpty }

    private let conversion = FrameDrawer()
    private var picture: PassTarget?
    private var content: Content?
    private let samples = FrameDrawer()
    private var planes: PassTarget?
    private let drawer = EffectChainDrawer()

    /// Marks everything that was made from the last frame as outdated.
    func invalidate() {
        content = nil
        conversion.invalidate()
        samples.invalidate()
    }

    /// Draws everything that precedes the last draw.
    func prepare(
        _ tile: WallScene.Tile, _ frame: VideoFrame, _ textures: FrameTextures, _ context: GLContext,
        _ view: TargetView, _ shared: borrowing SharedResources, _ others: SceneTextures
    ) throws(GLError) {
        let area = tile.placement.destination
        let size = VideoSize(width: max(1, area.width), height: max(1, area.height))
        if plan.key != tile.effectPlan.key { makePlan(tile, shared) }
        state = EffectState(inputs: tile.effectInputs, frameNumber: max(0, tile.frameNumber - 1), size: size)
        var own = tile
        own.placement.destination = Rectangle(x: 0, y: 0, width: size.width, height: size.height)
        let inner = view.inner(size)
        if !folded.isEmpty { try checkFolding(own, frame, textures, inner, shared) }
        guard isDrawnAlone else { return (picture, planes, content) = (nil, nil, nil) }

        let drawing = FrameDrawing(frame, textures.format, own, inner, effects: folded, isShown: false)
        if plan.usesPlanes { state.lumaOfPlanes = drawing.kind.lumaOfSamples }
        var needed = Content(drawing: drawing, steps: leading, state: state)
        if leading.followers.isEmpty { needed.state = EffectState(size: size) }
        let isNew = content != needed
        if isNew {
            content = needed
            if picture?.size != size {
                picture = nil
                picture = try PassTarget(context, size)
            }
            try conversion.prepare(drawing, textures, context, isFull: false, shared)
            picture?.begin()
            try conversion.draw(drawing, textures, leading, state, shared: shared)
            try drawPlanes(own, frame, textures, context, inner, shared)
        }
        guard let picture else { return }
        try drawer.prepare(plan.draws, picture, planes, isNew: isNew, state, context, view, shared, others)
    }

    /// Draws the last effect into the bound target.
    func draw(
        _ tile: WallScene.Tile, _ format: PixelFormat, _ view: TargetView, _ shared: borrowing SharedResources
    ) throws(GLError) {
        guard let picture else { return }
        let placement = FramePlacement(
            rectangle: tile.placement.destination, source: Rectangle(x: 0, y: 0, width: 1, height: 1), view)
        let ditherDepth = view.ditherDepth(of: format)
        try drawer.draw(plan.draws, picture, planes, placement, ditherDepth: ditherDepth, state, shared)
    }

    private func makePlan(_ tile: WallScene.Tile, _ shared: borrowing SharedResources) {
        plan = shared.effects.drawable(tile.effectPlan, shared, foldsIntoPicture: true)
        leading = EffectSteps(followers: plan.leading)
        folded = plan.leading.map(\.effect)
    }

    /// Plans without folding if the driver rejects the effects combined with the conversion.
    private func checkFolding(
        _ tile: WallScene.Tile, _ frame: VideoFrame, _ textures: FrameTextures, _ view: TargetView,
        _ shared: borrowing SharedResources
    ) throws(GLError) {
        let drawing = FrameDrawing(
            frame, textures.format, tile, view, effects: folded, isShown: plan.draws.isEmpty)
        do throws(GLError) {
            try conversion.findPrograms(drawing, shared)
        } catch {
            guard error.code == .compile || error.code == .link else { throw error }
            shared.effects.refuseFolding(folded)
            makePlan(tile, shared)
        }
    }

    /// Draws the frame's code values, if an effect reads them.
    private func drawPlanes(
        _ tile: WallScene.Tile, _ frame: VideoFrame, _ textures: FrameTextures, _ context: GLContext,
        _ view: TargetView, _ shared: borrowing SharedResources
    ) throws(GLError) {
        guard plan.usesPlanes else { return planes = nil }
        if planes?.size != view.size {
            planes = nil
            planes = try PassTarget(context, view.size)
        }
        let drawing = FrameDrawing(frame, textures.format, tile, view, drawsSamples: true)
        try samples.prepare(drawing, textures, context, isFull: true, shared)
        planes?.begin()
        try samples.draw(drawing, textures, shared: shared)
    }
}

extension TargetView {
    /// The view of a picture for effects, in the same colours.
    func inner(_ size: VideoSize) -> TargetView {
        var view = self
        (view.size, view.topIsFirstRow, view.dithers, view.origin) = (size, true, false, (0, 0))
        return view
    }
}
