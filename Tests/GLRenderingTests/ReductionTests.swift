import Foundation
import MediaIO
import Testing
import VideoWall

/// Reductions that stress the drawing: a whole frame in a few pixels, and just below the limit of bilinear sampling.
@Suite(.everyRenderer) struct ReductionTests {
    static let size = VideoSize(width: 1920, height: 1080)
    static let targets = [(16, 9), (7, 5), (1, 1)].map { VideoSize(width: $0, height: $1) }

    /// The product of a function of the column and one of the row, so that both axes can be scaled apart.
    private static func profile(_ length: Int, _ seed: Int) -> [[Double]] {
        (0..<length).map { index in
            let noise = Double((index &* 7919 &+ seed) &* 104_729 % 1000) / 1000
            // A step and noise.
            return [(index * 3 > length ? 0.95 : 0.3) * (0.5 + 0.5 * noise)]
        }
    }

    private static let across = profile(size.width, 1)
    private static let down = profile(size.height, 2)
    /// Samples of 16 bits whose code values are the product.
    private static let codes = samples { $0 }
    /// Samples of 16 bits whose light is the product.
    private static let light = samples(ScalingReference.code)

    private static func samples(_ code: (Double) -> Double) -> [UInt16] {
        let (columns, rows) = (across.map { $0[0] }, down.map { $0[0] })
        return rows.flatMap { row in columns.map { UInt16((code($0 * row) * 65_535).rounded()) } }
    }

    /// A software driver ends a shader's loops after 65,535 turns without a message.
    @Test(arguments: ScalingFilter.allCases.filter { $0 != .nearest }, [false, true])
    func aFrameInAFewPixelsIsItsMean(_ filter: ScalingFilter, _ isLinear: Bool) throws {
        let (across, down) = (Self.across, Self.down)
        let samples = isLinear ? Self.light : Self.codes
        let frame = try VideoFrame(
            copying: samples.span.bytes, format: .gray16, size: Self.size,
            attributes: FrameAttributes(colorSpace: ColorSpace(matrix: .rgb, range: .full, transfer: .sRGB)))
        let reference = ScalingReference(filter: filter, isLinearLight: isLinear)
        let wall = try TestWall()
        wall.wall.colorConversion = .off
        for target in Self.targets {
            let columns = reference.scaled([across], to: VideoSize(width: target.width, height: 1))[0]
            let rows = reference.scaled(down.map { [$0] }, to: VideoSize(width: 1, height: target.height))
            let drawn = try wall.floats(of: frame, target, filter: filter) {
                $0.contentMode = .stretch
                $0.scalesInLinearLight = isLinear
            }
            for y in 0..<target.height {
                for x in 0..<target.width {
                    let value = columns[x][0] * rows[y][0][0]
                    let expected = isLinear ? ScalingReference.code(value) : min(1, max(0, value))
                    let difference = abs(min(1, max(0, drawn[y * target.width + x][0])) - expected) * 255
                    #expect(difference < 0.05, "\(target) at \(x), \(y)")
                }
            }
        }
    }

    /// Subsampled chroma, too, is read to the last sample.
    @Test(arguments: ScalingFilter.allCases.filter { $0 != .nearest && $0 != .bilinear })
    func chromaOfAFrameInAFewPixelsIsItsMean(_ filter: ScalingFilter) throws {
        // Red on the left half, blue on the right one, without a difference in luma.
        let chroma = [UInt8](repeating: 100, count: 480) + [UInt8](repeating: 180, count: 480)
        let luma = [UInt8](repeating: 110, count: 1920 * 1080)
        let bytes: [UInt8] =
            luma + (0..<540).flatMap { _ in chroma } + (0..<540).flatMap { _ in [UInt8](chroma.reversed()) }
        let space = ColorSpace(matrix: .bt709, range: .full)
        let frame = try VideoFrame(
            copying: bytes.span.bytes, format: .i420, size: Self.size,
            attributes: FrameAttributes(colorSpace: space))
        let drawn = try draw(frame, in: VideoSize(width: 1, height: 1), filter: filter) { $0.contentMode = .stretch }
        let converter = ReferenceConverter(matrix: .bt709, range: .full)
        let expected = converter.rgb(y: 110, cb: 140, cr: 140)
        for (value, other) in zip(drawn.pixel(0, 0), expected) { #expect(abs(Double(value) - other) <= 1) }
    }

    /// A zone plate at 1/1.9: what the target cannot show must not return as large rings.
    @Test func automaticDoesNotAliasAboveAHalf() throws {
        let side = 512
        let picture = TestPicture(format: .gray8, size: VideoSize(width: side, height: side)) { _, x, y in
            let (dx, dy) = (Double(x) + 0.5 - 256, Double(y) + 0.5 - 256)
            return Int((127.5 + 127.5 * cos(.pi * (dx * dx + dy * dy) / 512)).rounded())
        }
        let frame = try VideoFrame(
            picture.buffer(), attributes: FrameAttributes(colorSpace: ColorSpace(matrix: .rgb, range: .full)))
        let wall = try TestWall()
        func largest(_ filter: ScalingFilter, _ target: Int) throws -> Double {
            let drawn = try wall.picture(of: frame, VideoSize(width: target, height: target), filter: filter)
            let middle = Double(target) / 2
            var worst = 0.0
            // Beyond the edges, the outermost samples are repeated, and are no rings.
            for y in 2..<target - 2 {
                for x in 2..<target - 2 {
                    let (dx, dy) = (abs(Double(x) + 0.5 - middle), abs(Double(y) + 0.5 - middle))
                    // From 0.435 cycles per source pixel on, rings return that are more than five target pixels wide.
                    guard max(dx, dy) / Double(target) > 0.435 else { continue }
                    worst = max(worst, abs(Double(drawn.pixel(x, y)[0]) - 127.5))
                }
            }
            return worst
        }
        #expect(try largest(.automatic, 270) <= 10)
        #expect(try largest(.bilinear, 270) > 50)
        // Nearer to 1, what must go lies closer to what must stay, and more of it is left.
        #expect(try largest(.automatic, 350) <= 32)
        #expect(try largest(.bilinear, 350) > 120)
    }

    /// A kernel over the widest texture there is: a shader's loop must not end before its last turn.
    @Test(arguments: [ScalingFilter.automatic, .mitchell, .lanczos]) func theLongestRowsAreReadToTheirEnd(
        _ filter: ScalingFilter
    ) throws {
        let wall = try TestWall()
        let length = min(16_384, wall.renderer.maximumSide)
        for size in [VideoSize(width: length, height: 2), VideoSize(width: 2, height: length)] {
            let picture = TestPicture(format: .gray8, size: size) { _, x, y in
                let place = max(x, y)
                return place < length * 3 / 4 ? place * 200 / length : 255
            }
            let frame = try VideoFrame(
                picture.buffer(), attributes: FrameAttributes(colorSpace: ColorSpace(matrix: .rgb, range: .full)))
            let line = (0..<length).map { [Double($0 < length * 3 / 4 ? $0 * 200 / length : 255)] }
            let expected = ScalingReference(filter: filter)
                .weighted(line, center: Double(length) / 2, ratio: Double(length), true)
            let drawn = try wall.floats(of: frame, VideoSize(width: 1, height: 1), filter: filter) {
                $0.contentMode = .stretch
            }
            #expect(abs(drawn[0][0] * 255 - expected[0]) < 0.2, "\(size)")
        }
    }

    /// Of two samples that are equally near, `nearest` takes the first one, everywhere.
    @Test(arguments: [PixelFormat.gray8, .i420, .v210, .rggb8, .rgba32]) func nearestIsEven(_ format: PixelFormat)
        throws
    {
        let size = VideoSize(width: 240, height: 36)
        let picture = TestPicture(format: format, size: size) { letter, x, _ in
            letter == "A"
                ? 255
                : "UV".contains(letter)
                    ? 1 << (format.bits(letter) - 1) : (x * ((1 << format.bits(letter)) - 1) + 127) / 255
        }
        let frame = try VideoFrame(
            picture.buffer(), attributes: FrameAttributes(colorSpace: ColorSpace(matrix: .bt709, range: .full)))
        // A Bayer pixel is interpolated, and ten bits are dithered.
        let tolerance = format == .rggb8 || format == .v210 ? 1 : 0
        let wall = try TestWall()
        for across in [2, 4, 6] {
            let drawn = try wall.picture(
                of: frame, VideoSize(width: size.width / across, height: size.height / across), filter: .nearest)
            let row = (1..<size.width / across - 1).map { drawn.pixel($0, 2)[1] }
            for (index, value) in row.enumerated() {
                #expect(abs(value - ((index + 1) * across + across / 2 - 1)) <= tolerance, "\(across)")
            }
        }
    }
}
