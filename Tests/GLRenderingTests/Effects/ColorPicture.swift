import MediaIO
import TestSupport
import Testing
import VideoEffects
import VideoWall

/// A picture of 64 by 64 pixels for the tests of colour effects.
struct ColorPicture {
    let size = VideoSize(width: 64, height: 64)
    /// R', G' and B' of each pixel, 0 to 1, rows from the top: all grays, all mixtures of five levels, random colours.
    let colors: [SIMD3<Double>]

    init() {
        var codes = (0...255).map { SIMD3<Int>(repeating: $0) }
        let levels = [0, 64, 128, 191, 255]
        for red in levels { for green in levels { for blue in levels { codes.append(SIMD3(red, green, blue)) } } }
        var random = SeededGenerator(seed: 13)
        while codes.count < size.width * size.height {
            let bits = random.next() >> 40
            codes.append(SIMD3(Int(bits & 255), Int(bits >> 8 & 255), Int(bits >> 16 & 255)))
        }
        colors = codes.map { SIMD3<Double>($0) / 255 }
    }

    /// One colour everywhere.
    init(_ color: SIMD3<Double>) {
        colors = Array(repeating: color, count: size.width * size.height)
    }

    /// The picture as a frame of eight bits that is shown without any conversion.
    func frame() throws -> VideoFrame {
        let picture = TestPicture(format: .rgb24, size: size) { letter, x, y in
            let color = colors[y * size.width + x]
            return Int(((letter == "R" ? color.x : letter == "G" ? color.y : color.z) * 255).rounded())
        }
        return try VideoFrame(
            picture.buffer(),
            attributes: FrameAttributes(colorSpace: ColorSpace(matrix: .rgb, range: .full, transfer: .sRGB)))
    }
}

extension ColorPicture {
    /// Built-in effects, each with values for some of its parameters.
    static func chain(_ effects: [(name: String, values: [String: EffectValue])]) throws -> EffectChain {
        EffectChain(
            try effects.map { name, values in
                var step = EffectChain.Step(try #require(try BuiltInEffects.effect(named: name)))
                for (name, value) in values { try #require(step.set(name, value) == value) }
                return step
            })
    }

    /// The picture in a tile with an effect: red, green and blue of each pixel, 0 to 1.
    func drawn(
        with effect: String, _ values: [String: EffectValue] = [:], in size: VideoSize? = nil
    ) throws -> FloatPicture {
        try drawn(with: [(effect, values)], in: size)
    }

    /// The picture in a tile with a chain of effects: red, green and blue of each pixel, 0 to 1.
    func drawn(
        with effects: [(name: String, values: [String: EffectValue])], in size: VideoSize? = nil
    ) throws -> FloatPicture {
        let wall = try TestWall()
        let chain = try Self.chain(effects)
        let drawn = try wall.floats(of: frame(), size ?? self.size) {
            ($0.effects, $0.contentMode) = (chain, .stretch)
        }
        #expect(wall.wall.tiles[0].report.effectFailure == nil)
        #expect(wall.wall.tiles[0].report.failure == nil)
        return drawn
    }
}

/// ITU-R BT.709, item 3: luma, and the two colour differences, -0.5 to 0.5.
struct Rec709 {
    var y: Double
    var cb: Double
    var cr: Double

    init(_ color: SIMD3<Double>) {
        y = 0.2126 * color.x + 0.7152 * color.y + 0.0722 * color.z
        cb = (color.z - y) / 1.8556
        cr = (color.x - y) / 1.5748
    }

    /// R', G' and B'.
    var color: SIMD3<Double> {
        let red = y + 1.5748 * cr
        let blue = y + 1.8556 * cb
        return SIMD3(red, (y - 0.2126 * red - 0.0722 * blue) / 0.7152, blue)
    }
}
