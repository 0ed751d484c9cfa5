import MediaIO

/// R, G and B of code values by the formulas of ITU-T H.273, clause 8.3, in `Double`.
///
/// This is the reference of the certificate, so it shares nothing with the code that draws: the constants are the
/// standard's own, and green follows from the luma equation. Each component of the result is the sum of what Y, Cb and
/// Cr contribute, so three tables per component cover all triples.
///
/// YCgCo is computed from R, G and B that are already quantised, over 219 code values in limited range, so its chroma
/// has the same scale as its luma.
struct ReferenceColors {
    /// The number of code values.
    let count: Int
    /// The contribution of code value `k`: element `(component × 3 + axis) × count + k`, where components are R, G, B
    /// and axes Y, Cb, Cr; the sum of the three is 0 for black and 1 for white.
    let contributions: [Double]

    /// Fills the tables.
    ///
    /// - Parameters:
    ///   - space: the colour space, of which only matrix and range matter.
    ///   - depth: the bits per component, 8 or more.
    init(_ space: ColorSpace, depth: Int) {
        let count = 1 << depth
        let unit = Double(1 << (depth - 8))
        let (luma, difference): ((Double) -> Double, (Double) -> Double) =
            switch space.range {
            case .limited where space.matrix == .ycgco: ({ ($0 / unit - 16) / 219 }, { ($0 / unit - 128) / 219 })
            case .limited: ({ ($0 / unit - 16) / 219 }, { ($0 / unit - 128) / 224 })
            case .full: ({ $0 / Double(count - 1) }, { ($0 - 128 * unit) / Double(count - 1) })
            }
        let isIdentity = space.matrix == .rgb
        let weights = Self.weights(space.matrix)
        var contributions: [Double] = []
        contributions.reserveCapacity(9 * count)
        for component in 0..<3 {
            for axis in 0..<3 {
                let weight = weights[component][axis]
                let level = axis == 0 || isIdentity ? luma : difference
                for code in 0..<count { contributions.append(weight * level(Double(code))) }
            }
        }
        self.count = count
        self.contributions = contributions
    }

    /// R, G and B, 0…1, of one triple.
    func color(_ y: Int, _ cb: Int, _ cr: Int) -> [Double] {
        (0..<3).map { component in
            let start = component * 3 * count
            let sum =
                contributions[start + y] + contributions[start + count + cb] + contributions[start + 2 * count + cr]
            return min(max(sum, 0), 1)
        }
    }

    /// R, G and B, 0…1, of a triple between code values: each contribution is linear in its code value.
    func color(_ code: SIMD3<Double>) -> SIMD3<Double> {
        var color = SIMD3<Double>.zero
        for component in 0..<3 {
            for axis in 0..<3 {
                let start = (component * 3 + axis) * count
                color[component] +=
                    contributions[start]
                    + code[axis] * (contributions[start + count - 1] - contributions[start]) / Double(count - 1)
            }
        }
        return color.clamped(lowerBound: .zero, upperBound: .one)
    }

    /// Rows R, G, B; columns Y, Cb, Cr.
    private static func weights(_ matrix: ColorSpace.Matrix) -> [[Double]] {
        let (kr, kb): (Double, Double)
        switch matrix {
        case .bt709: (kr, kb) = (0.2126, 0.0722)
        case .bt601: (kr, kb) = (0.299, 0.114)
        case .bt2020: (kr, kb) = (0.2627, 0.0593)
        case .smpte240m: (kr, kb) = (0.212, 0.087)
        case .fcc: (kr, kb) = (0.30, 0.11)
        // Green is Y, blue is Cb, red is Cr.
        case .rgb: return [[0, 0, 1], [1, 0, 0], [0, 1, 0]]
        // t = Y − Cg, G = Y + Cg, B = t − Co, R = t + Co.
        case .ycgco: return [[1, -1, 1], [1, 1, 0], [1, -1, -1]]
        }
        // E'PB = 0.5 (E'B − E'Y) / (1 − KB), and likewise for red.
        let red = [1, 0, (1 - kr) / 0.5]
        let blue = [1, (1 - kb) / 0.5, 0]
        // E'Y = KR E'R + (1 − KR − KB) E'G + KB E'B.
        let green = (0..<3).map { axis in ((axis == 0 ? 1 : 0) - kr * red[axis] - kb * blue[axis]) / (1 - kr - kb) }
        return [red, green, blue]
    }
}
