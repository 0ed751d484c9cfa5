import MediaIO
import TestSupport
import Testing
import VideoWall

/// How effects are drawn: what they read, in which order, and into which pixels.
@Suite(.everyRenderer) struct EffectEngineTests {
    private static let size = VideoSize(width: 37, height: 21)

    /// A picture of random colours.
    private static func frame() throws -> VideoFrame { VideoFrame(try TestPicture.noise(.rgb24, size).buffer()) }

    private static func effect(_ text: String, file: String = "test.effect.glsl") throws -> Effect {
        try Effect(text, file: file)
    }

    /// The picture with a chain of effects, and the one without.
    private func pictures(
        _ texts: String..., in size: VideoSize = size, wall: Bool = false
    ) throws -> (plain: FloatPicture, changed: FloatPicture) {
        let test = try TestWall()
        let plain = try test.floats(of: Self.frame(), size)
        let chain = EffectChain(try texts.map { try Self.effect($0) })
        if wall { test.wall.effects = chain }
        let changed = try test.floats(of: Self.frame(), size) { if !wall { $0.effects = chain } }
        #expect(test.wall.tiles[0].report.effectFailure == nil)
        #expect(test.wall.tiles[0].report.failure == nil)
        return (plain, changed)
    }

    /// The largest difference of a picture from what it should be, in code values of 255.
    private func error(_ picture: FloatPicture, _ expected: (Int, Int) -> [Double]) -> Double {
        var worst = LargestError()
        for y in 0..<Self.size.height {
            for x in 0..<Self.size.width {
                let (drawn, exact) = (picture[y * Self.size.width + x], expected(x, y))
                for index in 0..<3 { worst.add(drawn: drawn[index], exact: exact[index]) }
            }
        }
        return worst.value * 255
    }

    private static let invert = "vec4 effect(vec2 uv) { vec4 c = sample(uv); return vec4(1.0 - c.rgb, c.a); }"
    private static let halve = "vec4 effect(vec2 uv) { return vec4(sample(uv).rgb * 0.5, 1.0); }"
    private static let shift = "vec4 effect(vec2 uv) { return sample(uv + vec2(1.0, 2.0) / resolution); }"

    @Test(arguments: [false, true]) func colorsAreChangedInOrder(wall: Bool) throws {
        let (plain, changed) = try pictures(Self.invert, Self.halve, wall: wall)
        #expect(error(changed) { x, y in plain[y * 37 + x].map { (1 - $0) / 2 } } < 0.3)
        let (_, other) = try pictures(Self.halve, Self.invert, wall: wall)
        #expect(error(other) { x, y in plain[y * 37 + x].map { 1 - $0 / 2 } } < 0.3)
    }

    @Test(arguments: [false, true]) func otherPixelsAreRead(wall: Bool) throws {
        let (plain, changed) = try pictures(Self.halve, Self.shift, Self.invert, wall: wall)
        let expected = { (x: Int, y: Int) in
            plain[min(y + 2, 20) * 37 + min(x + 1, 36)].map { 1 - $0 / 2 }
        }
        #expect(error(changed, expected) < 0.3)
        let (_, twice) = try pictures(Self.shift, Self.shift, wall: wall)
        #expect(error(twice) { x, y in plain[min(y + 4, 20) * 37 + min(x + 2, 36)] } < 0.3)
    }
}
