package import MediaIO

/// How a chain of effects is drawn, decided once in the scene, for all renderers.
package struct EffectPlan: Equatable, Sendable {
    /// What a plan is made for.
    package struct Key: Equatable, Sendable {
        /// The chain.
        package var chain = EffectChain()
        /// The size of the picture that the effects change, in pixels.
        package var size = VideoSize(width: 1, height: 1)
        /// The part of the frame that this picture shows, 0 to 1: x, y, width and height.
        package var part = SIMD4<Double>(0, 0, 1, 1)
    }

    /// What it was made for.
    package private(set) var key = Key()
    /// The effects that are applied, in order.
    package private(set) var steps: [EffectChain.Step] = []
    /// The effects that are folded into the draw that makes the picture.
    package private(set) var leading: [EffectChain.Step] = []
    /// The draws after that: each is an effect that is not folded (`nil` for a copy), and the effects folded into its
    /// draw.
    package private(set) var draws: [EffectSteps] = []
    /// Why an effect is left out, or replaced by an earlier version.
    package private(set) var failure: EffectError?
    /// Whether a draw reads the frame's own code values.
    package private(set) var usesPlanes = false
    /// Whether the CPU draws all of it by itself: see ``EffectKernel``.
    package private(set) var isOfKernels = false

    /// The plan of a chain without effects.
    package init() {}

    /// Plans a chain.
    ///
    /// Effects are left out if their pictures would need too much memory, but never privacy masks: one whose place is
    /// not certain without an effect that is left out hides everything.
    ///
    /// - Parameters:
    ///   - key: what to plan.
    ///   - foldsIntoPicture: whether effects can be folded into the draw that makes the picture.
    ///   - isFoldable: whether an effect can be folded into a draw at all.
    ///   - choose: the effect to draw, or `nil` to leave it out; and why it is another than the chain's.
    package init(
        _ key: Key, foldsIntoPicture: Bool, isFoldable: (Effect) -> Bool = { $0.traits.isFoldable },
        choose: (EffectChain.Step) -> (step: EffectChain.Step?, error: EffectError?) = { ($0, nil) }
    ) {
        self.key = key
        var taken = EffectChain()
        // Whether what masks hide may be elsewhere, and whether there is room for no more effects.
        var (isMoved, isFull) = (false, false)
        for wanted in key.chain.bypassReason == nil ? key.chain.steps : key.chain.onlyMasks.steps where wanted.isOn {
            do throws(EffectError) {
                if !isFull, !wanted.isMask { try taken.append(wanted) }
            } catch {
                failure = failure ?? error
                isFull = true
            }
            let (chosen, error) = isFull && !wanted.isMask ? (nil, nil) : choose(wanted)
            failure = failure ?? error
            if chosen?.effect != wanted.effect, wanted.mayMove { isMoved = true }
            guard var step = chosen else { continue }
            if isMoved, step.isMask { step = step.covering }
            var next = self
            next.add(step.shown(in: key.part), isFoldable(step.effect), foldsIntoPicture)
            let bytes = next.draws.reduce(0) { $0 + $1.pictureBytes(key.size) }
            guard bytes <= EffectLimits.chainBytes || step.isMask else {
                failure = failure ?? Self.excess(step.effect, bytes, key.size)
                isMoved = isMoved || wanted.mayMove
                continue
            }
            self = next
            if step.effect.traits.usesPlanes { repeatMasks() }
        }
        usesPlanes = draws.contains { $0.own?.effect.traits.usesPlanes ?? false }
        isOfKernels = foldsIntoPicture && !steps.isEmpty && steps.allSatisfy { $0.effect.kernel != nil }
    }

    /// Masks again what an effect has read from the frame itself.
    private mutating func repeatMasks() {
        var masks: [EffectChain.Step] = []
        for step in steps where step.isMask && !masks.contains(step) { masks.append(step) }
        for mask in masks { add(mask, false, false) }
    }

    private static func excess(_ effect: Effect, _ bytes: Int, _ size: VideoSize) -> EffectError {
        EffectError(
            "with this effect, the pictures of the chain need \(bytes >> 20) MB at \(size.width)x\(size.height), more than "
                + "\(EffectLimits.chainBytes >> 20) MB: use fewer effects or passes", file: effect.file)
    }

    private mutating func add(_ step: EffectChain.Step, _ isFoldable: Bool, _ foldsIntoPicture: Bool) {
        steps.append(step)
        guard isFoldable else { return draws.append(EffectSteps(own: step)) }
        if draws.isEmpty, foldsIntoPicture, EffectSteps(followers: leading).takes(step) { return leading.append(step) }
        if !(draws.last?.takes(step) ?? false) { draws.append(EffectSteps()) }
        draws[draws.count - 1].followers.append(step)
    }
}

/// The steps of a chain that one program draws: at most one effect, and those that are folded into the same draw.
package struct EffectSteps: Equatable, Sendable {
    /// The effect that is not folded, if there is one.
    package var own: EffectChain.Step?
    /// The effects that are folded into its draw.
    package var followers: [EffectChain.Step]

    /// Creates the steps of one program.
    package init(own: EffectChain.Step? = nil, followers: [EffectChain.Step] = []) {
        (self.own, self.followers) = (own, followers)
    }

    /// The step of a slot: slot 0 is ``own``, and the slots from 1 are the ``followers``.
    package subscript(slot: Int) -> EffectChain.Step? { slot == 0 ? own : followers[slot - 1] }

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

extension EffectChain.Step {
    /// The same for a part of the frame: a privacy mask stays on what it hides.
    fileprivate func shown(in part: SIMD4<Double>) -> EffectChain.Step {
        guard isMask, part != SIMD4(0, 0, 1, 1) else { return self }
        var step = self
        for index in values.indices {
            guard case .point(let point) = values[index] else { continue }
            let place = (SIMD2<Double>(point) - SIMD2(part.x, part.y)) / SIMD2(part.z, part.w)
            step.replace(index, .point(SIMD2<Float>(place)))
        }
        return step
    }
}
