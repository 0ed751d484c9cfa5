import VideoWall
import VitrailGL

/// How a chain of effects is drawn.
struct EffectPlan: Equatable {
    /// The effects that are folded into the draw that makes the picture.
    private(set) var leading: [EffectChain.Step] = []
    /// The draws after that: an effect that is not folded, or none for a copy, and those that are folded into it.
    private(set) var draws: [EffectSteps] = []
    /// Why an effect is missing, or an earlier version takes its place.
    private(set) var failure: EffectError?
    /// Whether a draw reads the frame's own code values.
    private(set) var usesPlanes = false

    /// The plan of a chain without effects.
    init() {}

    /// Plans a chain.
    ///
    /// - Parameters:
    ///   - chain: the chain.
    ///   - shared: compiles the effects and makes their textures.
    ///   - foldsIntoPicture: whether effects can be folded into the draw that makes the picture.
    init(_ chain: EffectChain, _ shared: borrowing SharedResources, foldsIntoPicture: Bool) {
        for step in chain.steps where step.isOn {
            let (effect, error) = shared.effects.usable(step, shared)
            if failure == nil { failure = error }
            guard let effect else { continue }
            let usable = effect == step.effect ? step : EffectChain.Step(effect, valuesOf: step)
            do throws(GLError) {
                try shared.images.prepare(usable)
            } catch {
                failure = failure ?? effect.error(error.description, file: effect.file, line: 1)
                continue
            }
            add(usable, shared.effects, foldsIntoPicture)
        }
        usesPlanes = draws.contains { $0.own?.effect.traits.usesPlanes ?? false }
    }

    private mutating func add(_ step: EffectChain.Step, _ programs: EffectPrograms, _ foldsIntoPicture: Bool) {
        guard programs.isFoldable(step.effect) else { return draws.append(EffectSteps(own: step)) }
        if draws.isEmpty, foldsIntoPicture, EffectSteps(followers: leading).takes(step) { return leading.append(step) }
        if !(draws.last?.takes(step) ?? false) { draws.append(EffectSteps()) }
        draws[draws.count - 1].followers.append(step)
    }
}

extension EffectSteps {
    /// Whether another effect can be folded into the draw: there must be texture units for it, four of which may be for
    /// the planes of a frame; and what an effect returned for the previous frame is without what follows it.
    fileprivate func takes(_ step: EffectChain.Step) -> Bool {
        guard own?.effect.traits.usesPrevious != true, own?.effect.dialect != .shadertoy else { return false }
        let all = [own].compactMap(\.self) + followers + [step]
        return all.reduce(0) { $0 + $1.effect.textureCount } <= 11
    }
}

extension Effect {
    /// The number of textures that a draw binds for it, besides those that every draw has.
    fileprivate var textureCount: Int {
        textures.count + passes.count + parameters.count { $0.kind == .lut || $0.kind == .tile }
    }
}
