import VideoWall
import VitrailGL

/// Draws a frame's planes with a program of its kind, and keeps what that needs besides the planes.
final class FrameDrawer {
    private var program: VideoProgram?
    /// For scaling with a kernel: the result of the first pass, and its program.
    private var rows: ScaledRows?
    private var acrossProgram: VideoProgram?

    /// Finds the programs for a drawing.
    func findPrograms(_ drawing: FrameDrawing, _ shared: borrowing SharedResources) throws(GLError) {
        let isKernel = drawing.kind.scaling.kernel != nil
        if isKernel, acrossProgram?.kind != drawing.across.kind {
            acrossProgram = try shared.programs.program(drawing.across.kind)
        }
        let kind = isKernel ? drawing.down.kind : drawing.kind
        if program?.kind != kind { program = try shared.programs.program(kind) }
    }

    /// Marks everything that was made from the last frame as outdated.
    func invalidate() { rows?.invalidate() }

    /// Draws the first of two passes, if there are two and it is not drawn already.
    ///
    /// - Parameters:
    ///   - drawing: how the frame is drawn.
    ///   - planes: the frame.
    ///   - context: the context.
    ///   - isFull: whether half floats are too coarse between the two passes of scaling.
    ///   - shared: the resources shared by all tiles.
    /// - Throws: ``GLError`` if a program or a picture cannot be made.
    func prepare(
        _ drawing: FrameDrawing, _ planes: FrameTextures, _ context: GLContext, isFull: Bool,
        _ shared: borrowing SharedResources
    ) throws(GLError) {
        guard drawing.kind.scaling.kernel != nil else {
            rows = nil
            return
        }
        let across = drawing.across
        if rows?.fits(drawing.rowsSize, isFull: isFull) != true {
            rows = nil
            rows = try ScaledRows(context, size: drawing.rowsSize, isFull: isFull)
        }
        guard rows?.content != across else { return }
        try findPrograms(drawing, shared)
        rows?.begin(across)
        acrossProgram?.use(across)
        planes.bind(across.kind.scaling, shared)
        shared.vertices.drawRectangle()
    }

    /// Draws into the bound target.
    ///
    /// - Parameters:
    ///   - drawing: how the frame is drawn.
    ///   - planes: the frame.
    ///   - steps: the effects that are folded into the draw.
    ///   - state: what they depend on.
    ///   - shared: the resources shared by all tiles.
    /// - Throws: ``GLError`` if a program cannot be made.
    func draw(
        _ drawing: FrameDrawing, _ planes: FrameTextures, _ steps: EffectSteps = EffectSteps(),
        _ state: EffectState = EffectState(), shared: borrowing SharedResources
    ) throws(GLError) {
        try findPrograms(drawing, shared)
        if drawing.kind.scaling.kernel != nil {
            // If the first pass failed, that was reported, and there is nothing to draw.
            guard rows?.content != nil else { return }
            program?.use(drawing.down)
            rows?.bind(shared)
        } else {
            program?.use(drawing)
            planes.bind(drawing.kind.scaling, shared)
        }
        if let effects = program?.effects {
            effects.set(steps, state, target: state.size)
            shared.images.bind(effects.inputs, steps, shared)
        }
        shared.vertices.drawRectangle()
    }
}
