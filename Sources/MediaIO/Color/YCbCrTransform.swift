/// The affine map between code values and R'G'B', with matrix, range and depth combined into one matrix and one offset.
///
/// All values are normalised: a sample of n bits is its code value divided by 2ⁿ − 1.
public struct YCbCrTransform: Sendable {
    /// The rows of a 3 × 3 matrix.
    public var matrix: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)
    /// The offset added after the multiplication.
    public var offset: SIMD3<Double>

    /// Creates a map from rows and an offset.
    public init(matrix: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>), offset: SIMD3<Double>) {
        self.matrix = matrix
        self.offset = offset
    }

    /// The map from the three components to R', G', B'.
    ///
    /// With Kg = 1 − Kr − Kb (ITU-T H.273, clause 8.3, equations 38 to 43 inverted): R = Y + 2(1−Kr)·Cr,
    /// B = Y + 2(1−Kb)·Cb, G = Y − (2Kr(1−Kr)·Cr + 2Kb(1−Kb)·Cb) / Kg, after Y and C were expanded from 16…235 and
    /// 16…240 times 2ⁿ⁻⁸ (limited) or 0…2ⁿ − 1 (full), chroma centred on 2ⁿ⁻¹. Limited YCgCo has 219
    /// steps in all three.
    ///
    /// - Parameters:
    ///   - space: the colour space, of which only matrix and range matter.
    ///   - depth: n, the bits per sample, 8…16.
    ///   - model: the kind of components; for R, G, B and gray the matrix of `space` is ignored.
    /// - Returns: the map; RGB components are in the order R, G, B.
    public static func decoding(
        _ space: ColorSpace, depth: Int = 8, model: PixelLayout.Model = .yCbCr
    ) -> YCbCrTransform {
        let scales = Scales(space, depth)
        let (rows, hasChroma) = Self.rows(space.matrix, model)
        let scale = SIMD3(scales.luma, hasChroma ? scales.chroma : scales.luma, hasChroma ? scales.chroma : scales.luma)
        let zero = SIMD3(
            scales.black, hasChroma ? scales.middle : scales.black, hasChroma ? scales.middle : scales.black)
        let matrix = (rows.0 * scale, rows.1 * scale, rows.2 * scale)
        return YCbCrTransform(
            matrix: matrix,
            offset: -SIMD3((matrix.0 * zero).sum(), (matrix.1 * zero).sum(), (matrix.2 * zero).sum()))
    }

    /// The map from R', G', B' to Y, Cb, Cr: the same clause, forwards.
    ///
    /// - Parameters:
    ///   - space: the colour space, of which only matrix and range matter.
    ///   - depth: the bits per sample, 8…16.
    /// - Returns: the map.
    public static func encoding(_ space: ColorSpace, depth: Int = 8) -> YCbCrTransform {
        let scales = Scales(space, depth)
        let black = SIMD3(scales.black, scales.middle, scales.middle)
        guard let (kr, kb) = space.matrix.weights else {
            guard space.matrix == .ycgco else {
                return YCbCrTransform(
                    matrix: (SIMD3(0, 1, 0) / scales.luma, SIMD3(0, 0, 1) / scales.luma, SIMD3(1, 0, 0) / scales.luma),
                    offset: SIMD3(repeating: scales.black))
            }
            return YCbCrTransform(
                matrix: (
                    SIMD3(0.25, 0.5, 0.25) / scales.luma, SIMD3(-0.25, 0.5, -0.25) / scales.chroma,
                    SIMD3(0.5, 0, -0.5) / scales.chroma
                ),
                offset: black)
        }
        let luma = SIMD3(kr, 1 - kr - kb, kb)
        return YCbCrTransform(
            matrix: (
                luma / scales.luma,
                (SIMD3(0, 0, 1) - luma) / (2 * (1 - kb)) / scales.chroma,
                (SIMD3(1, 0, 0) - luma) / (2 * (1 - kr)) / scales.chroma
            ),
            offset: black)
    }

    /// Applies the map to one value.
    public func callAsFunction(_ value: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3((matrix.0 * value).sum(), (matrix.1 * value).sum(), (matrix.2 * value).sum()) + offset
    }

    private typealias Rows = (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

    /// The map from expanded components, and whether the second and third of them are centred on zero.
    private static func rows(_ matrix: ColorSpace.Matrix, _ model: PixelLayout.Model) -> (Rows, hasChroma: Bool) {
        switch model {
        case .rgb, .bayer: return ((SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)), false)
        case .gray: return ((SIMD3(1, 0, 0), SIMD3(1, 0, 0), SIMD3(1, 0, 0)), false)
        case .yCbCr: break
        }
        guard let (kr, kb) = matrix.weights else {
            return matrix == .ycgco
                ? ((SIMD3(1, -1, 1), SIMD3(1, 1, 0), SIMD3(1, -1, -1)), true)
                : ((SIMD3(0, 0, 1), SIMD3(1, 0, 0), SIMD3(0, 1, 0)), false)
        }
        let kg = 1 - kr - kb
        return (
            (
                SIMD3(1, 0, 2 * (1 - kr)),
                SIMD3(1, -2 * kb * (1 - kb) / kg, -2 * kr * (1 - kr) / kg),
                SIMD3(1, 2 * (1 - kb), 0)
            ), true
        )
    }

    /// How normalised code values are expanded.
    private struct Scales {
        let luma: Double
        let chroma: Double
        let black: Double
        let middle: Double

        init(_ space: ColorSpace, _ depth: Int) {
            let most = Double(1 << depth - 1)
            let unit = Double(1 << (depth - 8))
            middle = Double(1 << (depth - 1)) / most
            switch space.range {
            case .limited:
                // YCgCo is computed from code values of R, G and B (H.273, clause 8.3), which have 219 steps.
                let steps = space.matrix == .ycgco ? 219.0 : 224.0
                (luma, chroma, black) = (most / (219 * unit), most / (steps * unit), 16 * unit / most)
            case .full: (luma, chroma, black) = (1, 1, 0)
            }
        }
    }
}
