import MediaIO

/// Converts R'G'B' to the code value of one component.
struct SampleCode {
    private let weights: SIMD3<Double>
    private let offset: Double
    private let least: Double
    private let most: Double

    /// The nearest code value, clamped.
    @inline(__always)
    func callAsFunction(_ color: SIMD3<Double>) -> Int {
        Int(min(most, max(least, exact(color))) + 0.5)
    }

    /// The bits of the nearest 16-bit floating-point number.
    func half(_ color: SIMD3<Double>) -> UInt16 { Float16(exact(color)).bitPattern }

    @inline(__always)
    private func exact(_ color: SIMD3<Double>) -> Double { (weights * color).sum() + offset }

    /// The converters of a format: Y, Cb, Cr or R, G, B, and A; for gray only Y.
    static func all(of format: PixelFormat, _ size: VideoSize, _ space: ColorSpace) -> [SampleCode] {
        let layout = format.layout
        switch layout.model {
        case .yCbCr, .gray:
            var space = space
            // Gray has no matrix of its own: use the luma that a colour frame of this size would have.
            if layout.model == .gray, space.matrix == .rgb { space.matrix = ColorSpace.unspecified(for: size).matrix }
            let encoding = YCbCrTransform.encoding(space, depth: layout.depth)
            let rows = [encoding.matrix.0, encoding.matrix.1, encoding.matrix.2]
            let most = Double(1 << layout.depth - 1)
            // The four code values at either end are reserved for SDI's synchronisation.
            let margin = format == .v210 ? 4.0 : 0
            let colors = (0..<3).map { index in
                SampleCode(
                    weights: rows[index] * most, offset: encoding.offset[index] * most, least: margin,
                    most: most - margin)
            }
            return colors + opacity(layout)
        case .rgb, .bayer:
            let colors = (0..<3).map { index in
                let depth = layout.components[index]?.depth ?? layout.depth
                var weights = SIMD3<Double>()
                weights[index] = 1
                return rgb(weights, depth, layout.isFloat, space.range)
            }
            return colors + opacity(layout)
        }
    }

    private static func rgb(
        _ weights: SIMD3<Double>, _ depth: Int, _ isFloat: Bool, _ range: ColorSpace.Range
    ) -> SampleCode {
        let most = Double(1 << depth - 1)
        // Not a shift: 16 and 219 are for 8 bits, and R, G and B may have fewer.
        let unit = (most + 1) / 256
        let (scale, black) = range == .full ? (most, 0) : (219 * unit, 16 * unit)
        // For integers and floating point alike, 1 is the largest value of a component.
        let one = isFloat ? most : 1
        return SampleCode(weights: weights * scale / one, offset: black / one, least: 0, most: most)
    }

    private static func opacity(_ layout: PixelLayout) -> [SampleCode] {
        guard let depth = layout.components[3]?.depth else { return [] }
        let most = Double(1 << depth - 1)
        return [SampleCode(weights: SIMD3(), offset: layout.isFloat ? 1 : most, least: 0, most: most)]
    }
}
