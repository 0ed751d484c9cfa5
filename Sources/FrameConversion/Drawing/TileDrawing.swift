package import MediaIO
package import VideoWall

/// Everything but the samples that determines how a tile's frame is drawn; tables are remade only if it changes.
package struct TileDrawing: Equatable {
    let format: PixelFormat
    /// How the frame's columns and rows in the picture are made; the axes are those of the picture.
    package private(set) var columns: AxisScaling
    package private(set) var rows: AxisScaling
    /// Whether the picture's columns are rows in memory.
    package let isTurned: Bool
    /// The conversion to the target's colours; `nil` if there is none.
    let conversion: ColorConversion?
    /// Whether light is averaged instead of code values.
    let isLinearLight: Bool
    let matrix: ColorSpace.Matrix
    let range: ColorSpace.Range
    let hdrMetadata: HDRMetadata?
    let swapsChroma: Bool
    let picture: PictureFormat
    /// The bits per component that are dithered to; 0 if the picture has no fewer bits than the frame.
    package let ditherDepth: Int
    /// What is drawn.
    let content: Content
    /// Whether only the luma of the colours is shown.
    let isGrayscale: Bool
    /// What effects, which the painters apply, need of what they change.
    let precision: Precision

    /// What is drawn.
    enum Content {
        case colors
        /// Code values.
        case samples
        /// The frame's own luma, for `plain-luma`.
        case luma
    }

    /// What effects need.
    package enum Precision: Sendable {
        /// There are none.
        case none
        /// The sums of the fast painter.
        case sums
        /// They enlarge differences too much for those.
        case exact
    }

    /// Determines how to draw a frame.
    ///
    /// - Parameters:
    ///   - frame: the tile's frame.
    ///   - format: the format of its pixels.
    ///   - tile: the tile.
    ///   - scene: the scene, for the colours of the target.
    ///   - picture: the format of the target.
    ///   - automaticReduction: the reduction above which the automatic filter antialiases.
    ///   - effects: the tile's effects that are applied to the picture, or `nil`.
    ///   - drawsSamples: whether code values are drawn instead of colours.
    package init(
        _ frame: VideoFrame, _ format: PixelFormat, _ tile: WallScene.Tile, _ scene: WallScene,
        _ picture: PictureFormat, automaticReduction: Float, effects: KernelSteps? = nil, drawsSamples: Bool = false
    ) {
        content = drawsSamples ? .samples : effects?.beginsWithLuma == true ? .luma : .colors
        (precision, isGrayscale) = (effects?.precision ?? .none, effects?.isGrayscale ?? false)
        let (size, layout, visible) = (frame.image.size, format.layout, frame.visibleRectangle)
        let mapping = FrameMapping(tile, visible: visible)
        let interpretation = FrameInterpretation(
            frame, format, tile, step: SIMD2<Float>(mapping.step), automaticReduction: automaticReduction,
            target: scene.colorTarget, mode: scene.colorConversion, drawsSamples: content != .colors)
        self.format = format
        (conversion, isLinearLight) = (interpretation.conversion, interpretation.isLinearLight)
        (matrix, range) = (interpretation.matrix, interpretation.range)
        self.picture = picture
        hdrMetadata = conversion == nil ? nil : frame.attributes.hdrMetadata
        swapsChroma = tile.colorOverride.swapsChroma
        ditherDepth = content == .samples ? 0 : format.ditherDepth(in: picture.depth)
        let across = AxisScaling(
            origin: mapping.origin.x, length: size.width, first: visible.x, last: visible.x + visible.width - 1,
            shift: layout.horizontalShift, chromaShift: interpretation.chromaShift.x,
            method: interpretation.scaling, isBounded: interpretation.isBounded)
        let down = AxisScaling(
            origin: mapping.origin.y, length: size.height, first: visible.y, last: visible.y + visible.height - 1,
            shift: layout.verticalShift, chromaShift: interpretation.chromaShift.y,
            method: interpretation.scaling, isBounded: interpretation.isBounded)
        isTurned = tile.orientation.rotation.isQuarterTurn
        (columns, rows) = isTurned ? (down, across) : (across, down)
        let destination = tile.placement.destination
        columns.count = destination.width
        rows.count = destination.height
        columns.step = isTurned ? mapping.perColumn.y : mapping.perColumn.x
        rows.step = isTurned ? mapping.perRow.x : mapping.perRow.y
    }

    /// Determines how to draw a whole frame pixel by pixel, as it is in memory, in the colours of sRGB.
    ///
    /// - Parameters:
    ///   - frame: the frame.
    ///   - format: the format of its pixels.
    ///   - picture: the format of the target.
    init(unscaled frame: VideoFrame, _ format: PixelFormat, _ picture: PictureFormat) {
        let (size, space, layout) = (frame.image.size, frame.colorSpace, format.layout)
        (self.format, self.picture) = (format, picture)
        (isTurned, swapsChroma, isLinearLight) = (false, false, false)
        (content, precision, isGrayscale) = (.colors, .none, false)
        (matrix, range) = (space.matrix, space.range)
        conversion = .needed(from: space, to: .sRGB, mode: .auto)
        hdrMetadata = conversion == nil ? nil : frame.attributes.hdrMetadata
        ditherDepth = format.ditherDepth(in: picture.depth)
        let place = frame.chromaLocation.place
        func axis(_ length: Int, _ shift: Int, _ place: Double) -> AxisScaling {
            AxisScaling(
                count: length, origin: 0, step: 1, length: length, first: 0, last: length - 1, shift: shift,
                chromaShift: (0.5 - place) * Double(1 << shift - 1), method: .aligned, isBounded: false)
        }
        columns = axis(size.width, layout.horizontalShift, place.x)
        rows = axis(size.height, layout.verticalShift, place.y)
    }

    /// The transform from samples, in the order of the format's components, to R'G'B'.
    var decoding: YCbCrTransform {
        switch content {
        case .colors: return .decoding(format, matrix, range)
        case .samples: return .identity
        case .luma:
            let (factors, offset) = YCbCrTransform.luma(format, matrix, range)
            return YCbCrTransform(matrix: (factors, factors, factors), offset: SIMD3(repeating: offset))
        }
    }

    /// The indexes of the components that count as the first, second and third.
    var order: InlineArray<3, Int> { swapsChroma ? [0, 2, 1] : [0, 1, 2] }
}
