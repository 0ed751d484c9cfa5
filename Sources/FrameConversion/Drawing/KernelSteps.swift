package import MediaIO
package import VideoWall

/// The effects of a tile that the painters apply: see ``EffectKernel``.
package struct KernelSteps: Equatable, Sendable {
    /// The steps, without those before the frame's own luma.
    package let steps: [EffectChain.Step]
    /// The size of the picture, in pixels.
    package let size: VideoSize
    /// Whether they begin with the frame's own luma, which is not one of the ``steps``.
    package let beginsWithLuma: Bool
    /// Whether the only one is `grayscale`, which the fast painter does by itself.
    let isGrayscale: Bool
    /// What they need of the picture that they change.
    let precision: TileDrawing.Precision

    /// The largest growth of a difference for which the fast painter is precise enough: its sums are exact to 0.06 of a
    /// code value, and what it becomes must stay below one half, because it is rounded to another half.
    private static let mostGrowth = 7.0

    /// Takes the effects of a plan; `nil` if only OpenGL draws them, or if there are none.
    package init?(_ plan: EffectPlan) {
        guard plan.isOfKernels else { return nil }
        // It comes from the frame, so nothing before it shows.
        let luma = plan.steps.lastIndex { $0.effect.kernel == .plainLuma }
        beginsWithLuma = luma != nil
        steps = luma.map { Array(plan.steps[($0 + 1)...]) } ?? plan.steps
        size = plan.key.size
        isGrayscale = steps.count == 1 && steps[0].effect.kernel == .grayscale && !beginsWithLuma
        let growth = steps.reduce(1) { $0 * Self.growth($1) }
        precision = growth <= Self.mostGrowth ? .sums : .exact
    }

    /// How much a difference can grow.
    private static func growth(_ step: EffectChain.Step) -> Double {
        switch step.effect.kernel {
        case .sepia, .invert, .adjust: return ColorMatrix(step)?.growth ?? 1
        case .exposure:
            let gamma = step.number("gamma")
            // Near black, the slope of the curve is infinite.
            guard gamma <= 1.2 else { return .infinity }
            return max(1, LightMatrix(step).growth) * max(1.3, 1 / gamma)
        case .lut:
            guard case .lut(let table?)? = step.value(of: "table") else { return 1 }
            return max(1, Double(table.steepness))
        default: return 1
        }
    }
}

extension EffectChain.Step {
    /// The value of a parameter that is a number, a whole number or a choice.
    func number(_ name: String) -> Double {
        switch value(of: name) {
        case .float(let number): Double(number)
        case .int(let number), .choice(let number): Double(number)
        default: 0
        }
    }

    /// The value of a parameter that is a position.
    func point(_ name: String) -> SIMD2<Float> {
        guard case .point(let point)? = value(of: name) else { return .zero }
        return point
    }
}
