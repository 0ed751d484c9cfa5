import CVitrailKernels
import MediaIO
import VideoWall

/// Makes the plan of the fast painter for a drawing, if it can draw it.
struct FastPlan {
    /// With more taps than this, weights are too small for 16 bits.
    private static let mostTaps = 256

    private let drawing: TileDrawing
    private let memory: PlanMemory
    /// The index of the format's component for each component of the plan.
    let order: InlineArray<3, Int>
    private(set) var plan = VitrailFastPlan()

    /// Makes a plan; `nil` if the exact painter must draw it.
    ///
    /// - Parameters:
    ///   - drawing: what is drawn.
    ///   - memory: keeps the tables.
    init?(_ drawing: TileDrawing, _ memory: PlanMemory) {
        guard drawing.isPlain else { return nil }
        let layout = drawing.format.layout
        let luma = (drawing.columns.luma(), drawing.rows.luma())
        let chroma = layout.isSubsampled ? (drawing.columns.chroma(), drawing.rows.chroma()) : luma
        guard max(luma.0.taps, luma.1.taps, chroma.0.taps, chroma.1.taps) <= Self.mostTaps else { return nil }
        (self.drawing, self.memory) = (drawing, memory)
        let hasChroma = layout.model == .yCbCr && drawing.matrix != .rgb
        order = hasChroma ? drawing.order : drawing.colorOrder
        plan.componentCount = layout.model == .gray ? 1 : 3
        plan.width = Int32(drawing.columns.count)
        plan.hasChroma = hasChroma
        plan.dithers = drawing.ditherDepth > 0
        plan.showsLuma = drawing.isGrayscale
        plan.isBlueFirst = drawing.picture == .bgra8
        let components = InlineArray<3, VitrailComponentPlan> { index in
            guard index < plan.componentCount, let component = layout.components[order[index]] else {
                return VitrailComponentPlan()
            }
            let isChroma = layout.isSubsampled && order[index] > 0
            let axes = isChroma ? chroma : luma
            return Self.component(component, layout.components[3], drawing, isChroma, axes, memory)
        }
        plan.components = (components[0], components[1], components[2])
        setColors(components)
        setHalved(components, chroma)
    }

    // MARK: Colours

    private mutating func setColors(_ components: InlineArray<3, VitrailComponentPlan>) {
        let layout = drawing.format.layout
        let transform = drawing.decoding
        let rows = [transform.matrix.0, transform.matrix.1, transform.matrix.2]
        var hasTaps = false
        for index in 0..<Int(plan.componentCount) where components[index].across == VitrailAcrossTaps { hasTaps = true }
        plan.fraction = hasTaps ? 5 : 6
        // A sample's share of white, for a value of 1 at 8 bits.
        let unit = Double(1 << (layout.depth - 8)) / Double(1 << layout.depth - 1)
        func fraction(_ index: Int) -> Int { components[index].across == VitrailAcrossTaps ? 6 : 7 }
        /// The factor from a value with `bits` fractional bits to a sum.
        func fixed(_ factor: Double, from bits: Int) -> Int16 {
            let scale = Double(sign: .plus, exponent: Int(plan.fraction) - bits, significand: 1)
            return Int16((255 * factor * unit * scale * 32_768).rounded())
        }
        func offset(_ value: Double) -> Int16 { Int16((255 * value * Double(1 << plan.fraction)).rounded()) }
        guard plan.hasChroma else {
            var gains = InlineArray<3, Int16>(repeating: 0)
            for color in 0..<3 {
                let component = plan.componentCount == 1 ? 0 : order[color]
                gains[color] = fixed(rows[color][component], from: fraction(plan.componentCount == 1 ? 0 : color))
            }
            plan.gains = (gains[0], gains[1], gains[2])
            plan.offsets = (offset(transform.offset.x), offset(transform.offset.y), offset(transform.offset.z))
            return
        }
        let luma = fixed(rows[0].x, from: fraction(0))
        plan.gains = (luma, luma, luma)
        plan.neutral = (Int16(128 << fraction(1)), Int16(128 << fraction(2)))
        func factors(_ row: SIMD3<Double>) -> (Int16, Int16) {
            // Differences from the neutral value are doubled.
            (fixed(row.y, from: fraction(1) + 1), fixed(row.z, from: fraction(2) + 1))
        }
        let (red, green, blue) = (factors(rows[0]), factors(rows[1]), factors(rows[2]))
        plan.chroma = (red.0, red.1, green.0, green.1, blue.0, blue.1)
        // Neutral chroma is grey, so the offset is that of all three.
        let neutral = offset(transform.offset.x + unit * 128 * (rows[0].y + rows[0].z))
        plan.offsets = (neutral, neutral, neutral)
    }

    /// Chooses the loop for chroma with half the columns: see `VitrailHalved`.
    private mutating func setHalved(
        _ components: InlineArray<3, VitrailComponentPlan>, _ chroma: (across: AxisTaps, down: AxisTaps)
    ) {
        let layout = drawing.format.layout
        guard drawing.precision == .none, !drawing.isGrayscale, plan.hasChroma, layout.horizontalShift == 1,
            layout.depth == 8,
            layout.components[3] == nil,
            plan.fraction == 6, !plan.dithers, plan.chroma.0 == 0, plan.chroma.5 == 0,
            components[0].across == VitrailAcrossSame, drawing.rows.luma().taps == 1,
            components[1].across == VitrailAcrossPairs,
            (0..<chroma.down.count).allSatisfy({ (chroma.down.place($0) * 64).remainder(dividingBy: 1) == 0 })
        else { return }
        let last = Double(components[1].width - 1)
        func lies(at offset: Double) -> Bool {
            (0..<chroma.across.count).allSatisfy { column in
                chroma.across.place(column) == min(max(Double(column) / 2 - offset, 0), last)
            }
        }
        plan.halved = lies(at: 0) ? VitrailHalvedEven : lies(at: 0.25) ? VitrailHalvedCentred : VitrailHalvedNot
    }

    // MARK: Components

    private static func component(
        _ component: ComponentDescription, _ opacity: ComponentDescription?, _ drawing: TileDrawing, _ isChroma: Bool,
        _ axes: (across: AxisTaps, down: AxisTaps), _ memory: PlanMemory
    ) -> VitrailComponentPlan {
        var plan = VitrailComponentPlan()
        let (columns, rows) = (drawing.columns, drawing.rows)
        plan.width = Int32(isChroma ? columns.chromaLength : columns.length)
        plan.height = Int32(isChroma ? rows.chromaLength : rows.length)
        plan.wordBytes = Int32(component.wordBytes)
        plan.leftShift = Int32(8 * component.wordBytes - component.shift - component.depth)
        plan.opacity = Int32(opacity.map { $0.offset - component.offset } ?? 0)
        let hasWords = component.wordBytes == 2 || opacity != nil
        let pairs = hasWords ? nil : PairTable(axes.across, width: Int(plan.width))
        if axes.down.taps <= 2, let two = TwoRows(axes.down),
            axes.across.isIdentity && plan.width == columns.count || pairs != nil
        {
            plan.rowTaps = 2
            plan.rows = memory.add(two.rows)
            plan.rowWeights = memory.add(two.weights)
            guard let pairs, !(axes.across.isIdentity && plan.width == columns.count) else {
                plan.across = VitrailAcrossSame
                return plan
            }
            plan.across = VitrailAcrossPairs
            plan.windows = Int32(pairs.windows)
            plan.shufflesPerWindow = Int32(pairs.shuffles.count / pairs.windows)
            plan.bases = memory.add(pairs.bases)
            plan.shuffles = memory.add(pairs.shuffles)
            plan.weights = memory.add(pairs.weights)
            return plan
        }
        // Sums must fit into 32 bits: rows are of samples of 8 or 15 bits, columns of sums of 15.
        let across = FixedTaps(axes.across, multiple: 8, mostBits: 15)
        let down = FixedTaps(axes.down, multiple: 1, mostBits: hasWords ? 15 : 22)
        plan.across = VitrailAcrossTaps
        (plan.columnShift, plan.rowShift) = (Int32(across.bits), Int32(down.bits))
        plan.taps = Int32(across.taps)
        // Columns are summed four at a time.
        plan.bases = memory.add(across.bases + Array(repeating: across.bases.last ?? 0, count: 3))
        plan.weights = memory.add(across.weights, padding: 3 * across.taps)
        plan.firstSample = across.bases.min() ?? 0
        plan.sampleCount = (across.bases.max() ?? 0) + Int32(axes.across.taps) - plan.firstSample
        plan.rowTaps = Int32(down.taps)
        plan.rows = memory.add(down.bases)
        plan.rowWeights = memory.add(down.weights)
        return plan
    }
}

extension TileDrawing {
    /// Whether the fast painter has the arithmetic for it: sums of whole samples and one matrix, in 8 bits.
    fileprivate var isPlain: Bool {
        let layout = format.layout
        guard picture == .rgba8 || picture == .bgra8, content != .samples, precision != .exact, conversion == nil,
            !isLinearLight, layout.packing == .regular, !layout.isFloat, layout.depth >= 8
        else { return false }
        // Luma of R, G and B is a mixture of three samples.
        if content == .luma, layout.model == .rgb || matrix == .rgb { return false }
        for index in 0..<4 {
            guard let component = layout.components[index] else { continue }
            guard component.depth == layout.depth, component.wordBytes == (layout.depth > 8 ? 2 : 1) else {
                return false
            }
        }
        guard let opacity = layout.components[3] else { return true }
        // Samples are multiplied by opacity before they are scaled, so they must be R'G'B' already.
        return layout.model == .rgb && range == .full && layout.depth == 8
            && opacity.plane == layout.components[0]?.plane
    }

    /// The components that are red, green and blue.
    fileprivate var colorOrder: InlineArray<3, Int> {
        guard format.layout.model == .yCbCr else { return order }
        // Y is green, Cb is blue, Cr is red.
        return [order[2], 0, order[1]]
    }
}
