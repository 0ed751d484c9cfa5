import MediaIO
import TestSupport
import Testing
import VideoWall

/// Large reductions, whose pixels are sums of many samples: flat stays flat, and no sum is brighter than its samples.
@Suite(.everyRenderer) struct ReductionAccuracyTests {
    static let size = VideoSize(width: 384, height: 216)
    static let targets = [(6, 4), (30, 17), (150, 216), (384, 11)].map {
        VideoSize(width: $0.0, height: $0.1)
    }
    static let space = ColorSpace(matrix: .rgb, range: .full, transfer: .sRGB)

    /// Code values whose products with small weights are rounded one way or the other.
    @Test(arguments: ScalingFilter.allCases, [PixelFormat.gray8, .rgb24, .gray16])
    func flatStaysFlat(_ filter: ScalingFilter, _ format: PixelFormat) throws {
        let wall = try TestWall()
        let depth = format.layout.depth
        for value in [1, 77, 130, 201, 255] {
            // Sixteen bits are exact steps of eight.
            let code = depth == 16 ? value * 257 : value
            let picture = TestPicture(format: format, size: Self.size) { _, _, _ in code }
            let frame = try VideoFrame(picture.buffer(), attributes: FrameAttributes(colorSpace: Self.space))
            for target in Self.targets {
                let drawn = try wall.picture(of: frame, target, filter: filter) { $0.contentMode = .stretch }
                var found: Set<Int> = []
                for y in 0..<target.height {
                    for x in 0..<target.width { found.formUnion(drawn.pixel(x, y).prefix(3)) }
                }
                // Sixteen bits are dithered, by less than a step.
                #expect(
                    depth == 16 ? found.allSatisfy { abs($0 - value) <= 1 } : found == [value],
                    "\(value), \(target): \(found.sorted())")
            }
        }
    }

    @Test(arguments: [ScalingFilter.automatic, .catmullRom, .mitchell, .lanczos], Self.targets)
    func sumsAreRoundedAlikeInBothDirections(_ filter: ScalingFilter, _ target: VideoSize) throws {
        let wall = try TestWall()
        let picture = TestPicture.noise(.rgb24, Self.size)
        let codes = (0..<Self.size.height).map { y in
            (0..<Self.size.width).map { x in "RGB".map { Double(picture.value($0, x, y)) } }
        }
        let expected = ScalingReference(filter: filter).scaled(codes, to: target)
        let frame = try VideoFrame(picture.buffer(), attributes: FrameAttributes(colorSpace: Self.space))
        let drawn = try wall.picture(of: frame, target, filter: filter) { $0.contentMode = .stretch }
        var (worst, sum, count) = (LargestError(), 0.0, 0.0)
        for y in 0..<target.height {
            for x in 0..<target.width {
                for (value, other) in zip(drawn.pixel(x, y), expected[y][x]) where (0...255).contains(other) {
                    worst.add(Double(value) - other)
                    sum += Double(value) - other
                    count += 1
                }
            }
        }
        #expect(worst.value < 1)
        // The error of a mean of few values is larger.
        #expect(abs(sum / count) < 0.05 + 1 / count.squareRoot(), "\(sum / count)")
    }
}
