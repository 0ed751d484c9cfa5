import GL
import MediaIO

/// The newest picture of a tile: its planes on the GPU and what they mean.
///
/// The frame's buffer has gone back to the source.
final class TilePicture {
    let planes: PlaneTextures
    private(set) var attributes: FrameAttributes
    private var program: VideoProgram?

    init(_ planes: consuming PlaneTextures, _ frame: VideoFrame) {
        self.planes = planes
        attributes = frame.attributes
    }

    /// Keeps what a newer frame of the same format and size says of itself.
    func describe(_ frame: VideoFrame) { attributes = frame.attributes }

    var orientation: Orientation { Orientation(rotation: attributes.rotation, mirror: attributes.mirror) }
    /// The part of the picture that is shown.
    var visible: Rectangle { attributes.visibleRectangle(in: planes.size) }
    var colorSpace: ColorSpace { attributes.colorSpace(of: planes.format, size: planes.size) }

    /// How a picture is drawn: the tile's wishes and the target's nature.
    struct Style {
        var filter: ScalingFilter
        var scalesInLinearLight: Bool
        var override: ColorOverride
        var target: TileTarget
        var drawsSamples = false
    }

    /// Draws the picture with one call.
    ///
    /// - Parameters:
    ///   - placement: what is shown where.
    ///   - style: how.
    ///   - isExact: whether source and target pixels coincide, so that luma needs no weighting.
    ///   - tools: what every tile draws with.
    /// - Throws: ``GLError`` where the driver does not take the program.
    func draw(
        _ placement: PicturePlacement, _ style: Style, isExact: Bool, _ tools: borrowing DrawingTools
    ) throws(GLError) {
        let kind = kind(placement, style, isExact)
        let program: VideoProgram
        if let made = self.program, made.kind == kind {
            program = made
        } else {
            program = try tools.programs.program(kind)
            self.program = program
        }
        let shifts = planes.format.layout
        // With the nearest sample there is nothing between two samples, so their place does not matter.
        let place = (style.override.chromaLocation ?? attributes.chromaLocation).place
        let width = SIMD2(Double((1 << shifts.horizontalShift) - 1), Double((1 << shifts.verticalShift) - 1))
        let shift = style.filter == .nearest ? .zero : SIMD2<Float>((0.5 - place) * width)
        program.use(
            placement,
            VideoProgram.Parameters(
                size: planes.size, chromaShift: shift, visible: visible, hdrMetadata: attributes.hdrMetadata))
        switch kind.scaling {
        case .nearest: planes.bind(luma: tools.nearest, chroma: tools.nearest)
        case .direct where isExact: planes.bind(luma: tools.nearest, chroma: tools.precise)
        case .direct: planes.bind(luma: tools.precise, chroma: tools.precise)
        case .kernel: planes.bind(luma: tools.nearest, chroma: tools.linear)
        case .reduction: planes.bind(luma: tools.linear, chroma: tools.linear)
        }
        tools.vertices.drawRectangle()
    }

    private func kind(_ placement: PicturePlacement, _ style: Style, _ isExact: Bool) -> VideoProgram.Kind {
        let scaling = ScalingMethod(
            style.filter, reduction: placement.reduction, isExact: isExact, isLinearLight: style.scalesInLinearLight)
        let target = style.target
        let isLinearLight = style.scalesInLinearLight && scaling.walks
        let (colorSpace, visible) = (colorSpace, visible)
        var conversion: ColorConversion?
        if !style.drawsSamples {
            conversion = .needed(from: colorSpace, to: target.colors, mode: target.conversion)
            if conversion == nil, isLinearLight {
                // To light and back.
                let own = ColorTarget(primaries: colorSpace.primaries, transfer: colorSpace.transfer)
                conversion = ColorConversion(primaries: own.primaries, transfer: own.transfer, target: own)
            }
        }
        let isAll = visible.width == planes.size.width && visible.height == planes.size.height
        return VideoProgram.Kind(
            format: planes.format, matrix: style.override.matrix ?? colorSpace.matrix,
            range: style.override.range ?? colorSpace.range, swapsChroma: style.override.swapsChroma, scaling: scaling,
            isLinearLight: isLinearLight, conversion: conversion, isCropped: !isAll,
            ditherDepth: planes.format.layout.depth > target.depth && !style.drawsSamples ? target.depth : 0,
            drawsSamples: style.drawsSamples)
    }
}
