/// The chromaticities of three primaries and of their white point, as x and y of CIE 1931.
public struct Chromaticities: Hashable, Sendable {
    /// The red primary.
    public var red: SIMD2<Double>
    /// The green primary.
    public var green: SIMD2<Double>
    /// The blue primary.
    public var blue: SIMD2<Double>
    /// The white point.
    public var white: SIMD2<Double>

    /// Creates chromaticities; the white point is D65 by default.
    public init(
        red: SIMD2<Double>, green: SIMD2<Double>, blue: SIMD2<Double>, white: SIMD2<Double> = SIMD2(0.3127, 0.3290)
    ) {
        self.red = red
        self.green = green
        self.blue = blue
        self.white = white
    }

    /// The matrix from linear R, G and B to X, Y and Z of CIE 1931, with Y of white 1 (SMPTE RP 177).
    ///
    /// Its second row is the weights of R, G and B in luminance.
    public var toXYZ: ColorMatrix {
        let lights = ColorMatrix(columns: Self.xyz(red), Self.xyz(green), Self.xyz(blue))
        let amounts = lights.inverse(Self.xyz(white))
        return ColorMatrix(lights.red * amounts, lights.green * amounts, lights.blue * amounts)
    }

    /// The matrix from linear R, G and B of these primaries to those of others.
    ///
    /// White becomes white: different white points are adapted by the Bradford transform (ISO 15076-1, annex E).
    public func conversion(to other: Chromaticities) -> ColorMatrix {
        let adapted = white == other.white ? toXYZ : Self.adaptation(from: white, to: other.white) * toXYZ
        return other.toXYZ.inverse * adapted
    }

    private static func adaptation(from source: SIMD2<Double>, to target: SIMD2<Double>) -> ColorMatrix {
        let cones = ColorMatrix(
            SIMD3(0.8951, 0.2664, -0.1614), SIMD3(-0.7502, 1.7135, 0.0367), SIMD3(0.0389, -0.0685, 1.0296))
        let gains = cones(xyz(target)) / cones(xyz(source))
        return cones.inverse
            * ColorMatrix(cones.red * gains.x, cones.green * gains.y, cones.blue * gains.z)
    }

    /// X, Y and Z of a chromaticity, with Y 1.
    private static func xyz(_ light: SIMD2<Double>) -> SIMD3<Double> {
        SIMD3(light.x / light.y, 1, (1 - light.x - light.y) / light.y)
    }
}

extension ColorSpace.Primaries {
    /// The values of ITU-T H.273, table 2; for Adobe RGB (1998), those of its specification, clause 4.3.1.
    public var chromaticities: Chromaticities {
        switch self {
        case .bt709:
            Chromaticities(red: SIMD2(0.640, 0.330), green: SIMD2(0.300, 0.600), blue: SIMD2(0.150, 0.060))
        case .bt601Lines525:
            Chromaticities(red: SIMD2(0.630, 0.340), green: SIMD2(0.310, 0.595), blue: SIMD2(0.155, 0.070))
        case .bt601Lines625:
            Chromaticities(red: SIMD2(0.640, 0.330), green: SIMD2(0.290, 0.600), blue: SIMD2(0.150, 0.060))
        case .bt2020:
            Chromaticities(red: SIMD2(0.708, 0.292), green: SIMD2(0.170, 0.797), blue: SIMD2(0.131, 0.046))
        case .displayP3:
            Chromaticities(red: SIMD2(0.680, 0.320), green: SIMD2(0.265, 0.690), blue: SIMD2(0.150, 0.060))
        case .dciP3:
            Chromaticities(
                red: SIMD2(0.680, 0.320), green: SIMD2(0.265, 0.690), blue: SIMD2(0.150, 0.060),
                white: SIMD2(0.314, 0.351))
        case .adobe:
            Chromaticities(red: SIMD2(0.640, 0.330), green: SIMD2(0.210, 0.710), blue: SIMD2(0.150, 0.060))
        }
    }
}
