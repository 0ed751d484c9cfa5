import MediaIO
import TestSupport
import Testing
import VideoWall

/// The chroma key.
@Suite(.everyRenderer) struct ColorKeyTests {
    typealias Color = SIMD3<Double>

    /// What the effect shows, in the order of its choices.
    private enum Shown: Int {
        case background, transparent, matte
    }

    private struct Key {
        var key = Color(0, 1, 0)
        var tolerance = 0.3
        var softness = 0.1
        var spill = 1.0
        var background = Color(1, 0.2, 0.6)

        func values(_ shown: Shown) -> [String: EffectValue] {
            [
                "key": .color(SIMD3<Float>(key)), "background": .color(SIMD3<Float>(background)),
                "tolerance": .float(Float(tolerance)), "softness": .float(Float(softness)),
                "spill": .float(Float(spill)), "show": .choice(shown.rawValue),
            ]
        }

        func keyed(_ color: Color) -> (clean: Color, share: Double) {
            ColorEffectReference.keyed(color, key: key, tolerance: tolerance, softness: softness, spill: spill)
        }
    }

    private static let keys = [
        Key(), Key(spill: 0.4), Key(key: Color(0, 0.7, 0.25), tolerance: 0.1, softness: 0.2),
        Key(key: Color(0, 0.2, 1), tolerance: 0.2, softness: 0.05), Key(tolerance: 0, softness: 1),
    ]

    @Test(arguments: keys.indices) func everyColorIsThatOfTheReference(_ index: Int) throws {
        let key = Self.keys[index]
        let picture = ColorPicture()
        var worst = LargestError()
        for shown in [Shown.background, .transparent, .matte] {
            for (drawn, color) in zip(try picture.drawn(with: "chroma-key", key.values(shown)), picture.colors) {
                let (clean, share) = key.keyed(color)
                let exact =
                    switch shown {
                    case .background: clean * share + key.background * (1 - share)
                    // Over black.
                    case .transparent: clean * share
                    case .matte: Color(repeating: share)
                    }
                for part in 0..<3 { worst.add(drawn[part] - exact[part]) }
            }
        }
        #expect(worst.value * 255 <= 1)
    }

    /// For keys with a tolerance above 0, since the key itself is rounded to eight bits.
    @Test(arguments: 0..<4) func grayStaysAndTheKeyGoes(_ index: Int) throws {
        let key = Self.keys[index]
        for (color, expected) in [(Color(repeating: 0.6), Color(repeating: 0.6)), (key.key, key.background)] {
            for drawn in try ColorPicture(color).drawn(with: "chroma-key", key.values(.background)) {
                for part in 0..<3 { #expect(abs(drawn[part] - expected[part]) * 255 <= 1, "\(drawn)") }
            }
        }
    }

    /// Later effects receive the clean colour and alpha, not the colour over black.
    @Test func alphaReachesLaterEffects() throws {
        let (picture, key) = (ColorPicture(), Key())
        let drawn = try picture.drawn(with: [("chroma-key", key.values(.transparent)), ("invert", [:])])
        var worst = LargestError()
        for (drawn, color) in zip(drawn, picture.colors) {
            let (clean, share) = key.keyed(color)
            for part in 0..<3 { worst.add(drawn[part] - (1 - clean[part]) * share) }
        }
        #expect(worst.value * 255 <= 1)
    }

    /// Spill suppression leaves luma, and colours far from the key's hue.
    @Test func spillIsOnlyTheKeysHue() throws {
        let key = Key(tolerance: 0)
        func clean(_ color: Color) -> Color { key.keyed(color).clean }
        for color in [Color(0.8, 0.6, 0.5), Color(0.7, 0.7, 0.1), Color(0.2, 0.3, 0.9), Color(0.5, 0.5, 0.5)] {
            #expect((clean(color) - color).max() < 1e-9 && (color - clean(color)).max() < 1e-9, "\(color)")
        }
        let cast = Color(0.5, 0.7, 0.5)
        #expect(abs(Rec709(clean(cast)).y - Rec709(cast).y) < 1e-9 && clean(cast).y < 0.65)
    }
}
