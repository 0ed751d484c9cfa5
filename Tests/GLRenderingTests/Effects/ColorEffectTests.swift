import MediaIO
import TestSupport
import Testing
import VideoWall

/// Effects that change the colour of each pixel, against ``ColorEffectReference``.
@Suite(.everyRenderer) struct ColorEffectTests {
    typealias Color = SIMD3<Double>

    /// An effect with parameters, and what it does to a colour.
    struct Case: CustomTestStringConvertible, Sendable {
        let effect: String
        let values: [String: EffectValue]
        let expected: @Sendable (Color) -> Color

        init(
            _ effect: String, _ values: [String: EffectValue] = [:], _ expected: @escaping @Sendable (Color) -> Color
        ) {
            (self.effect, self.values, self.expected) = (effect, values, expected)
        }

        var testDescription: String { "\(effect) \(values.sorted { $0.key < $1.key })" }
    }

    static let cases: [Case] =
        [
            Case("grayscale") { ColorEffectReference.grayscale($0) },
            Case("lut") { $0 },
            Case("false-color") { ColorEffectReference.falseColor($0, keepsColor: false) },
            Case("false-color", ["rest": .choice(1)]) { ColorEffectReference.falseColor($0, keepsColor: true) },
        ]
        + [1, 0.5, 0.3, 0].flatMap { amount -> [Case] in
            [
                Case("sepia", ["amount": .float(Float(amount))]) { ColorEffectReference.sepia($0, amount: amount) },
                Case("invert", ["amount": .float(Float(amount))]) { ColorEffectReference.invert($0, amount: amount) },
            ]
        }
        + [2, 4, 7, 16, 31].map { levels in
            Case("posterize", ["levels": .int(levels)]) { ColorEffectReference.posterize($0, levels: levels) }
        }
        + adjustments.map { adjustment in
            let (brightness, contrast, saturation, hue) = adjustment
            let values = [
                "brightness": brightness, "contrast": contrast, "saturation": saturation, "hue": hue,
            ]
            return Case("adjust", values.mapValues { .float(Float($0)) }) {
                ColorEffectReference.adjust(
                    $0, brightness: brightness, contrast: contrast, saturation: saturation, hue: hue)
            }
        }
        + exposures.map { exposure in
            let (stops, temperature, tint, gamma) = exposure
            let values = ["stops": stops, "temperature": temperature, "tint": tint, "gamma": gamma]
            return Case("exposure", values.mapValues { .float(Float($0)) }) {
                ColorEffectReference.exposure(
                    $0, stops: stops, temperature: temperature, tint: tint, gamma: gamma)
            }
        }

    /// Brightness, contrast, saturation, hue.
    private static let adjustments: [(Double, Double, Double, Double)] = [
        (0, 1, 1, 0), (0.25, 1, 1, 0), (-0.5, 1, 1, 0), (0, 2.5, 1, 0), (0, 0, 1, 0), (0, 1, 0, 0), (0, 1, 2, 0),
        (0, 1, 1, 90), (0, 1, 1, -30), (0, 1, 1, 180), (0.1, 0.8, 1.5, 17),
    ]

    /// Stops, temperature, tint, gamma.
    private static let exposures: [(Double, Double, Double, Double)] = [
        (0, 6504, 0, 1), (-2, 6504, 0, 1), (1.5, 6504, 0, 1), (0, 6504, 0, 2.2), (0, 6504, 0, 0.5), (0, 6504, 1, 1),
        (0, 6504, -0.5, 1), (0, 2000, 0, 1), (0, 3200, 0, 1), (0, 4500, 0, 1), (0, 5500, 0, 1), (0, 8000, 0, 1),
        (0, 15_000, 0, 1), (0.5, 2856, 0.25, 1.2),
    ]

    @Test(arguments: cases) func everyColorIsThatOfTheReference(_ row: Case) throws {
        let picture = ColorPicture()
        let drawn = try picture.drawn(with: row.effect, row.values)
        var worst = LargestError()
        for (drawn, color) in zip(drawn, picture.colors) {
            let exact = Self.shown(row.expected(color))
            for part in 0..<3 { worst.add(drawn[part] - exact[part]) }
        }
        #expect(worst.value * 255 <= 1)
    }

    /// A gray card in a light becomes gray; x and y of CIE standard illuminant A, D50 and D75, as printed in CIE 15.
    @Test(arguments: [(2856.0, 0.44757, 0.40745), (5003, 0.34567, 0.35850), (7504, 0.29902, 0.31485)])
    func whiteBalanceMakesTheLightWhite(_ light: (temperature: Double, x: Double, y: Double)) throws {
        let linear = Illuminant.rgb(Illuminant(x: light.x, y: light.y).white.map { 0.3 * $0 })
        let code = ColorEffectReference.code
        let picture = ColorPicture(SIMD3(code(linear[0]), code(linear[1]), code(linear[2])))
        let drawn = try picture.drawn(
            with: "exposure",
            ["stops": .float(0), "gamma": .float(1), "temperature": .float(Float(light.temperature))])
        for color in drawn {
            let (least, most) = (color.min() ?? 0, color.max() ?? 1)
            // The card is rounded to eight bits, and the blue of light bulbs is made much brighter.
            #expect((most - least) * 255 <= 2, "\(color)")
        }
        // The card was not gray before.
        #expect(picture.colors[0].max() - picture.colors[0].min() > 0.05)
    }

    /// Colour effects cost no pass of their own.
    @Test(arguments: [
        "adjust", "chroma-key", "exposure", "false-color", "grayscale", "invert", "lut", "posterize", "sepia",
        "vignette", "zebra",
    ]) func isFoldedIntoTheConversion(_ name: String) throws {
        let traits = try ColorPicture.chain([(name, [:])]).steps[0].effect.traits
        #expect(traits.isFoldable && !traits.usesTime && !traits.usesMouse)
    }

    /// Parameters do not collide: two effects have an `amount`, and one effect is in the chain twice.
    @Test func chainIsOneAfterAnother() throws {
        let picture = ColorPicture()
        let drawn = try picture.drawn(with: [
            ("exposure", ["temperature": .float(9000), "tint": .float(0.2), "stops": .float(0.5), "gamma": .float(1)]),
            ("sepia", ["amount": .float(0.5)]), ("vignette", ["amount": .float(0)]),
            ("invert", ["amount": .float(0.75)]),
            ("adjust", ["contrast": .float(1.5), "saturation": .float(1.2)]), ("sepia", ["amount": .float(0.25)]),
        ])
        var worst = LargestError()
        for (drawn, color) in zip(drawn, picture.colors) {
            var exact = ColorEffectReference.exposure(color, stops: 0.5, temperature: 9000, tint: 0.2, gamma: 1)
            exact = Self.shown(ColorEffectReference.sepia(exact, amount: 0.5))
            exact = ColorEffectReference.invert(exact, amount: 0.75)
            exact = ColorEffectReference.adjust(exact, brightness: 0, contrast: 1.5, saturation: 1.2, hue: 0)
            exact = Self.shown(ColorEffectReference.sepia(Self.shown(exact), amount: 0.25))
            for part in 0..<3 { worst.add(drawn[part] - exact[part]) }
        }
        #expect(worst.value * 255 <= 1)
    }

    /// What a screen can show of a colour.
    private static func shown(_ color: Color) -> Color {
        color.clamped(lowerBound: Color(repeating: 0), upperBound: Color(repeating: 1))
    }

    @Test func positiveHuesTurnRedIntoYellow() throws {
        let drawn = try ColorPicture(SIMD3(0.6, 0.2, 0.2)).drawn(
            with: "adjust", ["contrast": .float(1), "saturation": .float(1), "hue": .float(60)])
        for color in drawn { #expect(color[0] > color[2] + 0.1 && color[1] > color[2] + 0.1, "\(color)") }
    }
}
