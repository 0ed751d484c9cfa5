/// What privacy masks hide.
///
/// A mask hides a place of the picture that the effects before it make. Without an effect that moves things, the same place
/// shows something else.
extension EffectChain {
    /// The privacy masks that are on, and the effects before them that may move what a mask hides.
    private var hiding: [Step] {
        guard let last = steps.lastIndex(where: { $0.isOn && $0.isMask }) else { return [] }
        return steps[...last].filter { $0.isOn && ($0.isMask || $0.mayMove) }
    }

    /// The chain while its other effects are not drawn: the privacy masks, or one over everything if an effect before one
    /// of them may move what it hides.
    package var onlyMasks: EffectChain {
        let hiding = hiding
        guard let last = hiding.last else { return EffectChain() }
        // Every renderer draws a mirror at once.
        return EffectChain(hiding.allSatisfy { $0.isMask || $0.effect.kernel == .mirror } ? hiding : [last.covering])
    }

    /// Whether a picture with these effects hides all that the masks of another chain hide.
    package func hides(allOf other: EffectChain) -> Bool {
        // By index: in debug builds an array's iterator allocates.
        for index in other.steps.indices where other.steps[index].isOn && other.steps[index].isMask {
            return steps == other.steps || hiding == other.hiding
        }
        return true
    }
}

extension EffectChain.Step {
    /// Whether it is a privacy mask.
    package var isMask: Bool { effect.kernel == .privacyMask }

    /// Whether it may show things at other places than the picture before it.
    var mayMove: Bool { !isMask && !effect.traits.isFoldable && effect.kernel != .pixelate }

    /// A privacy mask of everything.
    var covering: EffectChain.Step {
        var step = EffectChain.Step(effect)
        for (name, corner) in [("first", SIMD2<Float>(-1, -1)), ("second", SIMD2(2, 2))] {
            if let index = effect.parameters.firstIndex(where: { $0.name == name }) {
                step.replace(index, .point(corner))
            }
        }
        return step
    }
}
