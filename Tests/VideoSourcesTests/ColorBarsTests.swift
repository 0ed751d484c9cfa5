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

    /// ITU-T H.273, equations 38 to 43, written out.
    static func reference(_ color: SIMD3<Double>, _ space: ColorSpace) -> Codes {
        let luma =
            space.matrix.kr * color.x + (1 - space.matrix.kr - space.matrix.kb) * color.y + space.matrix.kb * color.z
        let cb = (color.z - luma) / (2 * (1 - space.matrix.kb))
        let cr = (color.x - luma) / (2 * (1 - space.matrix.kr))
        let codes =
            space.range == .limited
            ? [219 * luma + 16, 224 * cb + 128, 224 * cr + 128] : [255 * luma, 255 * cb + 128, 255 * cr + 128]
        return codes.map { Int(min(255, max(0, $0)).rounded(.toNearestOrAwayFromZero)) }
    }

    static func codes(_ buffer: PixelBuffer, _ x: Int, _ y: Int) -> Codes {
        func sample(_ plane: Int, _ column: Int, _ row: Int) -> Int {
            buffer.withPlane(plane) { Int($0.bytes[row * $0.bytesPerRow + column]) }
        }
        let chroma =
            buffer.format == .i420
            ? [sample(1, x / 2, y / 2), sample(2, x / 2, y / 2)]
            : [sample(1, x / 2 * 2, y / 2), sample(1, x / 2 * 2 + 1, y / 2)]
        return [sample(0, x, y)] + chroma
    }

    /// What every pixel of the picture must be, the marker left out.
    static func expected(_ x: Int, _ y: Int, _ size: VideoSize, _ space: ColorSpace) -> Codes {
        func color(_ values: SIMD3<Double>) -> Codes { reference(values, space) }
        let (column, row) = (x / 2 * 2, y / 2 * 2)
        let black = SIMD3<Double>(repeating: 0)
        switch row * 12 / size.height {
        case ..<8: return color(colors[column * 7 / size.width])
        case 8:
            return color([colors[6], black, colors[4], black, colors[2], black, colors[0]][column * 7 / size.width])
        default:
            switch column * 84 / size.width {
            case ..<15: return color(SIMD3(0, 0.2456, 0.4125))
            case ..<30: return color(SIMD3(1, 1, 1))
            case ..<45: return color(SIMD3(0.2537, 0, 0.4679))
            case 60..<64: return color(SIMD3(repeating: -0.04))
            case 68..<72: return color(SIMD3(repeating: 0.04))
            default: return color(black)
            }
        }
    }

    static let spaces = ColorSpace.Matrix.allCases.flatMap { matrix in
        ColorSpace.Range.allCases.map { ColorSpace(matrix: matrix, range: $0) }
    }

    @Test(arguments: spaces, TestPatternTests.sizes) func everyPixelIsRight(
        _ space: ColorSpace, _ size: VideoSize
    ) throws {
        for format in PixelFormat.allCases {
            let reader = try TestPatternReader(pattern: .bars, size: size, format: format, colorSpace: space)
            let buffer = try reader.frame(at: 0).pixelBuffer
            // The marker begins at the left edge; the middle band is compared from where it ends.
            let markerEnd = max(2, size.width / 32)
            for y in 0..<size.height {
                let isMiddle = y / 2 * 2 * 12 / size.height == 8
                for x in 0..<size.width {
                    let wanted =
                        isMiddle && x < markerEnd
                        ? Self.reference(SIMD3(1, 1, 1), space)
                        : Self.expected(x, y, size, space)
                    let got = Self.codes(buffer, x, y)
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
        let buffer = try TestPatternReader(pattern: .bars, size: size, colorSpace: space).frame(at: 0).pixelBuffer
        #expect((0..<7).map { Self.codes(buffer, $0 * 120 + 60, 100) } == bars)
    }

    @Test func publishedLowerBand() throws {
        let space = ColorSpace(matrix: .bt709, range: .limited)
        let reader = try TestPatternReader(
            pattern: .bars, size: VideoSize(width: 840, height: 480), colorSpace: space)
        let buffer = try reader.frame(at: 0).pixelBuffer
        let wide = (0..<4).map { Self.codes(buffer, $0 * 150 + 75, 470) }
        #expect(wide == [[61, 153, 99], [235, 128, 128], [35, 174, 152], [16, 128, 128]])
        #expect([620, 660, 700, 800].map { Self.codes(buffer, $0, 470)[0] } == [7, 16, 25, 16])
    }

    @Test func markerRunsThroughTheMiddleBand() throws {
        let size = VideoSize(width: 640, height: 360)
        let reader = try TestPatternReader(pattern: .bars, size: size)
        let white = Self.reference(SIMD3(1, 1, 1), .unspecified(for: size))
        for index in [0, 1, 100, 319, 320, 1_000_003] {
            let buffer = try reader.frame(at: index).pixelBuffer
            let start = index % 320 * 2
            #expect(Self.codes(buffer, start, 250) == white)
            #expect(Self.codes(buffer, min(639, start + 19), 250) == white)
            #expect(Self.codes(buffer, (start + 20) % 640, 250) != white)
            #expect(Self.codes(buffer, (start + 638) % 640, 250) != white)
        }
    }
}
