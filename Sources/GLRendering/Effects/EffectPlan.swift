import MediaIO
import VideoWall
import VitrailGL

/// How a chain of effects is drawn.
struct EffectPlan: Equatable {
    /// The effects that are folded into the draw that makes the picture.
    private(set) var leading: [EffectChain.Step] = []
    /// The draws after that: each is an effect that is not folded (`nil` for a copy), and the effects folded into its
    /// draw.
    private(set) var draws: [EffectSteps] = []
    /// Why an effect is left out, or replaced by an earlier version.
    private(set) var failure: EffectError?
    /// Whether a draw reads the frame's own code values.
    private(set) var usesPlanes = false

    /// The plan of a chain without effects.
    init() {}

    /// Plans a chain.
    ///
    /// - Parameters:
    ///   - chain: the chain.
    ///   - size: the size of the picture; effects are left out if their pictures would need too much memory.
    ///   - shared: compiles the effects and makes their textures.
    ///   - foldsIntoPicture: whether effects can be folded into the draw that makes the picture.
    init(
        _ chain: EffectChain, _ size: VideoSize, _ shared: borrowing SharedResources, foldsIntoPicture: Bool
    ) {
        var taken = EffectChain()
        for step in chain.steps where step.isOn {
            do throws(EffectError) { try taken.append(step) } catch {
                failure = failure ?? error
                break
            }
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
            var next = self
            next.add(usable, shared.effects, foldsIntoPicture)
            let bytes = next.draws.reduce(0) { $0 + $1.pictureBytes(size) }
            guard bytes <= EffectLimits.chainBytes else {
                failure = failure ?? Self.excess(usable.effect, bytes, size)
                continue
            }
            self = next
        }
        usesPlanes = draws.contains { $0.own?.effect.traits.usesPlanes ?? false }
    }

    private static func excess(_ effect: Effect, _ bytes: Int, _ size: VideoSize) -> EffectError {
        EffectError(
            "with this effect, the pictures of the chain need \(bytes >> 20) MB at \(size.width)x\(size.height), more than "
                + "\(EffectLimits.chainBytes >> 20) MB: use fewer effects or passes", file: effect.file)
    }

    private mutating func add(_ step: EffectChain.Step, _ programs: EffectPrograms, _ foldsIntoPicture: Bool) {
        guard programs.isFoldable(step.effect) else { return draws.append(EffectSteps(own: step)) }
        if draws.isEmpty, foldsIntoPicture, EffectSteps(followers: leading).takes(step) { return leading.append(step) }
        if !(draws.last?.takes(step) ?? false) { draws.append(EffectSteps()) }
        draws[draws.count - 1].followers.append(step)
    }
}

extension EffectSteps {
    /// Whether another effect can be folded into the draw.
    ///
    /// There must be texture units for it. Nothing is folded into an effect that reads its previous result, since that
    /// result must not contain later effects.
    fileprivate func takes(_ step: EffectChain.Step) -> Bool {
        guard own?.effect.traits.usesPrevious != true, own?.effect.dialect != .shadertoy else { return false }
        let all = [own].compactMap(\.self) + followers + [step]
        return all.reduce(0) { $0 + $1.effect.textureCount } <= EffectLimits.textures
    }
}

extension Effect {
    /// The number of textures that a draw binds for the effect, besides those that every draw binds.
    fileprivate var textureCount: Int {
        textures.count + passes.count + parameters.count { $0.kind == .lut || $0.kind == .tile }
    }
}
