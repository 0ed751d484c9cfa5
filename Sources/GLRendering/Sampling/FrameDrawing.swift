import MediaIO
import VideoWall

/// How a tile's frame is drawn: with which program, from where to where, and with which parameters.
struct FrameDrawing: Equatable {
    private(set) var kind: VideoProgram.Kind
    private(set) var placement: FramePlacement
    let parameters: VideoProgram.Parameters
    /// The size of the picture between the two passes of scaling with a kernel: a column for each target pixel along the
    /// source's x axis, a row for each visible row.
    let rowsSize: VideoSize

    /// Determines how to draw a tile's frame.
    ///
    /// - Parameters:
    ///   - frame: the tile's frame.
    ///   - format: the format of its pixels.
    ///   - tile: the tile.
    ///   - view: the target.
    ///   - drawsSamples: whether code values are drawn instead of colours.
    ///   - effects: the effects that are folded into the draw.
    ///   - isShown: whether nothing follows them.
    init(
        _ frame: VideoFrame, _ format: PixelFormat, _ tile: WallScene.Tile, _ view: TargetView,
        drawsSamples: Bool = false, effects: [Effect] = [], isShown: Bool = true
    ) {
        let (visible, layout) = (frame.visibleRectangle, format.layout)
        placement = FramePlacement(tile, visible: visible, view)
        kind = VideoProgram.Kind(
            frame, format, tile, view, reduction: placement.reduction, drawsSamples: drawsSamples)
        (kind.effects, kind.isShown) = (effects, isShown)
        var shift = SIMD2<Float>.zero
        if kind.scaling == .nearest {
            // Nothing is interpolated, so the siting does not matter. Of two samples that are equally near, the first one.
            placement.origin -= SIMD2(repeating: 1 / 1024)
        } else {
            let place = (tile.colorOverride.chromaLocation ?? frame.chromaLocation).place
            let width = SIMD2(Double((1 << layout.horizontalShift) - 1), Double((1 << layout.verticalShift) - 1))
            shift = SIMD2<Float>((0.5 - place) * width)
        }
        parameters = VideoProgram.Parameters(
            size: frame.image.size, chromaShift: shift, visible: visible, hdrMetadata: frame.attributes.hdrMetadata)
        let area = tile.placement.destination
        rowsSize = VideoSize(
            width: max(1, tile.orientation.rotation.isQuarterTurn ? area.height : area.width), height: visible.height)
    }

    /// The smallest source x that is shown.
    private var left: Float {
        let step = placement.perColumn.x + placement.perRow.x
        return step > 0 ? placement.origin.x : placement.origin.x + step * Float(rowsSize.width)
    }

    /// The first pass of scaling with a kernel: the visible rows, each as wide as on the target.
    var across: FrameDrawing {
        var first = self
        first.kind.pass = .across
        first.kind.ditherDepth = 0
        (first.kind.effects, first.kind.isShown) = ([], true)
        if !kind.isLinearLight { first.kind.conversion = nil }
        first.placement = FramePlacement(
            covering: rowsSize, origin: SIMD2(left, Float(parameters.visible.y)), step: SIMD2(placement.step.x, 1))
        return first
    }

    /// The second pass: from those rows to the target.
    var down: FrameDrawing {
        var second = self
        second.kind.pass = .down
        let columns = SIMD2(1 / placement.step.x, 1)
        second.placement.origin = (placement.origin - SIMD2(left, Float(parameters.visible.y))) * columns
        second.placement.perColumn *= columns
        second.placement.perRow *= columns
        return second
    }
}

extension VideoProgram.Kind {
    /// The kind of program for a tile.
    fileprivate init(
        _ frame: VideoFrame, _ format: PixelFormat, _ tile: WallScene.Tile, _ view: TargetView,
        reduction: SIMD2<Float>, drawsSamples: Bool
    ) {
        let (space, override, layout) = (frame.colorSpace, tile.colorOverride, format.layout)
        let (size, visible) = (frame.image.size, frame.visibleRectangle)
        let scaling = ScalingMethod(
            tile.filter, of: layout, reduction: reduction,
            automaticReduction: view.automaticReduction, isAligned: tile.isAligned(visible),
            isLinearLight: tile.scalesInLinearLight)
        let isLinearLight = tile.scalesInLinearLight && scaling.kernel != nil && !drawsSamples
        var conversion: ColorConversion?
        if !drawsSamples {
            conversion = .needed(from: space, to: view.colors, mode: view.conversion)
            if conversion == nil, isLinearLight {
                // To linear light and back.
                let own = ColorTarget(primaries: space.primaries, transfer: space.transfer)
                conversion = ColorConversion(primaries: own.primaries, transfer: own.transfer, target: own)
            }
        }
        self.init(
            format: format, matrix: override.matrix ?? space.matrix,
            range: override.range ?? space.range, swapsChroma: override.swapsChroma, scaling: scaling,
            isLinearLight: isLinearLight, conversion: conversion,
            isBounded: visible.width != size.width || visible.height != size.height || scaling.kernel != nil,
            ditherDepth: layout.depth > view.depth && view.dithers && !drawsSamples ? view.depth : 0,
            drawsSamples: drawsSamples)
    }
}
