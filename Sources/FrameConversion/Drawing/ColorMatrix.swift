import Glibc
import VideoWall

/// An effect that is a matrix and an offset for R'G'B'.
struct ColorMatrix {
    /// Rows.
    private(set) var rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)
    /// What is added to each.
    private(set) var offset = 0.0

    /// The matrix of a step; `nil` if its effect has none.
    init?(_ step: EffectChain.Step) {
        switch step.effect.kernel {
        case .sepia:
            rows = (SIMD3(0.393, 0.769, 0.189), SIMD3(0.349, 0.686, 0.168), SIMD3(0.272, 0.534, 0.131))
            mix(step.number("amount"))
        case .invert:
            let amount = step.number("amount")
            rows = (SIMD3(1 - 2 * amount, 0, 0), SIMD3(0, 1 - 2 * amount, 0), SIMD3(0, 0, 1 - 2 * amount))
            offset = amount
        case .adjust:
            rows = Self.adjustment(saturation: step.number("saturation"), hue: step.number("hue"))
            let contrast = step.number("contrast")
            rows = (contrast * rows.0, contrast * rows.1, contrast * rows.2)
            offset = 0.5 - 0.5 * contrast + step.number("brightness")
        default: return nil
        }
    }

    /// How much a difference can grow.
    var growth: Double { max(Self.growth(rows.0), Self.growth(rows.1), Self.growth(rows.2)) }

    static func growth(_ row: SIMD3<Double>) -> Double { abs(row.x) + abs(row.y) + abs(row.z) }

    /// Mixes it with the matrix that changes nothing.
    private mutating func mix(_ amount: Double) {
        let rest = 1 - amount
        rows = (
            amount * rows.0 + SIMD3(rest, 0, 0), amount * rows.1 + SIMD3(0, rest, 0),
            amount * rows.2 + SIMD3(0, 0, rest)
        )
    }

    /// Chroma of ITU-R BT.709, item 3, multiplied and turned: see `adjust.effect.glsl`.
    private static func adjustment(
        saturation: Double, hue: Double
    ) -> (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>) {
        let luma = SIMD3(0.2126, 0.7152, 0.0722)
        let (cb, cr) = ((SIMD3(0, 0, 1) - luma) / 1.8556, (SIMD3(1, 0, 0) - luma) / 1.5748)
        let (sine, cosine) = (saturation * sin(hue * .pi / 180), saturation * cos(hue * .pi / 180))
        let blue = luma + 1.8556 * (cosine * cb - sine * cr)
        let red = luma + 1.5748 * (sine * cb + cosine * cr)
        return (red, (luma - 0.2126 * red - 0.0722 * blue) / 0.7152, blue)
    }
}

/// The matrix of `exposure.effect.glsl` for linear light of sRGB.
struct LightMatrix {
    typealias Rows = (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

    let rows: Rows

    private static let fromRGB: Rows = (
        SIMD3(0.4124, 0.3576, 0.1805), SIMD3(0.2126, 0.7152, 0.0722), SIMD3(0.0193, 0.1192, 0.9505)
    )
    private static let toRGB: Rows = (
        SIMD3(3.2406255, -1.5372080, -0.4986286), SIMD3(-0.9689307, 1.8757561, 0.0415175),
        SIMD3(0.0557101, -0.2040211, 1.0569959)
    )
    private static let toCones: Rows = (
        SIMD3(0.8951, 0.2664, -0.1614), SIMD3(-0.7502, 1.7135, 0.0367), SIMD3(0.0389, -0.0685, 1.0296)
    )
    private static let fromCones: Rows = (
        SIMD3(0.9869929, -0.1470543, 0.1599627), SIMD3(0.4323053, 0.5183603, 0.0492912),
        SIMD3(-0.0085287, 0.0400428, 0.9684867)
    )

    init(_ step: EffectChain.Step) {
        let gains = Self.light(6504) / Self.light(step.number("temperature"))
        let scaled = (gains.x * Self.toCones.0, gains.y * Self.toCones.1, gains.z * Self.toCones.2)
        var rows = Self.product(Self.toRGB, Self.product(Self.fromCones, Self.product(scaled, Self.fromRGB)))
        rows.1 *= exp2(-0.5 * step.number("tint"))
        let factor = exp2(step.number("stops"))
        self.rows = (factor * rows.0, factor * rows.1, factor * rows.2)
    }

    /// How much a difference can grow in the straight part of the curve, near black.
    var growth: Double { max(ColorMatrix.growth(rows.0), ColorMatrix.growth(rows.1), ColorMatrix.growth(rows.2)) }

    private static func product(_ one: Rows, _ two: Rows) -> Rows {
        func row(_ row: SIMD3<Double>) -> SIMD3<Double> { row.x * two.0 + row.y * two.1 + row.z * two.2 }
        return (row(one.0), row(one.1), row(one.2))
    }

    /// The response of the cones to a light of a temperature: the shader names the sources.
    private static func light(_ kelvin: Double) -> SIMD3<Double> {
        let u =
            ((1.28641212e-7 * kelvin + 1.54118254e-4) * kelvin + 0.860117757)
            / ((7.08145163e-7 * kelvin + 8.42420235e-4) * kelvin + 1)
        let v =
            ((4.20481691e-8 * kelvin + 4.22806245e-5) * kelvin + 0.317398726)
            / ((1.61456053e-7 * kelvin - 2.89741816e-5) * kelvin + 1)
        let blackBody = SIMD2(3 * u, 2 * v) / (2 * u - 8 * v + 4)
        let t = 1000 / kelvin
        let x =
            kelvin < 7000
            ? ((-4.6070 * t + 2.9678) * t + 0.09911) * t + 0.244063
            : ((-2.0064 * t + 1.9018) * t + 0.24748) * t + 0.237040
        let daylight = SIMD2(x, (2.87 - 3 * x) * x - 0.275)
        let share = min(max(kelvin / 1000 - 4, 0), 1)
        let white = blackBody * (1 - share) + daylight * share
        let xyz = SIMD3(white.x, white.y, 1 - white.x - white.y) / white.y
        func cone(_ row: SIMD3<Double>) -> Double { (row * xyz).sum() }
        return SIMD3(cone(toCones.0), cone(toCones.1), cone(toCones.2))
    }
}
