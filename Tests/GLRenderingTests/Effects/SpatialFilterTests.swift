import Foundation
import MediaIO
import Testing
import VideoEffects
import VideoWall

/// Effects that read neighbouring pixels or the previous frame, against plain arithmetic.
@Suite(.everyRenderer) struct SpatialFilterTests {
    /// Red is noise, green a border of one pixel and a step, blue stripes of one pixel.
    private func hardest(_ width: Int, _ height: Int) -> SpatialPicture {
        let noise = SpatialPicture.noise(width, height)
        return .codes(width, height) { x, y in
            let isBorder = x == 0 || y == 0 || x == width - 1 || y == height - 1
            return [noise[x, y, 0], isBorder || x * 7 > width * 3 ? 1 : 0, x % 2 == 1 && y % 3 != 0 ? 1 : 0]
        }
    }

    /// Up to a radius of 26 the sum is that of the definition; with reduced pictures it stays within 1.
    ///
    /// The sizes are such that a reduced texel is not a whole number of pixels.
    @Test(arguments: [
        (48, 40, [0, 0.5, 1, 2, 5.5, 8, 25.9, 40, 128.0]), (97, 99, [26, 32, 51.9, 128]), (201, 193, [52, 64.5, 128]),
    ]) func blurIsTheGaussian(_ width: Int, _ height: Int, _ radii: [Double]) throws {
        let picture = hardest(width, height)
        let wall = try SpatialWall("blur", width, height)
        for radius in radii {
            try wall.set("radius", radius)
            let difference = try wall.draw(picture).difference(from: picture.blurred(radius: radius))
            #expect(difference <= 1, "radius \(radius)")
        }
    }

    /// A flat picture stays the same up to its corners, except that each of up to five passes rounds to half floats.
    @Test(arguments: [8, 32, 64, 128.0]) func blurKeepsAFlatPicture(_ radius: Double) throws {
        let picture = SpatialPicture.flat(320, 200, 200, 77, 3)
        let wall = try SpatialWall("blur", 320, 200)
        try wall.set("radius", radius)
        #expect(try wall.draw(picture).difference(from: picture) <= 0.5)
    }

    /// Beside what is transparent, a grey stays grey, though the transparent colour is red.
    @Test(arguments: ["blur:radius=8", "blur:radius=60", "sharpen:threshold=0:of=components"])
    func transparentColorsLeaveNothing(_ chain: String) throws {
        let text = "vec4 effect(vec2 uv) { return uv.x < 0.5 ? vec4(1.0, 0.0, 0.0, 0.0) : vec4(0.5, 0.5, 0.5, 1.0); }"
        let size = VideoSize(width: 240, height: 210)
        let test = try TestWall()
        var notes: [String] = []
        var effects = EffectChain([try Effect(text, file: "half")])
        effects.steps += try EffectChain(chain, notes: &notes).steps
        test.add(VideoFrame(try TestPicture.noise(.rgb24, size).buffer())).effects = effects
        let picture = try test.picture(size)
        let colors = stride(from: 0, to: 240, by: 7).map { picture.pixel($0, 100) }
        // One linear read of two pixels, of which one is transparent, mixes their colours as they are.
        #expect(colors.allSatisfy { abs($0[0] - $0[1]) <= 2 && $0[1] == $0[2] }, "\(colors.map { $0[0] - $0[1] })")
        #expect(colors.first == [0, 0, 0] && abs(colors[34][0] - 128) <= 1)
    }

    @Test(arguments: [(1, 3, 0.01, "luma"), (2.5, 8.2, 0.05, "luma"), (1.5, 1, 0, "components"), (0, 16, 0, "luma")])
    func sharpenIsAnUnsharpMask(_ amount: Double, _ radius: Double, _ threshold: Double, _ of: String) throws {
        let wall = try SpatialWall("sharpen", 61, 47)
        try wall.set("amount", amount)
        try wall.set("radius", radius)
        try wall.set("threshold", threshold)
        try wall.set("of", of)
        for picture in [hardest(61, 47), .waves(61, 47)] {
            let expected = picture.sharpened(
                amount: amount, radius: radius, threshold: threshold, ofLuma: of == "luma")
            // The blur's error, which is a quarter at most, is amplified.
            #expect(try wall.draw(picture).difference(from: expected) <= 1)
        }
    }

    @Test(arguments: [(1, 0, "luma"), (2, 0.5, "components"), (0.5, 1.0, "luma")])
    func edgesAreSobels(_ gain: Double, _ over: Double, _ of: String) throws {
        let wall = try SpatialWall("edge", 61, 47)
        try wall.set("gain", gain)
        try wall.set("over", over)
        try wall.set("of", of)
        for picture in [hardest(61, 47), .waves(61, 47)] {
            let expected = picture.edges(gain: gain, over: over, ofLuma: of == "luma")
            #expect(try wall.draw(picture).difference(from: expected) <= 1)
        }
    }

    /// Lower thresholds would amplify the rounding to half floats, since the transition is a quarter of the threshold
    /// wide.
    @Test(arguments: [(0.15, false), (0.4, true)]) func sharpEdgesAreColored(
        _ threshold: Double, _ gray: Bool
    ) throws {
        let wall = try SpatialWall("focus-peaking", 61, 47)
        try wall.set("threshold", threshold)
        try wall.set("gray", gray)
        try wall.set("peak", "#00FF80")
        let peak = SIMD3(0, 1, 128.0 / 255)
        for picture in [hardest(61, 47), .waves(61, 47)] {
            let expected = picture.peaking(threshold: threshold, peak: peak, gray: gray)
            #expect(try wall.draw(picture).difference(from: expected) <= 1)
        }
    }

    /// The same change of luma in one pixel is an edge in focus, and in twenty it is not.
    @Test func softEdgesAreNotColored() throws {
        let wall = try SpatialWall("focus-peaking", 60, 8)
        let sharp = SpatialPicture.codes(60, 8) { x, _ in Array(repeating: x < 30 ? 0.2 : 0.8, count: 3) }
        let soft = SpatialPicture.codes(60, 8) { x, _ in
            Array(repeating: 0.2 + 0.6 * min(1, max(0, Double(x - 20) / 20)), count: 3)
        }
        #expect(try wall.draw(soft).difference(from: soft) <= 0.25)
        #expect(try wall.draw(sharp).difference(from: sharp) > 100)
    }

    @Test(arguments: [1, 2, 5, 16, 31, 32]) func blocksAreMeans(_ size: Int) throws {
        let wall = try SpatialWall("pixelate", 75, 49)
        try wall.set("size", size)
        let picture = hardest(75, 49)
        #expect(try wall.draw(picture).difference(from: picture.pixelated(size: size)) <= 1)
    }

    /// Wider blocks are the means of some of their pixels; of a picture without noise, nearly those of all.
    @Test(arguments: [57, 100, 256]) func wideBlocksAreMeansOfSome(_ size: Int) throws {
        let wall = try SpatialWall("pixelate", 205, 117)
        try wall.set("size", size)
        let picture = SpatialPicture.waves(205, 117)
        #expect(try wall.draw(picture).difference(from: picture.pixelated(size: size)) <= 2)
    }

    /// Each frame is filtered with the result of the one before.
    @Test(arguments: [(0.8, 0.06), (0.5, 0.4)]) func denoisingIsRecursive(
        _ strength: Double, _ threshold: Double
    ) throws {
        let wall = try SpatialWall("denoise", 53, 38)
        try wall.set("strength", strength)
        try wall.set("threshold", threshold)
        var expected = noisy(0)
        #expect(try wall.draw(expected).difference(from: expected) <= 0.25)
        for number in 1..<6 {
            let picture = noisy(number)
            expected = picture.denoised(after: expected, strength: strength, threshold: threshold)
            #expect(try wall.draw(picture).difference(from: expected) <= 1, "frame \(number)")
        }
    }

    /// A still picture loses noise, and one that is replaced leaves nothing behind.
    @Test func denoisingTakesNoiseAndLeavesNoTrail() throws {
        let wall = try SpatialWall("denoise", 53, 38)
        let still = SpatialPicture.flat(53, 38, 128, 128, 128)
        var drawn = still
        for number in 0..<12 { drawn = try wall.draw(withNoise(still, number)) }
        #expect(drawn.difference(from: still) < 0.75 * withNoise(still, 11).difference(from: still))
        let other = SpatialPicture.flat(53, 38, 40, 220, 128)
        #expect(try wall.draw(other).difference(from: other) <= 0.25)
    }

    /// Waves that move, with noise of up to 6 code values.
    private func noisy(_ number: Int) -> SpatialPicture {
        withNoise(.waves(53, 38, phase: Double(number) / 10), number)
    }

    private func withNoise(_ picture: SpatialPicture, _ number: Int) -> SpatialPicture {
        let noise = SpatialPicture.noise(picture.width, picture.height, seed: 50 * number)
        return .codes(picture.width, picture.height) { x, y in
            (0..<3).map { picture[x, y, $0] + (noise[x, y, $0] - 0.5) * 12 / 255 }
        }
    }
}
