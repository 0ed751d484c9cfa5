import MediaIO
import VideoWall

/// How a tile's frame is drawn: with which program, from where to where, and with which parameters.
struct FrameDrawing: Equatable {
    private(set) var kind: VideoProgram.Kind
    private(set) var placement: FramePlacement
    let parameters: VideoProgram.Parameters
    /// The size of the picture between the two passes of scaling with a kernel: a column for each target pixel along
    /// the source's x axis, a row for each visible row.
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
        let visible = frame.visibleRectangle
        placement = FramePlacement(tile, visible: visible, view)
        let interpretation = FrameInterpretation(
            frame, format, tile, step: placement.step, automaticReduction: view.automaticReduction,
            target: view.colors, mode: view.conversion, drawsSamples: drawsSamples)
        kind = VideoProgram.Kind(
            interpretation, format, view, swapsChroma: tile.colorOverride.swapsChroma, drawsSamples: drawsSamples)
        (kind.effects, kind.isShown) = (effects, isShown)
        kind.isClamped = !view.dithers && !drawsSamples
        placement.origin -= SIMD2(repeating: Float(kind.scaling.tieBias))
        parameters = VideoProgram.Parameters(
            size: frame.image.size, chromaShift: SIMD2<Float>(interpretation.chromaShift), visible: visible,
            hdrMetadata: frame.attributes.hdrMetadata)
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
        (first.kind.effects, first.kind.isShown, first.kind.isClamped) = ([], true, false)
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
        _ interpretation: FrameInterpretation, _ format: PixelFormat, _ view: TargetView, swapsChroma: Bool,
        drawsSamples: Bool
    ) {
        self.init(
            format: format, matrix: interpretation.matrix, range: interpretation.range, swapsChroma: swapsChroma,
            scaling: interpretation.scaling, isLinearLight: interpretation.isLinearLight,
            conversion: interpretation.conversion, isBounded: interpretation.isBounded,
            ditherDepth: drawsSamples ? 0 : view.ditherDepth(of: format), drawsSamples: drawsSamples)
    }
}
