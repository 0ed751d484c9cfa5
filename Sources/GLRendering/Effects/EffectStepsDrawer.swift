import MediaIO
import VideoWall
import VitrailGL

/// Draws an effect with its passes and the effects folded into its last draw, or only folded effects.
final class EffectStepsDrawer {
    /// The effect, or `nil`.
    let effect: Effect?
    /// The result, if it is not drawn directly into the target.
    private(set) var result: PassTarget?
    /// The result for the previous frame.
    private var previous: PassTarget?
    /// The number of the frame that ``result`` was made from.
    private var frameNumber: Int?
    /// The state of all privacy masks at that frame.
    private var masks = 0
    private var passes: [PassTarget?]
    private var passPrograms: [EffectProgram] = []
    private var program: EffectProgram?
    private var shownProgram: EffectProgram?
    /// The pictures of other tiles, by the index of the parameter.
    private var tiles: [OtherTile?]

    /// The picture of another tile.
    private struct OtherTile {
        let conversion = FrameDrawer()
        let masks = TileEffects()
        let picture: PassTarget
    }

    init(_ effect: Effect?) {
        self.effect = effect
        passes = Array(repeating: nil, count: effect?.passes.count ?? 0)
        tiles = Array(repeating: nil, count: effect?.parameters.count ?? 0)
    }

    /// Whether the result is needed for the next frame.
    var keepsResult: Bool { effect?.traits.usesPrevious ?? false }

    /// Draws the pictures of other tiles and the passes before the last one.
    func prepare(
        _ steps: EffectSteps, _ source: PassTarget, _ planes: PassTarget?, _ state: EffectState, _ context: GLContext,
        _ view: TargetView, _ shared: borrowing SharedResources, _ others: SceneTextures
    ) throws(GLError) {
        guard let effect, let own = steps.own else { return }
        if keepsResult { exchange(state) }
        for index in own.values.indices {
            guard case .tile(let number) = own.values[index] else { continue }
            try drawTile(number, index, state.size, context, view, shared, others)
        }
        if passPrograms.isEmpty {
            for pass in effect.passes {
                passPrograms.append(try shared.effects.program(EffectProgram.Kind(effect: effect, pass: pass)))
            }
        }
        for index in passPrograms.indices {
            let pass = effect.passes[index]
            let size = pass.size(state.size)
            if passes[index]?.size != size {
                passes[index] = nil
                passes[index] = try PassTarget(context, size, isFull: pass.points != nil)
            }
            guard let target = passes[index] else { continue }
            target.begin()
            use(passPrograms[index], target.placement, steps, source, planes, state, target: size, shared)
            if let points = pass.points {
                context.setBlending(.sum)
                shared.vertices.drawPoints(points.columns * points.rows)
                context.setBlending(.off)
            } else {
                shared.vertices.drawRectangle()
            }
        }
    }

    /// Draws the result into a picture that the next draw reads.
    func drawResult(
        _ steps: EffectSteps, _ source: PassTarget, _ planes: PassTarget?, _ state: EffectState, _ context: GLContext,
        _ shared: borrowing SharedResources
    ) throws(GLError) -> PassTarget {
        if program?.kind.isFollowed(by: steps.followers) != true {
            program = try shared.effects.program(
                EffectProgram.Kind(effect: effect, followers: steps.followers.map(\.effect)))
        }
        if result?.size != state.size {
            result = nil
            result = try PassTarget(context, state.size)
        }
        guard let target = result else { return source }
        frameNumber = state.frameNumber
        target.begin()
        if let program { use(program, target.placement, steps, source, planes, state, target: state.size, shared) }
        shared.vertices.drawRectangle()
        return target
    }

    /// Draws into the bound target, which is shown.
    func draw(
        _ steps: EffectSteps, _ source: PassTarget, _ planes: PassTarget?, _ placement: FramePlacement,
        ditherDepth: Int, _ state: EffectState, _ shared: borrowing SharedResources
    ) throws(GLError) {
        // A result that the next frame needs was drawn by `drawResult` and is copied here. If that failed, the error
        // was reported, and nothing is drawn.
        let isCopy = keepsResult
        guard let picture = isCopy ? result : source else { return }
        let known = shownProgram?.kind
        if known?.ditherDepth != ditherDepth || known?.isFollowed(by: steps.followers) != true {
            shownProgram = try shared.effects.program(
                EffectProgram.Kind(
                    effect: isCopy ? nil : effect, followers: steps.followers.map(\.effect), isShown: true,
                    ditherDepth: ditherDepth))
        }
        guard let shownProgram else { return }
        var shown = steps
        if isCopy { shown.own = nil }
        use(shownProgram, placement, shown, picture, planes, state, target: state.size, shared)
        shared.vertices.drawRectangle()
    }

    /// Makes the last result the previous one when the state is that of a new frame.
    private func exchange(_ state: EffectState) {
        // What a new mask hides must not be in the previous result.
        if result?.size != state.size || masks != state.inputs.masks {
            (result, previous, frameNumber) = (nil, nil, nil)
            masks = state.inputs.masks
        }
        guard let frameNumber, frameNumber != state.frameNumber else { return }
        swap(&result, &previous)
    }

    private func use(
        _ program: EffectProgram, _ placement: FramePlacement, _ steps: EffectSteps, _ source: PassTarget,
        _ planes: PassTarget?, _ state: EffectState, target: VideoSize, _ shared: borrowing SharedResources
    ) {
        var state = state
        state.hasPrevious = previous != nil
        program.use(placement, steps, state, target: target)
        source.bind(unit: EffectUniforms.source, shared)
        if let previous { previous.bind(unit: EffectUniforms.previous, shared) }
        planes?.bind(unit: EffectUniforms.planes, shared)
        let inputs = program.uniforms.inputs
        for index in inputs.indices {
            switch inputs[index].input {
            case .pass(let pass): passes[pass]?.bind(unit: inputs[index].unit, shared)
            case .tile(let parameter): tiles[parameter]?.picture.bind(unit: inputs[index].unit, shared)
            case .texture, .table: continue
            }
        }
        shared.images.bind(inputs, steps, shared)
    }

    /// Draws another tile's picture, without effects but its privacy masks, at this tile's size; transparent black if
    /// that tile has no frame.
    private func drawTile(
        _ number: Int, _ parameter: Int, _ size: VideoSize, _ context: GLContext, _ view: TargetView,
        _ shared: borrowing SharedResources, _ others: SceneTextures
    ) throws(GLError) {
        if tiles[parameter]?.picture.size != size {
            tiles[parameter] = nil
            tiles[parameter] = OtherTile(picture: try PassTarget(context, size))
        }
        guard let entry = tiles[parameter] else { return }
        guard let other = others.tile(number) else { return entry.picture.begin() }
        var tile = other.tile
        tile.placement = ContentMode.Placement(
            destination: Rectangle(x: 0, y: 0, width: size.width, height: size.height))
        if tile.hasMasks {
            tile.keepOnlyMasks()
            entry.masks.invalidate()
            try entry.masks.prepare(tile, other.frame, other.planes, context, view.inner(size), shared, others)
            entry.picture.begin()
            return try entry.masks.draw(tile, other.planes.format, view.inner(size), shared)
        }
        let drawing = FrameDrawing(other.frame, other.planes.format, tile, view.inner(size))
        entry.conversion.invalidate()
        try entry.conversion.prepare(drawing, other.planes, context, isFull: false, shared)
        entry.picture.begin()
        try entry.conversion.draw(drawing, other.planes, shared: shared)
    }
}
