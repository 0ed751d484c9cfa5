import Glibc
import MediaIO
import TestSupport
import Testing
import VideoSources

/// Every pattern in every format, sample by sample, against colours and code values that are computed here.
struct EveryFormatTests {
    static let sizes = [(1, 1), (3, 5), (20, 14)].map { VideoSize(width: $0.0, height: $0.1) }

    static let spaces: [ColorSpace?] = [
        nil, ColorSpace(matrix: .bt601, range: .full), ColorSpace(matrix: .bt2020, range: .limited),
        ColorSpace(matrix: .ycgco, range: .limited), ColorSpace(matrix: .rgb, range: .full),
    ]

    /// What a pixel of a frame may be: several colours where rounding may go either way.
    typealias Colors = (_ x: Int, _ y: Int) -> [SIMD3<Double>]

    private func check(
        _ pattern: TestPattern, _ format: PixelFormat, _ size: VideoSize, _ space: ColorSpace?, frame: Int,
        slack: Double = 0, _ colors: Colors
    ) throws {
        let reader = try TestPatternReader(
            pattern: pattern, size: size, format: format, colorTags: space.map { ColorTags($0) } ?? ColorTags())
        let probe = SampleProbe(try reader.frame(at: frame).planes)
        var meaning = reader.info.colorSpace
        var expected = space ?? .unspecified(for: size, format: format)
        if format.layout.model != .yCbCr { expected.matrix = .rgb }
        if format.layout.depth < 8 { expected.range = .full }
        #expect(meaning == expected)
        // Untagged gray is the luma of a frame of its size.
        if format.subsampling == "gray", meaning.matrix == .rgb {
            meaning.matrix = ColorSpace.unspecified(for: size).matrix
        }
        let reference = CodeReference(format: format, space: meaning)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let codes = probe.codes(x, y)
                let place = reference.chromaPlace(x, y)
                let isRight = colors(x, y).contains { color in
                    colors(place.x, place.y).contains { chroma in
                        let values = reference.values(color, chroma: chroma, x, y)
                        return zip(codes, values).enumerated().allSatisfy {
                            reference.isRight($1.0, $1.1, component: $0, slack: slack)
                        }
                            && codes.count >= values.count
                    }
                }
                // Opacity is full: all bits are set, or it is 1.
                let alpha = codes.count == 4 ? codes[3] : nil
                let opaque = format == .rgba64f ? 0x3C00 : format == .y410 ? 3 : 1 << reference.depths[0] - 1
                if !isRight || alpha ?? opaque != opaque {
                    Issue.record("\(pattern) \(format) \(size) \(meaning) at \(x), \(y): \(codes), \(colors(x, y))")
                    return
                }
            }
        }
    }

    @Test(arguments: PixelFormat.allCases) func bars(_ format: PixelFormat) throws {
        for size in Self.sizes {
            for space in Self.spaces {
                // The marker stands at the left.
                let marker = max(2, size.width / 32 / 2 * 2)
                try check(.bars, format, size, space, frame: 0) { x, y in
                    let isMarked = x < marker && y / 2 * 2 * 12 / size.height == 8
                    return [isMarked ? SIMD3(1, 1, 1) : ColorBarsTests.color(x, y, size)]
                }
            }
        }
    }

    @Test(arguments: PixelFormat.allCases) func gradient(_ format: PixelFormat) throws {
        // Those with painters of their own compute in fixed point.
        let slack = format == .i420 || format == .nv12 ? 1.0 : 0
        for size in Self.sizes {
            let period = max(64, (size.width + 1) / 2 * 2)
            // A triangle: 0 at both ends of a period, 1 in its middle.
            func wave(_ x: Int) -> Double {
                let place = Double(x % period)
                return 2 * min(place, Double(period) - place) / Double(period)
            }
            for space in Self.spaces {
                for frame in [0, 5] {
                    try check(.gradient, format, size, space, frame: frame, slack: slack) { x, y in
                        let column = x + 2 * frame
                        let blue = size.height == 1 ? 0 : Double(y) / Double(size.height - 1)
                        return [SIMD3(wave(column), wave(column + period / 3), blue)]
                    }
                }
            }
        }
    }

    @Test(arguments: PixelFormat.allCases) func zonePlate(_ format: PixelFormat) throws {
        for size in Self.sizes {
            for frame in [0, 7] {
                try check(.zoneplate, format, size, nil, frame: frame) { x, y in
                    let (dx, dy) = (Double(x) - Double(size.width - 1) / 2, Double(y) - Double(size.height - 1) / 2)
                    let turns = (dx * dx + dy * dy) / Double(2 * max(size.width, size.height)) - Double(frame) / 32
                    // A turn has 1024 steps; on the edge of one, both are right.
                    return [-1e-5, 1e-5].map { margin in
                        let step = (turns * 1024 + margin).rounded(.down)
                        return SIMD3(repeating: 0.5 + 0.5 * cos(step / 1024 * 2 * Double.pi))
                    }
                }
            }
        }
    }

    @Test(arguments: PixelFormat.allCases) func clock(_ format: PixelFormat) throws {
        let levels = [0, 0.15, 0.218, 1].map { SIMD3<Double>(repeating: $0) }
        for size in Self.sizes { try check(.clock, format, size, nil, frame: 3) { _, _ in levels } }

        let size = VideoSize(width: 54, height: 48)
        let reader = try TestPatternReader(pattern: .clock, size: size, format: format)
        let nv12 = try TestPatternReader(
            pattern: .clock, size: size, format: .nv12, colorTags: ColorTags(ColorSpace(matrix: .bt709, range: .full)))
        for number in [0, 77, 0xFFFF_FFFF] {
            let probe = SampleProbe(try reader.frame(at: number).planes)
            let other = SampleProbe(try nv12.frame(at: number).planes)
            let most =
                (0..<size.width * size.height).map { probe.codes($0 % size.width, $0 / size.width)[0] }.max() ?? 0
            #expect(
                TestPatternClock.frameNumber(size: size) { x, y in probe.codes(x, y)[0] * 255 / max(1, most) } == number
            )
            // The digits are where those of NV12 are.
            for y in 0..<size.height {
                for x in 0..<size.width where (other.codes(x, y)[0] == 255) != (probe.codes(x, y)[0] == most) {
                    Issue.record("\(format) at \(x), \(y)")
                    return
                }
            }
        }
    }

    @Test(arguments: PixelFormat.allCases.filter { $0 != .i420 }) func bytesBetweenPicturesAreOfNoMeaning(
        _ format: PixelFormat
    ) throws {
        // Memory that was something else before gives the same bytes, also those that mean nothing.
        let size = VideoSize(width: 35, height: 3)
        let reader = try TestPatternReader(pattern: .gradient, size: size, format: format)
        let bytes = try reader.frame(at: 0).planes.packedBytes
        for index in 1..<4 { _ = try reader.frame(at: index) }
        #expect(try reader.frame(at: 0).planes.packedBytes == bytes)
    }

    @Test(
        .enabled(if: HeapCounter.isAvailable, "A sanitizer has an allocator of its own."),
        arguments: PixelFormat.allCases)
    func aFrameAllocatesNothing(_ format: PixelFormat) throws {
        for pattern in TestPattern.allCases {
            let reader = try TestPatternReader(
                pattern: pattern, size: VideoSize(width: 35, height: 23), format: format)
            for _ in 0..<2 { _ = try reader.next() }
            let count = try HeapCounter.count { for _ in 0..<3 { _ = try reader.next() } }
            #expect(count == 0, "\(pattern)")
        }
    }
}
