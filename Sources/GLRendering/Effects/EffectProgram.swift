import MediaIO
import VideoWall
import VitrailGL

/// The program that draws an effect, or one of its passes.
///
/// It is a class, so that tiles with the same effect share it.
final class EffectProgram {
    /// Everything that a program is specialised for.
    struct Kind: Hashable {
        /// The effect; `nil` for a copy.
        var effect: Effect?
        /// One of its passes; `nil` for the last one.
        var pass: EffectPass?
        /// The effects that are folded into the draw.
        var followers: [Effect] = []
        /// Whether this is the end of the chain: alpha is applied, and the target may be a screen.
        var isShown = false
        /// The bits per component of the target if it has fewer than the source, otherwise 0.
        var ditherDepth = 0

        /// Whether the effects of these steps are folded into the draw.
        func isFollowed(by steps: [EffectChain.Step]) -> Bool {
            guard followers.count == steps.count else { return false }
            // By index: in debug builds an array's iterator allocates.
            for index in steps.indices where followers[index] != steps[index].effect { return false }
            return true
        }

        /// The GLSL function that computes the pixels.
        var function: String {
            guard let effect else { return "sample" }
            return pass.map { "\($0.name)_pass" } ?? (effect.dialect == .shadertoy ? "vitrail_image" : "effect")
        }
    }

    let kind: Kind
    /// The uniforms of the effects, and the textures that are bound for each draw.
    let uniforms: EffectUniforms
    private let program: ShaderProgram
    private let destination: Uniform
    private let size: Uniform
    private let grid: Uniform

    init(_ context: GLContext, _ kind: Kind) throws(GLError) {
        let program = try ShaderProgram(
            context, title: "effect \(kind.effect?.name ?? "copy")", vertex: EffectShader.vertex(kind),
            fragment: EffectShader.fragment(kind))
        program.use()
        let effects: [Effect?] = [kind.effect] + kind.followers
        let uniforms = try EffectUniforms(program, effects, firstSlot: 0, firstUnit: EffectUniforms.ownUnits)
        destination = program.uniformIfUsed("vitrail_destination")
        size = program.uniformIfUsed("vitrail_size")
        grid = program.uniformIfUsed("vitrail_grid")
        self.kind = kind
        self.uniforms = uniforms
        self.program = program
    }

    /// Makes this the current program.
    ///
    /// - Parameters:
    ///   - placement: where it draws.
    ///   - steps: the effect, if there is one, and those folded into it.
    ///   - state: what the effects depend on.
    ///   - target: the size of what is drawn, in pixels.
    func use(
        _ placement: FramePlacement, _ steps: EffectSteps, _ state: EffectState, target: VideoSize
    ) {
        program.use()
        destination.set(placement.destination)
        size.set(placement.size)
        if let points = kind.pass?.points { grid.set(x: points.columns, y: points.rows) }
        uniforms.set(steps, state, target: target)
    }
}
