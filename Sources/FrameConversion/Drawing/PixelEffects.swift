import CVitrailKernels
import MediaIO
import VideoWall

/// The tables of the effects of one tile, and the colours of their blocks in its frame.
package final class PixelEffects: @unchecked Sendable {
    // Unchecked because of the pointers: tables are written before the object is shared, and blocks by one thread each
    // before any thread reads them.

    /// The blocks of one effect, whose colours must be measured in each frame.
    package struct Blocks: Sendable {
        /// The index of the effect.
        let number: Int
        /// The number of rows of blocks.
        package let rowCount: Int
    }

    /// What they were made for.
    package let steps: KernelSteps
    /// The bits per component that the result is dithered to; 0 if it is not.
    package let ditherDepth: Int
    /// The blocks of all effects, in the order in which they must be measured.
    package private(set) var blocks: [Blocks] = []
    let plan: UnsafePointer<VitrailEffects>
    private let memory: PlanMemory

    /// Makes the tables.
    ///
    /// **Cost:** when effects or their place change.
    package init(_ steps: KernelSteps, ditherDepth: Int) {
        let memory = PlanMemory()
        (self.steps, self.ditherDepth, self.memory) = (steps, ditherDepth, memory)
        let made = steps.steps.compactMap { Self.effect($0, steps.size, memory) }
        let plan = VitrailEffects(
            effects: memory.add(made, filler: VitrailEffect()), count: Int32(made.count),
            width: Int32(steps.size.width), height: Int32(steps.size.height), ditherDepth: Int32(ditherDepth))
        self.plan = memory.add([plan], filler: VitrailEffects())
        for (number, effect) in made.enumerated()
        where effect.kind == VitrailEffectBlocks && effect.blocks.colors != nil {
            blocks.append(Blocks(number: number, rowCount: Int(effect.blocks.rows)))
        }
    }

    /// The effect of a step; `nil` if it changes nothing.
    private static func effect(
        _ step: EffectChain.Step, _ size: VideoSize, _ memory: PlanMemory
    ) -> VitrailEffect? {
        var effect = VitrailEffect()
        func set(_ numbers: [Float]) {
            withUnsafeMutableBytes(of: &effect.numbers) { bytes in
                for index in numbers.indices {
                    bytes.storeBytes(of: numbers[index], toByteOffset: 4 * index, as: Float.self)
                }
            }
        }
        switch step.effect.kernel {
        case .grayscale: effect.kind = VitrailEffectLuma
        case .sepia, .invert, .adjust:
            guard let matrix = ColorMatrix(step) else { return nil }
            effect.kind = VitrailEffectMatrix
            let rows = [matrix.rows.0, matrix.rows.1, matrix.rows.2]
            set(rows.flatMap { [Float($0.x), Float($0.y), Float($0.z), Float(matrix.offset)] })
        case .exposure:
            let rows = LightMatrix(step).rows
            effect.kind = VitrailEffectLight
            set(
                [rows.0, rows.1, rows.2].flatMap { [Float($0.x), Float($0.y), Float($0.z)] }
                    + [Float(1 / step.number("gamma"))])
        case .posterize: (effect.kind, effect.count) = (VitrailEffectLevels, Int32(step.number("levels")))
        case .falseColor: (effect.kind, effect.count) = (VitrailEffectZones, Int32(step.number("rest")))
        case .zebra:
            (effect.kind, effect.count) = (VitrailEffectStripes, Int32(step.number("width")))
            guard case .color(let stripe)? = step.value(of: "stripe") else { return nil }
            set([Float(step.number("low")), Float(step.number("high")), stripe.x, stripe.y, stripe.z])
        case .lut:
            guard case .lut(let table?)? = step.value(of: "table") else { return nil }
            effect.kind = table.isCube ? VitrailEffectCube : VitrailEffectCurves
            effect.count = Int32(table.size)
            effect.table = memory.keep(table) { UnsafeRawPointer($0.entries).assumingMemoryBound(to: Float.self) }
            let (low, factor) = (table.lowest, 1 / (table.highest - table.lowest))
            set([low.x, low.y, low.z, factor.x, factor.y, factor.z, Float(step.number("amount"))])
        case .mirror: (effect.kind, effect.count) = (VitrailEffectMirror, Int32(step.number("show")))
        case .pixelate:
            effect.kind = VitrailEffectBlocks
            effect.blocks = BlockPlan(pixelating: step, size).make(memory)
        case .privacyMask:
            guard let plan = BlockPlan(masking: step, size) else { return nil }
            effect.kind = VitrailEffectBlocks
            effect.blocks = plan.make(memory)
        case .plainLuma, nil: return nil
        }
        return effect
    }
}
