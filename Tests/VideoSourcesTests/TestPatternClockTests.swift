import MediaIO
import TestSupport
import Testing
import VideoSources

/// The frame counter survives what happens to pictures on their way.
struct TestPatternClockTests {
    static let numbers = [
        0, 1, 2, 3, 255, 256, 65_535, 65_536, 123_456, 0x5555_5555, 0xAAAA_AAAA, 0xFFFF_FFFE, 0xFFFF_FFFF,
    ]
    static let sizes = [(18, 16), (19, 17), (35, 23), (36, 16), (64, 36), (160, 90), (641, 359), (40, 400), (400, 20)]
        .map { VideoSize(width: $0.0, height: $0.1) }

    static func clock(_ size: VideoSize, _ index: Int, _ space: ColorSpace? = nil) throws -> PixelBuffer {
        try TestPatternReader(
            pattern: .clock, size: size, format: .nv12, colorTags: space.map { ColorTags($0) } ?? ColorTags()
        ).frame(at: index)
            .planes
    }

    @Test(arguments: sizes) func roundTrip(_ size: VideoSize) throws {
        var random = SeededGenerator(seed: 5)
        let chance = (0..<20).map { _ in Int(UInt32.random(in: 0 ... .max, using: &random)) }
        let reader = try TestPatternReader(pattern: .clock, size: size)
        for number in Self.numbers + chance {
            #expect(TestPatternClock.frameNumber(in: try reader.frame(at: number).planes) == number)
        }
    }

    @Test(arguments: ColorBarsTests.spaces) func everyColorSpace(_ space: ColorSpace) throws {
        let buffer = try Self.clock(VideoSize(width: 64, height: 36), 90_210, space)
        #expect(TestPatternClock.frameNumber(in: buffer) == 90_210)
    }

    @Test func lastRowMayComeFirst() throws {
        let size = VideoSize(width: 36, height: 32)
        let rows = try Self.clock(size, 4711).packedBytes.prefix(36 * 32)
        let turned = stride(from: 31, through: 0, by: -1).flatMap { rows[$0 * 36..<$0 * 36 + 36] }
        let number = try turned.withUnsafeBytes { bytes in
            let plane = PixelBuffer.Plane(bytes: bytes, bytesPerRow: -36)
            return TestPatternClock.frameNumber(
                in: try PixelBuffer(lending: [plane], format: .gray8, size: size, release: {}))
        }
        #expect(number == 4711)
    }

    @Test func numberIsModulo32Bits() throws {
        let buffer = try Self.clock(VideoSize(width: 64, height: 36), 1 << 32 | 77)
        #expect(TestPatternClock.frameNumber(in: buffer) == 77)
    }

    /// Scaled by the simplest means there is, also out of shape, made dark and flat, with noise.
    @Test(arguments: [(1280, 720), (320, 180), (240, 500), (97, 61), (54, 32)])
    func survivesScalingAndNoise(_ width: Int, _ height: Int) throws {
        var random = SeededGenerator(seed: 11)
        let size = VideoSize(width: 640, height: 360)
        let reader = try TestPatternReader(pattern: .clock, size: size)
        for number in Self.numbers {
            let buffer = try reader.frame(at: number).planes
            let read = buffer.withPlane(0) { plane in
                TestPatternClock.frameNumber(size: VideoSize(width: width, height: height)) { x, y in
                    let source = plane.bytes[y * 360 / height * plane.bytesPerRow + x * 640 / width]
                    return Int(source) / 2 + Int.random(in: 0...30, using: &random)
                }
            }
            #expect(read == number)
        }
    }

    @Test func otherPicturesCarryNoNumber() throws {
        let size = VideoSize(width: 640, height: 360)
        for pattern in [TestPattern.bars, .gradient, .zoneplate] {
            let frame = try TestPatternReader(pattern: pattern, size: size).frame(at: 1)
            #expect(TestPatternClock.frameNumber(in: frame.planes) == nil, "\(pattern)")
        }
        for value in [UInt8(0), 16, 128, 235, 255] {
            let bytes = [UInt8](repeating: value, count: PixelFormat.i420.packedByteCount(size))
            let flat = try PixelBuffer(packed: bytes, format: .i420, size: size)
            #expect(TestPatternClock.frameNumber(in: flat) == nil)
        }
        for (width, height) in [(1, 1), (17, 16), (18, 15)] {
            let small = try Self.clock(VideoSize(width: width, height: height), 3)
            #expect(TestPatternClock.frameNumber(in: small) == nil)
        }
    }

    @Test func oneFlippedCellIsNoticed() throws {
        let size = VideoSize(width: 180, height: 160)
        let buffer = try Self.clock(size, 0x1234_5678)
        for cell in 0..<36 {
            let (row, column) = cell.quotientAndRemainder(dividingBy: 18)
            let read = buffer.withPlane(0) { plane in
                TestPatternClock.frameNumber(size: size) { x, y in
                    let value = Int(plane.bytes[y * plane.bytesPerRow + x])
                    return x / 10 == column && y / 10 == 14 + row ? 251 - value : value
                }
            }
            #expect(read == nil, "cell \(cell)")
        }
    }

    /// The digits, read as a person would: by which of the seven segments of each place are white.
    @Test(arguments: [(0, "0", "000000000"), (75, "75", "000002500"), (1_234_567, "1234567", "112552233")])
    func digitsShowFrameAndTime(_ index: Int, _ number: String, _ time: String) throws {
        let size = VideoSize(width: 1400, height: 800)
        let buffer = try TestPatternReader(pattern: .clock, size: size, frameRate: Rational(30)).frame(at: index)
            .planes
        func luma(_ x: Int, _ y: Int) -> UInt8 { buffer.withPlane(0) { $0.bytes[y * $0.bytesPerRow + x] } }
        func digit(_ x: Int, _ y: Int, _ height: Int) -> Character? {
            let quarter = height / 4
            let places = [
                (50, 7), (82, quarter), (82, height - quarter), (50, height - 7), (18, height - quarter), (18, quarter),
                (50, height / 2),
            ]
            let bars = places.map { luma(x + $0.0, y + $0.1) == 235 ? 1 : 0 }
            // A segment that is not lit is barely visible; between two digits there is nothing.
            for (place, bar) in zip(places, bars) where bar == 0 && bars.contains(1) {
                #expect((60...70).contains(luma(x + place.0, y + place.1)))
            }
            #expect(luma(x + 2, y + quarter) == 49)
            let shapes: [[Int]] = [
                [1, 1, 1, 1, 1, 1, 0], [0, 1, 1, 0, 0, 0, 0], [1, 1, 0, 1, 1, 0, 1], [1, 1, 1, 1, 0, 0, 1],
                [0, 1, 1, 0, 0, 1, 1], [1, 0, 1, 1, 0, 1, 1], [1, 0, 1, 1, 1, 1, 1], [1, 1, 1, 0, 0, 0, 0],
                [1, 1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 0, 1, 1],
            ]
            return shapes.firstIndex(of: bars).flatMap { "\($0)".first }
        }
        #expect(String((1...12).compactMap { digit($0 * 100, 375, 120) }) == number)
        // Two digits, a colon, two digits, a colon, two digits, a point, three digits.
        let places = [1, 2, 4, 5, 7, 8, 10, 11, 12]
        #expect(String(places.compactMap { digit($0 * 100, 100, 150) }) == time)
    }

    /// Where two segments of a zero meet there is a gap, and their ends are cut at 45°: no box of a missing character.
    @Test func segmentsHavePointedEnds() throws {
        let size = VideoSize(width: 1400, height: 800)
        let buffer = try TestPatternReader(pattern: .clock, size: size).frame(at: 0).planes
        func isWhite(_ x: Int, _ y: Int) -> Bool { buffer.withPlane(0) { $0.bytes[y * $0.bytesPerRow + x] == 235 } }
        // The first digit of the time is at 100, 100; its strokes are 18 wide.
        #expect(!isWhite(110, 100) && !isWhite(189, 100) && !isWhite(110, 249) && !isWhite(189, 249))
        let top = (100..<118).map { y in (100..<200).count { isWhite($0, y) } }
        #expect(zip(top[..<8], top[1...9]).allSatisfy { $1 - $0 >= 1 })
        #expect((0..<100).contains { step in !isWhite(100 + step, 100 + step) && isWhite(103 + step, 100 + step) })
    }
}
