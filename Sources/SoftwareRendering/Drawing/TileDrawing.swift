import MediaIO
import VideoWall

/// Everything that determines how a tile's frame is drawn, besides its samples; tables are made anew only if it changes.
struct TileDrawing: Equatable {
    let format: PixelFormat
    let size: VideoSize
    /// How the frame's columns and rows in the picture are made; the axes are those of the picture.
    private(set) var columns: AxisScaling
    private(set) var rows: AxisScaling
    /// Whether the picture's columns are rows in memory.
    let isTurned: Bool
    let isLinearLight: Bool
    let conversion: ColorConversion?
    let hdrMetadata: HDRMetadata?
    let matrix: ColorSpace.Matrix
    let range: ColorSpace.Range
    let swapsChroma: Bool
    let picture: PictureFormat
    /// Whether the picture has fewer bits, which are dithered.
    let dithers: Bool
    /// Whether code values are drawn instead of colours.
    let drawsSamples: Bool

    /// Determines how to draw a frame.
    ///
    /// - Parameters:
    ///   - frame: the tile's frame.
    ///   - format: the format of its pixels.
    ///   - tile: the tile.
    ///   - scene: the scene, for the colours of the target.
    ///   - picture: the format of the target.
    ///   - automaticReduction: the reduction above which the automatic filter antialiases.
    ///   - drawsSamples: whether code values are drawn instead of colours.
    init(
        _ frame: VideoFrame, _ format: PixelFormat, _ tile: WallScene.Tile, _ scene: WallScene,
        _ picture: PictureFormat,
        automaticReduction: Float, drawsSamples: Bool = false
    ) {
        let (space, override, layout, visible) = (
            frame.colorSpace, tile.colorOverride, format.layout, frame.visibleRectangle
        )
        let mapping = FrameMapping(tile, visible: visible)
        let reduction = SIMD2<Float>(mapping.step)
        let method = ScalingMethod(
            tile.filter, of: layout, reduction: SIMD2(max(1, reduction.x), max(1, reduction.y)),
            automaticReduction: automaticReduction, isAligned: tile.isAligned(visible),
            isLinearLight: tile.scalesInLinearLight)
        self.format = format
        (size, self.picture, self.drawsSamples) = (frame.image.size, picture, drawsSamples)
        isLinearLight = tile.scalesInLinearLight && method.kernel != nil && !drawsSamples
        var conversion: ColorConversion?
        if !drawsSamples {
            conversion = .needed(from: space, to: scene.colorTarget, mode: scene.colorConversion)
            if conversion == nil, isLinearLight {
                // To linear light and back.
                let own = ColorTarget(primaries: space.primaries, transfer: space.transfer)
                conversion = ColorConversion(primaries: own.primaries, transfer: own.transfer, target: own)
            }
        }
        self.conversion = conversion
        hdrMetadata = conversion == nil ? nil : frame.attributes.hdrMetadata
        matrix = override.matrix ?? space.matrix
        range = layout.depth < 8 ? .full : override.range ?? space.range
        swapsChroma = override.swapsChroma
        dithers = layout.depth > picture.depth && !drawsSamples
        let place = (override.chromaLocation ?? frame.chromaLocation).place
        let isBounded = visible.width != size.width || visible.height != size.height || method.kernel != nil
        let across = AxisScaling(
            count: 0, origin: mapping.origin.x, step: 0, length: size.width, first: visible.x,
            last: visible.x + visible.width - 1, shift: layout.horizontalShift,
            chromaShift: (0.5 - place.x) * Double((1 << layout.horizontalShift) - 1), method: method,
            isBounded: isBounded)
        let down = AxisScaling(
            count: 0, origin: mapping.origin.y, step: 0, length: size.height, first: visible.y,
            last: visible.y + visible.height - 1, shift: layout.verticalShift,
            chromaShift: (0.5 - place.y) * Double((1 << layout.verticalShift) - 1), method: method,
            isBounded: isBounded)
        isTurned = tile.orientation.rotation.isQuarterTurn
        (columns, rows) = isTurned ? (down, across) : (across, down)
        let destination = tile.placement.destination
        columns.count = destination.width
        rows.count = destination.height
        columns.step = isTurned ? mapping.perColumn.y : mapping.perColumn.x
        rows.step = isTurned ? mapping.perRow.x : mapping.perRow.y
    }

    /// The transform from samples, in the order of the format's components, to R'G'B'.
    var decoding: YCbCrTransform {
        guard !drawsSamples else {
            return YCbCrTransform(matrix: (SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)), offset: .zero)
        }
        let layout = format.layout
        return .decoding(ColorSpace(matrix: matrix, range: range), depth: max(8, layout.depth), model: layout.model)
    }

    /// The indexes of the components that count as the first, second and third.
    var order: InlineArray<3, Int> { swapsChroma ? [0, 2, 1] : [0, 1, 2] }
}
