/// The affine map between code values and R'G'B', with matrix, range and offset folded into one matrix and one vector.
///
/// All values are normalised: a sample of 8 bits is its code value divided by 255.
public struct YCbCrTransform: Sendable {
    /// Rows of a 3 × 3 matrix.
    public var matrix: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)
    /// What is added after the multiplication.
    public var offset: SIMD3<Double>

    /// From Y, Cb, Cr to R', G', B'.
    ///
    /// With Kg = 1 − Kr − Kb (ITU-T H.273, clause 8.3, equations 38 to 43 inverted): R = Y + 2(1−Kr)·Cr,
    /// B = Y + 2(1−Kb)·Cb, G = Y − (2Kr(1−Kr)·Cr + 2Kb(1−Kb)·Cb) / Kg, after Y and C were expanded from 16…235 and
    /// 16…240 (limited) or 0…255 (full), chroma centred on 128.
    public static func decoding(_ space: ColorSpace) -> YCbCrTransform {
        let (kr, kb) = (space.matrix.kr, space.matrix.kb)
        let kg = 1 - kr - kb
        let (lumaScale, chromaScale, black) = scales(space.range)
        let rows = (
            SIMD3(1, 0, 2 * (1 - kr)),
            SIMD3(1, -2 * kb * (1 - kb) / kg, -2 * kr * (1 - kr) / kg),
            SIMD3(1, 2 * (1 - kb), 0)
        )
        let scale = SIMD3(lumaScale, chromaScale, chromaScale)
        let zero = SIMD3(black, 128.0 / 255, 128.0 / 255)
        let matrix = (rows.0 * scale, rows.1 * scale, rows.2 * scale)
        return YCbCrTransform(
            matrix: matrix,
            offset: -SIMD3((matrix.0 * zero).sum(), (matrix.1 * zero).sum(), (matrix.2 * zero).sum()))
    }

    /// From R', G', B' to Y, Cb, Cr: the same clause, forwards.
    public static func encoding(_ space: ColorSpace) -> YCbCrTransform {
        let (kr, kb) = (space.matrix.kr, space.matrix.kb)
        let luma = SIMD3(kr, 1 - kr - kb, kb)
        let (lumaScale, chromaScale, black) = scales(space.range)
        return YCbCrTransform(
            matrix: (
                luma / lumaScale,
                (SIMD3(0, 0, 1) - luma) / (2 * (1 - kb)) / chromaScale,
                (SIMD3(1, 0, 0) - luma) / (2 * (1 - kr)) / chromaScale
            ),
            offset: SIMD3(black, 128.0 / 255, 128.0 / 255))
    }

    /// Applies the map to one value.
    public func callAsFunction(_ value: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3((matrix.0 * value).sum(), (matrix.1 * value).sum(), (matrix.2 * value).sum()) + offset
    }

    private static func scales(_ range: ColorSpace.Range) -> (luma: Double, chroma: Double, black: Double) {
        switch range {
        case .limited: (255.0 / 219, 255.0 / 224, 16.0 / 255)
        case .full: (1, 1, 0)
        }
    }
}
