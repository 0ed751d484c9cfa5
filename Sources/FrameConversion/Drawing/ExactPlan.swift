package import CVitrailKernels
import MediaIO
package import VideoWall

/// Makes the plan of the exact painter for a drawing.
enum ExactPlan {
    /// Makes a plan.
    ///
    /// - Parameters:
    ///   - drawing: what is drawn.
    ///   - memory: keeps the tables.
    /// - Returns: the plan.
    static func make(_ drawing: TileDrawing, _ memory: PlanMemory) -> VitrailExactPlan {
        var plan = VitrailExactPlan()
        let layout = drawing.format.layout
        setSamples(&plan, drawing, layout)
        setScaling(&plan, drawing, layout, memory)
        let transform = drawing.decoding
        let rows = (transform.matrix.0, transform.matrix.1, transform.matrix.2)
        plan.matrix = (
            Float(rows.0.x), Float(rows.0.y), Float(rows.0.z), Float(rows.1.x), Float(rows.1.y), Float(rows.1.z),
            Float(rows.2.x), Float(rows.2.y), Float(rows.2.z)
        )
        plan.offsets = (Float(transform.offset.x), Float(transform.offset.y), Float(transform.offset.z))
        if let conversion = drawing.conversion { setConversion(&plan, conversion, drawing.hdrMetadata) }
        plan.ditherDepth = Int32(drawing.ditherDepth)
        plan.pictureWidth = Int32(drawing.columns.count)
        plan.format = drawing.picture.kernelFormat
        return plan
    }

    private static func setSamples(_ plan: inout VitrailExactPlan, _ drawing: TileDrawing, _ layout: PixelLayout) {
        switch layout.packing {
        case .regular: plan.packing = VitrailRegular
        case .v210: plan.packing = VitrailV210
        case .bayer(let column, let row):
            plan.packing = VitrailBayer
            (plan.redColumn, plan.redRow) = (Int32(column), Int32(row))
        }
        func word(_ index: Int) -> VitrailWord {
            guard let component = layout.components[index] ?? layout.components[0] else { return VitrailWord() }
            return VitrailWord(
                wordBytes: Int32(component.wordBytes), shift: Int32(component.shift), depth: Int32(component.depth))
        }
        let order = drawing.order
        plan.words = (word(order[0]), word(order[1]), word(order[2]), word(3))
        plan.hasOpacity = layout.hasAlpha && drawing.content == .colors
        (plan.isFloat, plan.isGray) = (layout.isFloat, layout.model == .gray)
        (plan.width, plan.height) = (Int32(drawing.columns.length), Int32(drawing.rows.length))
        plan.chromaWidth = Int32(drawing.columns.chromaLength)
        plan.chromaHeight = Int32(drawing.rows.chromaLength)
        (plan.isTurned, plan.isSwapped) = (drawing.isTurned, drawing.swapsChroma)
    }

    private static func setScaling(
        _ plan: inout VitrailExactPlan, _ drawing: TileDrawing, _ layout: PixelLayout, _ memory: PlanMemory
    ) {
        plan.isLinearLight = drawing.isLinearLight
        plan.isMatrixFirst = plan.hasOpacity || plan.isLinearLight
        func axis(_ taps: AxisTaps) -> VitrailAxis {
            VitrailAxis(taps: Int32(taps.taps), bases: memory.add(taps.bases), weights: memory.add(taps.weights))
        }
        let (columns, rows) = (drawing.columns, drawing.rows)
        let luma = (axis(columns.luma()), axis(rows.luma()))
        let chroma =
            layout.isSubsampled && !plan.isMatrixFirst ? (axis(columns.chroma()), axis(rows.chroma())) : luma
        plan.across = (luma.0, chroma.0)
        plan.down = (luma.1, chroma.1)
        guard plan.isMatrixFirst else { return }
        plan.chromaAcross = axis(columns.chromaOfSamples())
        plan.chromaDown = axis(rows.chromaOfSamples())
    }

    private static func setConversion(
        _ plan: inout VitrailExactPlan, _ conversion: ColorConversion, _ metadata: HDRMetadata?
    ) {
        func transfer(_ transfer: ColorSpace.Transfer, _ weights: SIMD3<Double>) -> VitrailTransferPlan {
            let (kind, gamma): (VitrailTransfer, Float) =
                switch transfer {
                case .bt709: (VitrailTransferPower, 2.4)
                case .gamma22: (VitrailTransferPower, 2.2)
                case .gamma28: (VitrailTransferPower, 2.8)
                case .sRGB: (VitrailTransferSRGB, 1)
                case .linear: (VitrailTransferLinear, 1)
                case .pq: (VitrailTransferPQ, 1)
                case .hlg: (VitrailTransferHLG, 1)
                }
            return VitrailTransferPlan(
                kind: kind, gamma: gamma, weights: (Float(weights.x), Float(weights.y), Float(weights.z)))
        }
        plan.isConverted = true
        plan.hasTone = conversion.hasToneCurve
        plan.source = transfer(conversion.transfer, conversion.sourceWeights)
        plan.target = transfer(conversion.target.transfer, conversion.targetWeights)
        let (red, green, blue) = (conversion.matrix.red, conversion.matrix.green, conversion.matrix.blue)
        plan.primaries = (
            Float(red.x), Float(red.y), Float(red.z), Float(green.x), Float(green.y), Float(green.z), Float(blue.x),
            Float(blue.y), Float(blue.z)
        )
        let curve = ToneCurve(metadata, of: conversion.transfer)
        plan.toneRange = (Float(curve.black), Float(curve.span))
        plan.toneShape = (Float(curve.knee), Float(curve.peak), Float(curve.lift))
    }
}

extension PictureFormat {
    /// The same for the kernels.
    package var kernelFormat: VitrailPictureFormat {
        switch self {
        case .rgba8: VitrailRGBA8
        case .bgra8: VitrailBGRA8
        case .rgb10a2: VitrailRGB10A2
        case .rgba16f: VitrailRGBA16F
        case .rgba32f: VitrailRGBA32F
        }
    }
}
