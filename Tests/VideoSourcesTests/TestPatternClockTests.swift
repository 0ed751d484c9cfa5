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

    private static func whites(_ width: Int, _ height: Int, _ index: Int = 0) throws -> (_ x: Int, _ y: Int) -> Bool {
        let size = VideoSize(width: width, height: height)
        let buffer = try TestPatternReader(pattern: .clock, size: size).frame(at: index).planes
        return { x, y in buffer.withPlane(0) { $0.bytes[y * $0.bytesPerRow + x] == 235 } }
    }

    /// The ends of segments are cut at 45°, and a quarter of a stroke apart: no box of a missing character.
    @Test func segmentsHavePointedEnds() throws {
        // The first digit of the time is at width / 14, height / 8.
        for (width, height, stroke) in [(1400, 800, 18), (3840, 2160, 50), (1401, 801, 18), (700, 400, 9)] {
            let isWhite = try Self.whites(width, height)
            let (x, y, cell, tall) = (width / 14, height / 8, width / 14, height * 3 / 16)
            let (left, right) = (x + cell / 10, x + cell - cell / 10 - 1)
            for (x, y) in [(left, y), (right, y), (left, y + tall - 1), (right, y + tall - 1)] {
                #expect(!isWhite(x, y), "\(width)x\(height)")
            }
            // Each row of the upper segment is two pixels longer than the one above, up to the middle.
            let rows = (0..<stroke).map { row in (x..<x + cell).count { isWhite($0, y + row) } }
            #expect(zip(rows[..<(stroke / 2 - 1)], rows[1...]).allSatisfy { $1 - $0 == 2 }, "\(rows)")
            // Across the gap between the upper segment and the left one: a step is √2 pixels.
            let place = (x: left + stroke * 3 / 4, y: y + stroke * 3 / 4)
            let steps = (-stroke / 2...stroke / 2).map { isWhite(place.x + $0, place.y - $0) }
            let (first, last) = (steps.firstIndex(of: false) ?? 0, steps.lastIndex(of: false) ?? 0)
            #expect(first > 0 && last < steps.count - 1 && !steps[first...last].contains(true), "\(steps)")
            let gap = Double(last - first + 1) * 2.0.squareRoot()
            #expect(abs(gap - Double(stroke) / 4) < 2.0.squareRoot(), "\(gap) of \(stroke)")
        }
    }

    /// The time in frames that are small, tall, odd: by the middle of each segment, with nothing between two digits.
    @Test(arguments: [(64, 48), (65, 49), (97, 61), (60, 200), (160, 90), (255, 143), (3840, 2160)])
    func digitsOfEverySize(_ width: Int, _ height: Int) throws {
        let isWhite = try Self.whites(width, height, 1_234_567)
        let (cell, tall) = (width / 14, height * 3 / 16)
        let stroke = max(1, min(cell / 5, tall / 8))
        let (left, right) = (cell / 10, cell - max(1, cell / 10) - stroke)
        let (top, middle, bottom) = (height / 8, height / 8 + (tall - stroke) / 2, height / 8 + tall - stroke)
        let shapes = [
            "1111110", "0110000", "1101101", "1111001", "0110011", "1011011", "1011111", "1110000", "1111111",
        ]
        var read = ""
        for place in [1, 2, 4, 5, 7, 8, 10, 11, 12] {
            func isLit(_ column: Int, _ row: Int) -> String {
                isWhite(place * cell + column + stroke / 2, row + stroke / 2) ? "1" : "0"
            }
            let bars = [
                isLit((left + right) / 2, top), isLit(right, (top + middle) / 2), isLit(right, (middle + bottom) / 2),
                isLit((left + right) / 2, bottom), isLit(left, (middle + bottom) / 2),
                isLit(left, (top + middle) / 2), isLit((left + right) / 2, middle),
            ].joined()
            read += shapes.firstIndex(of: bars).map(String.init) ?? "?"
            #expect((top..<bottom + stroke).allSatisfy { !isWhite((place + 1) * cell - 1, $0) })
        }
        #expect(read == "112552233")
    }
}
