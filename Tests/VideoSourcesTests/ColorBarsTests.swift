import MediaIO
import TestSupport
import Testing
import VideoSources

/// The code values of the bars, and where they lie.
struct ColorBarsTests {
    typealias Codes = [Int]

    /// Grey, yellow, cyan, green, magenta, red, blue at 75 %.
    static let colors: [SIMD3<Double>] = [
        SIMD3(1, 1, 1), SIMD3(1, 1, 0), SIMD3(0, 1, 1), SIMD3(0, 1, 0), SIMD3(1, 0, 1), SIMD3(1, 0, 0), SIMD3(0, 0, 1),
    ].map { $0 * 0.75 }

    static func reference(_ color: SIMD3<Double>, _ space: ColorSpace) -> Codes {
        CodeReference(format: .i420, space: space).values(color, chroma: color, 0, 0)
            .map { Int(min(255, max(0, $0)).rounded(.toNearestOrAwayFromZero)) }
    }

    /// The colour of a pixel, the marker left out.
    static func color(_ x: Int, _ y: Int, _ size: VideoSize) -> SIMD3<Double> {
        let (column, row) = (x / 2 * 2, y / 2 * 2)
        let black = SIMD3<Double>(repeating: 0)
        switch row * 12 / size.height {
        case ..<8: return colors[column * 7 / size.width]
        case 8: return [colors[6], black, colors[4], black, colors[2], black, colors[0]][column * 7 / size.width]
        default:
            switch column * 84 / size.width {
            case ..<15: return SIMD3(0, 0.2456, 0.4125)
            case ..<30: return SIMD3(1, 1, 1)
            case ..<45: return SIMD3(0.2537, 0, 0.4679)
            case 60..<64: return SIMD3(repeating: -0.04)
            case 68..<72: return SIMD3(repeating: 0.04)
            default: return black
            }
        }
    }

    static let spaces = ColorSpace.Matrix.allCases.flatMap { matrix in
        ColorSpace.Range.allCases.map { ColorSpace(matrix: matrix, range: $0) }
    }

    @Test(arguments: spaces, TestPatternTests.sizes) func everyPixelIsRight(
        _ space: ColorSpace, _ size: VideoSize
    ) throws {
        for format in [PixelFormat.i420, .nv12] {
            let reader = try TestPatternReader(pattern: .bars, size: size, format: format, colorTags: ColorTags(space))
            let probe = SampleProbe(try reader.frame(at: 0).planes)
            // The marker begins at the left edge; the middle band is compared from where it ends.
            let markerEnd = max(2, size.width / 32)
            var band: (number: Int, codes: [Codes]) = (-1, [])
            for y in 0..<size.height {
                let number = min(9, max(7, y / 2 * 2 * 12 / size.height))
                if number != band.number {
                    let codes = (0..<size.width).map { x in
                        let isMarked = number == 8 && x < markerEnd
                        return Self.reference(isMarked ? SIMD3(1, 1, 1) : Self.color(x, y, size), space)
                    }
                    band = (number, codes)
                }
                for x in 0..<size.width {
                    let (got, wanted) = (probe.codes(x, y), band.codes[x])
                    if got != wanted { Issue.record("\(format) at \(x), \(y): \(got), not \(wanted)") }
                }
            }
        }
    }

    /// The 8-bit values of SMPTE RP 219 for BT.709, and those of ITU-R BT.801 for BT.601.
    @Test(arguments: [
        (
            ColorSpace.Matrix.bt709,
            [
                [180, 128, 128], [168, 44, 136], [145, 147, 44], [133, 63, 52], [63, 193, 204], [51, 109, 212],
                [28, 212, 120],
            ]
        ),
        (
            .bt601,
            [
                [180, 128, 128], [162, 44, 142], [131, 156, 44], [112, 72, 58], [84, 184, 198], [65, 100, 212],
                [35, 212, 114],
            ]
        ),
    ]) func publishedBars(_ matrix: ColorSpace.Matrix, _ bars: [Codes]) throws {
        let size = VideoSize(width: 840, height: 480)
        let space = ColorSpace(matrix: matrix, range: .limited)
        let reader = try TestPatternReader(pattern: .bars, size: size, colorTags: ColorTags(space))
        let probe = SampleProbe(try reader.frame(at: 0).planes)
        #expect((0..<7).map { probe.codes($0 * 120 + 60, 100) } == bars)
    }

    @Test func publishedLowerBand() throws {
        let space = ColorSpace(matrix: .bt709, range: .limited)
        let reader = try TestPatternReader(
            pattern: .bars, size: VideoSize(width: 840, height: 480), colorTags: ColorTags(space))
        let probe = SampleProbe(try reader.frame(at: 0).planes)
        let wide = (0..<4).map { probe.codes($0 * 150 + 75, 470) }
        #expect(wide == [[61, 153, 99], [235, 128, 128], [35, 174, 152], [16, 128, 128]])
        #expect([620, 660, 700, 800].map { probe.codes($0, 470)[0] } == [7, 16, 25, 16])
    }

    @Test func markerRunsThroughTheMiddleBand() throws {
        let size = VideoSize(width: 640, height: 360)
        let reader = try TestPatternReader(pattern: .bars, size: size)
        let white = Self.reference(SIMD3(1, 1, 1), .unspecified(for: size))
        for index in [0, 1, 100, 319, 320, 1_000_003] {
            let probe = SampleProbe(try reader.frame(at: index).planes)
            let start = index % 320 * 2
            #expect(probe.codes(start, 250) == white)
            #expect(probe.codes(min(639, start + 19), 250) == white)
            #expect(probe.codes((start + 20) % 640, 250) != white)
            #expect(probe.codes((start + 638) % 640, 250) != white)
        }
    }
}
