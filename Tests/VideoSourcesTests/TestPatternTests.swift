import MediaIO
import TestSupport
import Testing
import VideoSources

/// What holds for every pattern.
struct TestPatternTests {
    static let sizes = [(1, 1), (2, 2), (3, 5), (35, 23), (640, 360)].map { VideoSize(width: $0.0, height: $0.1) }

    struct Case: CustomTestStringConvertible {
        let pattern: TestPattern
        let format: PixelFormat
        let size: VideoSize

        var testDescription: String { "\(pattern) \(format) \(size)" }

        func reader(_ space: ColorSpace? = nil) throws -> TestPatternReader {
            try TestPatternReader(
                pattern: pattern, size: size, frameRate: Rational(30_000, 1001), format: format,
                colorTags: space.map { ColorTags($0) } ?? ColorTags())
        }
    }

    static let cases = TestPattern.allCases.flatMap { pattern in
        PixelFormat.allCases.flatMap { format in
            // Large pictures only where a painter of its own has loops for them.
            sizes.filter { $0.width < 640 || format == .i420 || format == .nv12 }
                .map { Case(pattern: pattern, format: format, size: $0) }
        }
    }

    @Test(arguments: cases) func frameDependsOnlyOnItsIndex(_ test: Case) throws {
        let (first, second) = (try test.reader(), try test.reader())
        for index in 0..<3 {
            let frame = try #require(try first.next())
            #expect(frame.planes.format == test.format)
            #expect(frame.planes.size == test.size)
            #expect(frame.time == Rational(30_000, 1001).time(ofFrame: index))
            #expect(frame.attributes == first.info.attributes)
            #expect(frame.planes.packedBytes == (try second.frame(at: index)).planes.packedBytes)
        }
        first.rewind()
        let again = try #require(try first.next())
        #expect(again.time == .zero)
        #expect(again.planes.packedBytes == (try second.frame(at: 0)).planes.packedBytes)
    }

    @Test(arguments: cases) func somethingMoves(_ test: Case) throws {
        let reader = try test.reader()
        let pictures = try Set((0..<8).map { try reader.frame(at: $0).planes.packedBytes })
        // Bars without room for the marker stand still, as they say.
        let stands = test.size.height < 12 && test.pattern == .bars
        // Of a Bayer picture, a pixel of one colour is all there is.
        guard test.size.width > 1 || test.format.subsampling != "Bayer" else { return }
        #expect(stands ? pictures.count == 1 : pictures.count > 1)
    }

    /// The bars have their blacker than black; all else keeps to the range.
    @Test(
        arguments: cases.filter { $0.pattern != .bars && ($0.format == .i420 || $0.format == .nv12) },
        ColorSpace.Matrix.allCases)
    func limitedRangeIsKept(_ test: Case, _ matrix: ColorSpace.Matrix) throws {
        let reader = try test.reader(ColorSpace(matrix: matrix, range: .limited))
        let bytes = try reader.frame(at: 5).planes.packedBytes
        let luma = bytes.prefix(test.size.width * test.size.height)
        #expect(luma.allSatisfy { (16...235).contains($0) })
        #expect(bytes.dropFirst(luma.count).allSatisfy { (16...240).contains($0) })
    }

    @Test(arguments: TestPattern.allCases, sizes) func formatsHoldTheSamePicture(
        _ pattern: TestPattern, _ size: VideoSize
    ) throws {
        let planar = try Case(pattern: pattern, format: .i420, size: size).reader().frame(at: 7).planes.packedBytes
        let pairs = try Case(pattern: pattern, format: .nv12, size: size).reader().frame(at: 7).planes.packedBytes
        let luma = size.width * size.height
        let chroma = (planar.count - luma) / 2
        #expect(planar[..<luma] == pairs[..<luma])
        #expect((0..<chroma).allSatisfy { planar[luma + $0] == pairs[luma + 2 * $0] })
        #expect((0..<chroma).allSatisfy { planar[luma + chroma + $0] == pairs[luma + 2 * $0 + 1] })
    }

    @Test(arguments: [(0, 1), (1, 0), (-1, 4), (65_537, 1), (1, 100_000)]) func sizeOutOfRangeIsRefused(
        _ width: Int, _ height: Int
    ) {
        let error = #expect(throws: StreamError.self) {
            try TestPatternReader(pattern: .bars, size: VideoSize(width: width, height: height))
        }
        #expect(error?.code == .unsupported)
        #expect(error?.description.contains("\(width)x\(height)") == true)
    }

    @Test func heldPictureIsNotDrawnOver() throws {
        let reader = try TestPatternReader(pattern: .gradient, size: VideoSize(width: 64, height: 64))
        let first = try #require(try reader.next()).planes
        let address = ObjectIdentifier(first)
        let second = try #require(try reader.next()).planes
        #expect(ObjectIdentifier(second) != address)
        withExtendedLifetime(first) {}
    }

    @Test func gradientIsSmooth() throws {
        let size = VideoSize(width: 640, height: 360)
        let frame = try TestPatternReader(pattern: .gradient, size: size).frame(at: 11).planes
        frame.withPlane(0) { plane in
            for row in 0..<size.height {
                for x in 1..<size.width {
                    let step =
                        Int(plane.bytes[row * plane.bytesPerRow + x])
                        - Int(plane.bytes[row * plane.bytesPerRow + x - 1])
                    if abs(step) > 2 { Issue.record("A step of \(step) at \(x), \(row).") }
                }
            }
        }
    }

    @Test func zonePlateIsRound() throws {
        let size = VideoSize(width: 101, height: 101)
        let frame = try TestPatternReader(pattern: .zoneplate, size: size).frame(at: 9).planes.packedBytes
        func luma(_ x: Int, _ y: Int) -> UInt8 { frame[y * 101 + x] }
        for y in 0..<101 {
            for x in 0..<101 where luma(x, y) != luma(y, x) || luma(x, y) != luma(100 - x, y) {
                Issue.record("Not the same at \(x), \(y) and its mirror pictures.")
            }
        }
        #expect(Set(frame[..<(101 * 101)]).count > 100)
    }
}
