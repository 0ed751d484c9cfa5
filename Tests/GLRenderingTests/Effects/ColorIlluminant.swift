import Foundation
import TestSupport

/// The colour of a light by its temperature, and what adaptation to it does, by rows of numbers as they are printed.
struct Illuminant {
    let x: Double
    let y: Double

    init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// A black body up to 4000 K, daylight from 5000 K, a mixture between them.
    init(temperature: Double) {
        let (one, other) = (Self.blackBody(temperature), Self.daylight(temperature))
        let share = min(1, max(0, (temperature - 4000) / 1000))
        self.init(x: one.x + share * (other.x - one.x), y: one.y + share * (other.y - one.y))
    }

    /// Krystek, "An algorithm to calculate correlated colour temperature", Color Research and Application 10 (1985).
    static func blackBody(_ temperature: Double) -> Illuminant {
        let square = temperature * temperature
        let u =
            (0.860117757 + 1.54118254e-4 * temperature + 1.28641212e-7 * square)
            / (1 + 8.42420235e-4 * temperature + 7.08145163e-7 * square)
        let v =
            (0.317398726 + 4.22806245e-5 * temperature + 4.20481691e-8 * square)
            / (1 - 2.89741816e-5 * temperature + 1.61456053e-7 * square)
        return Illuminant(x: 3 * u / (2 * u - 8 * v + 4), y: 2 * v / (2 * u - 8 * v + 4))
    }

    /// CIE 15, the daylight locus.
    static func daylight(_ temperature: Double) -> Illuminant {
        let (one, two, three) = (1e3 / temperature, 1e6 / pow(temperature, 2), 1e9 / pow(temperature, 3))
        let x =
            temperature < 7000
            ? -4.6070 * three + 2.9678 * two + 0.09911 * one + 0.244063
            : -2.0064 * three + 1.9018 * two + 0.24748 * one + 0.237040
        return Illuminant(x: x, y: -3 * x * x + 2.870 * x - 0.275)
    }

    /// Linear R, G and B that look in this light as a colour looks in another one: Bradford's method.
    func color(asIn other: Illuminant, _ color: [Double]) -> [Double] {
        let responses = PrimariesReference.product(Self.cones, PrimariesReference.product(Self.toXYZ, color))
        let (mine, others) = (
            PrimariesReference.product(Self.cones, white), PrimariesReference.product(Self.cones, other.white)
        )
        let adapted = (0..<3).map { responses[$0] * mine[$0] / others[$0] }
        return PrimariesReference.solve(Self.toXYZ, PrimariesReference.solve(Self.cones, adapted))
    }

    /// X, Y and Z, with Y 1.
    var white: [Double] { [x / y, 1, (1 - x - y) / y] }

    /// Linear R, G and B of X, Y and Z.
    static func rgb(_ xyz: [Double]) -> [Double] { PrimariesReference.solve(toXYZ, xyz) }

    /// IEC 61966-2-1.
    private static let toXYZ = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    private static let cones = [[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]]
}
