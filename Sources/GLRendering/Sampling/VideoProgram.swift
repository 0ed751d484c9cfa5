import MediaIO
import VideoWall
import VitrailGL

/// The program that converts one kind of frame.
///
/// It is a class, so that tiles of one kind share it.
final class VideoProgram {
    /// The part of the work that a program does.
    enum Pass: Hashable {
        /// All of it.
        case only
        /// The first of the two passes of scaling with a kernel.
        case across
        /// The second one.
        case down
    }

    /// Everything that a program is specialised for.
    struct Kind: Hashable {
        var format: PixelFormat
        var matrix: ColorSpace.Matrix
        var range: ColorSpace.Range
        var swapsChroma: Bool
        var scaling: ScalingMethod
        var pass = Pass.only
        /// Whether light is averaged instead of code values.
        var isLinearLight: Bool
        /// The conversion to the target's colours; `nil` if code values are shown unconverted.
        var conversion: ColorConversion?
        /// Whether positions beyond the visible part occur, whose samples must not be mixed in.
        var isBounded: Bool
        /// The bits of the target if they are fewer than the source's, or 0.
        var ditherDepth: Int
        /// Whether code values are drawn instead of colours.
        var drawsSamples = false
        /// Whether colours are clamped, because effects read them.
        var isClamped = false
        /// The effects that are folded into the draw.
        var effects: [Effect] = []
        /// Whether nothing follows these effects.
        var isShown = true
    }

    /// Parameters that change from frame to frame.
    struct Parameters: Equatable {
        /// The frame's size in memory.
        var size: VideoSize
        /// Luma pixels to add for the chroma siting.
        var chromaShift: SIMD2<Float>
        /// The part of the frame that is shown.
        var visible: Rectangle
        /// The frame's brightness metadata.
        var hdrMetadata: HDRMetadata?
    }

    let kind: Kind
    /// When a tile asked for it last.
    var lastUse = MonotonicTime.now
    private let picture: QuadProgram
    private let lumaScale: Uniform
    private let chromaScale: Uniform
    private let chromaShift: Uniform
    private let reduction: Uniform
    private let pictureSize: Uniform
    private let bounds: Uniform
    private let chromaBounds: Uniform
    private let toneCurve: ToneCurveUniforms?
    /// The uniforms of the effects that are folded into the draw, or `nil` if there are none.
    let effects: EffectUniforms?

    init(_ context: GLContext, _ kind: Kind) throws(GLError) {
        let sampling = PlaneSampling(kind.format)
        picture = try QuadProgram(
            context, title: "video \(kind.format) \(kind.matrix) \(kind.range)",
            fragment: VideoShader.sources(kind, sampling))
        self.kind = kind
        // A program uses some of these, depending on its kind.
        lumaScale = picture.program.uniformIfUsed("lumaScale")
        chromaScale = picture.program.uniformIfUsed("chromaScale")
        chromaShift = picture.program.uniformIfUsed("chromaShift")
        reduction = picture.program.uniformIfUsed("reduction")
        pictureSize = picture.program.uniformIfUsed("pictureSize")
        bounds = picture.program.uniformIfUsed("bounds")
        chromaBounds = picture.program.uniformIfUsed("chromaBounds")
        toneCurve =
            if let conversion = kind.conversion, kind.pass != .across {
                try ToneCurveUniforms(picture.program, conversion)
            } else {
                nil
            }
        picture.program.use()
        picture.program.uniformIfUsed("rows").set(0)
        for index in 0..<sampling.count { picture.program.uniformIfUsed("plane\(index)").set(index) }
        effects =
            kind.effects.isEmpty
            ? nil : try EffectUniforms(picture.program, kind.effects, firstSlot: 1, firstUnit: sampling.count)
        try context.check("Setting up the program for \(kind.format)")
    }

    /// Makes this the current program and sets its uniforms.
    func use(_ drawing: FrameDrawing) {
        let (placement, parameters) = (drawing.placement, drawing.parameters)
        picture.use(placement)
        if let conversion = kind.conversion {
            toneCurve?.set(ToneCurve(parameters.hdrMetadata, of: conversion.transfer))
        }
        if let kernel = kind.scaling.kernel {
            let step = kind.pass == .across ? placement.step.x : placement.step.y
            reduction.set(Float(kernel.reduction(Double(step))))
        }
        guard kind.pass != .down else { return }
        let size = parameters.size
        let lumaSize = SIMD2(Float(size.width), Float(size.height))
        let layout = kind.format.layout
        let (x, y) = (layout.horizontalShift, layout.verticalShift)
        // Rounded up if the frame's size is not a multiple.
        func whole(_ length: Int, _ shift: Int) -> Float { Float(((length + (1 << shift) - 1) >> shift) << shift) }
        let chromaSize = SIMD2(whole(size.width, x), whole(size.height, y))
        lumaScale.set(1 / lumaSize)
        chromaScale.set(1 / chromaSize)
        chromaShift.set(parameters.chromaShift / chromaSize)
        pictureSize.set(lumaSize)
        guard kind.isBounded else { return }
        let part = parameters.visible
        bounds.set(Self.bounds(part, 0, 0))
        chromaBounds.set(Self.bounds(part, x, y) / SIMD4(lowHalf: chromaSize, highHalf: chromaSize))
    }

    /// The centres, in luma pixels, of the outermost visible samples of a plane.
    private static func bounds(_ part: Rectangle, _ x: Int, _ y: Int) -> SIMD4<Float> {
        func center(_ pixel: Int, _ shift: Int) -> Float { (Float(pixel >> shift) + 0.5) * Float(1 << shift) }
        return SIMD4(
            center(part.x, x), center(part.y, y), center(part.x + part.width - 1, x),
            center(part.y + part.height - 1, y))
    }
}
