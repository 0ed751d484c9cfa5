package import MediaIO

/// What a frame's samples mean on a tile, and how they are scaled: the rules that all renderers follow.
package struct FrameInterpretation: Hashable {
    /// How the tile's filter is carried out.
    package let scaling: ScalingMethod
    /// Whether light is averaged instead of code values.
    package let isLinearLight: Bool
    /// The conversion to the target's colours; `nil` if code values are shown unconverted.
    package let conversion: ColorConversion?
    /// How the components are made from R, G and B.
    package let matrix: ColorSpace.Matrix
    /// The code values of black and white.
    package let range: ColorSpace.Range
    /// Luma samples to add to a position for the chroma siting.
    package let chromaShift: SIMD2<Double>
    /// Whether scaling reads positions beyond the visible part, whose samples must not be mixed in.
    package let isBounded: Bool

    /// Interprets a tile's frame.
    ///
    /// - Parameters:
    ///   - frame: the tile's frame.
    ///   - format: the format of its pixels.
    ///   - tile: the tile.
    ///   - step: source pixels per pixel of the picture, along the frame's own axes.
    ///   - automaticReduction: the reduction above which the automatic filter antialiases.
    ///   - target: the colours of the target.
    ///   - mode: which differences from those are converted.
    ///   - drawsSamples: whether code values are drawn instead of colours.
    package init(
        _ frame: VideoFrame, _ format: PixelFormat, _ tile: WallScene.Tile, step: SIMD2<Float>,
        automaticReduction: Float, target: ColorTarget, mode: ColorConversionMode, drawsSamples: Bool
    ) {
        let (space, override, layout) = (frame.colorSpace, tile.colorOverride, format.layout)
        let (size, visible) = (frame.image.size, frame.visibleRectangle)
        scaling = ScalingMethod(
            tile.filter, of: layout, reduction: SIMD2(max(1, step.x), max(1, step.y)),
            automaticReduction: automaticReduction, isAligned: tile.isAligned(visible),
            isLinearLight: tile.scalesInLinearLight)
        isLinearLight = tile.scalesInLinearLight && scaling.kernel != nil && !drawsSamples
        var conversion: ColorConversion?
        if !drawsSamples {
            conversion = .needed(from: space, to: target, mode: mode)
            if conversion == nil, isLinearLight {
                // To linear light and back.
                let own = ColorTarget(primaries: space.primaries, transfer: space.transfer)
                conversion = ColorConversion(primaries: own.primaries, transfer: own.transfer, target: own)
            }
        }
        self.conversion = conversion
        matrix = override.matrix ?? space.matrix
        range = override.range ?? space.range
        // Where nothing is interpolated, the siting does not matter.
        let place = (override.chromaLocation ?? frame.chromaLocation).place
        let width = SIMD2(Double((1 << layout.horizontalShift) - 1), Double((1 << layout.verticalShift) - 1))
        chromaShift = scaling == .nearest ? .zero : (0.5 - place) * width
        isBounded = visible.width != size.width || visible.height != size.height || scaling.kernel != nil
    }
}

extension PixelFormat {
    /// The bits per component to dither to in a picture; 0 if the picture has no fewer bits than the format.
    package func ditherDepth(in picture: Int) -> Int { layout.depth > picture ? picture : 0 }
}

extension YCbCrTransform {
    /// The map from a format's samples to R', G', B'.
    ///
    /// - Parameters:
    ///   - format: the format.
    ///   - matrix: how the components are made from R, G and B.
    ///   - range: the code values of black and white; full below 8 bits, where limited range is not defined.
    /// - Returns: the map.
    package static func decoding(
        _ format: PixelFormat, _ matrix: ColorSpace.Matrix, _ range: ColorSpace.Range
    ) -> YCbCrTransform {
        let layout = format.layout
        let space = ColorSpace(matrix: matrix, range: layout.depth < 8 ? .full : range)
        return .decoding(space, depth: max(8, layout.depth), model: layout.model)
    }

    /// The map that leaves samples as they are.
    package static var identity: YCbCrTransform {
        YCbCrTransform(matrix: (SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)), offset: .zero)
    }

    /// How a format's own luma, 0 for black to 1 for white, is computed from its samples: a factor for each, and an
    /// offset.
    ///
    /// For YCbCr and gray, it is the value of R', G' and B' with neutral chroma; for RGB, the Rec. 709 luma.
    package static func luma(
        _ format: PixelFormat, _ matrix: ColorSpace.Matrix, _ range: ColorSpace.Range
    ) -> (factors: SIMD3<Double>, offset: Double) {
        let (transform, model) = (decoding(format, matrix, range), format.layout.model)
        guard model == .gray || model == .yCbCr && matrix != .rgb else {
            let weights = SIMD3(0.2126, 0.7152, 0.0722)
            let rows = transform.matrix
            let factors = weights.x * rows.0 + weights.y * rows.1 + weights.z * rows.2
            return (factors, (weights * transform.offset).sum())
        }
        let depth = max(8, format.layout.depth)
        let middle = Double(1 << (depth - 1)) / Double(1 << depth - 1)
        return (SIMD3(transform.matrix.0.x, 0, 0), transform(SIMD3(0, middle, middle)).x)
    }
}
