import MediaIO
import Testing
import VideoWall

/// Where pixels go: turns and mirrors to the pixel, and what content modes cut off or leave black.
@Suite(.everyRenderer) struct GeometryTests {
    struct Turn: Sendable {
        let rotation: VideoRotation
        let mirror: VideoMirror

        static let all = VideoRotation.allCases.flatMap { rotation in
            VideoMirror.allCases.map { Turn(rotation: rotation, mirror: $0) }
        }

        /// Where the pixel of the shown picture comes from, by moving coordinates one step at a time.
        func source(_ x: Int, _ y: Int, shown: VideoSize) -> (x: Int, y: Int) {
            var (x, y, size) = (x, y, shown)
            if mirror.isHorizontal { x = size.width - 1 - x }
            if mirror.isVertical { y = size.height - 1 - y }
            // Undo quarter turns: what is at the right came from the top.
            for _ in 0..<rotation.rawValue / 90 {
                (x, y) = (y, size.width - 1 - x)
                size = size.transposed
            }
            return (x, y)
        }
    }

    @Test(arguments: Turn.all, [(1, 1), (2, 2), (3, 5), (35, 23), (64, 36)].map { VideoSize(width: $0, height: $1) })
    func turnsAndMirrorsMovePixelsExactly(_ turn: Turn, _ size: VideoSize) throws {
        let wall = try TestWall()
        for format in [PixelFormat.i420, .nv12] {
            let buffer = try SamplePicture.random(format, size).buffer(padding: 3)
            let upright = try wall.picture(of: VideoFrame(buffer), size)
            let shown = turn.rotation.isQuarterTurn ? size.transposed : size
            let turned = try wall.picture(
                of: VideoFrame(buffer, attributes: FrameAttributes(rotation: turn.rotation, mirror: turn.mirror)),
                shown)
            for y in 0..<shown.height {
                for x in 0..<shown.width {
                    let source = turn.source(x, y, shown: shown)
                    try #require(turned.pixel(x, y) == upright.pixel(source.x, source.y), "\(format) at (\(x), \(y))")
                }
            }
        }
    }

    /// In floating point, since the pattern of dithering does not turn with the picture.
    @Test(arguments: PixelFormat.drawn) func everyFormatTurns(_ format: PixelFormat) throws {
        let size = VideoSize(width: 7, height: 4)
        let wall = try TestWall()
        wall.wall.colorConversion = .off
        let buffer = try TestPicture.noise(format, size).buffer(padding: 3)
        let upright = try wall.floats(of: VideoFrame(buffer), size)
        for turn in Turn.all {
            let shown = turn.rotation.isQuarterTurn ? size.transposed : size
            let turned = try wall.floats(
                of: VideoFrame(
                    buffer, attributes: FrameAttributes(rotation: turn.rotation, mirror: turn.mirror)), shown)
            for y in 0..<shown.height {
                for x in 0..<shown.width {
                    let source = turn.source(x, y, shown: shown)
                    try #require(
                        turned[y * shown.width + x] == upright[source.y * size.width + source.x],
                        "\(turn) at (\(x), \(y))")
                }
            }
        }
    }

    @Test(arguments: Turn.all) func aTilesOwnTurnComesAfterTheFrames(_ own: Turn) throws {
        let size = VideoSize(width: 34, height: 22)
        let buffer = try SamplePicture.random(.i420, size).buffer()
        let wall = try TestWall()
        for first in Turn.all {
            let shownFirst = first.rotation.isQuarterTurn ? size.transposed : size
            let shown = own.rotation.isQuarterTurn ? shownFirst.transposed : shownFirst
            let frame = VideoFrame(
                buffer, attributes: FrameAttributes(rotation: first.rotation, mirror: first.mirror))
            let between = try wall.picture(of: frame, shownFirst)
            let both = try wall.picture(of: frame, shown) {
                $0.rotation = own.rotation
                $0.mirror = own.mirror
            }
            for y in 0..<shown.height {
                for x in 0..<shown.width {
                    let source = own.source(x, y, shown: shown)
                    try #require(both.pixel(x, y) == between.pixel(source.x, source.y), "\(first) then \(own)")
                }
            }
        }
    }

    /// Exactly equal, wherever the tiles are; ten bits are dithered.
    @Test(arguments: ScalingFilter.allCases, [VideoSize(width: 64, height: 36), VideoSize(width: 101, height: 57)])
    func equalStreamsGiveEqualTiles(_ filter: ScalingFilter, _ size: VideoSize) throws {
        for format in [PixelFormat.nv12, .p010] {
            try equalStreamsGiveEqualTiles(VideoFrame(TestPicture.noise(format, size).buffer()), filter)
        }
    }

    private func equalStreamsGiveEqualTiles(_ frame: VideoFrame, _ filter: ScalingFilter) throws {
        let size = frame.image.size
        let wall = try TestWall()
        for shown in [size, VideoSize(width: 73, height: 41), VideoSize(width: 40, height: 23)] {
            let alone = try wall.picture(of: frame, shown, filter: filter) { $0.contentMode = .stretch }
            for _ in 1..<9 { wall.add(frame, filter: filter) }
            for tile in wall.wall.tiles { tile.contentMode = .stretch }
            let picture = try wall.picture(VideoSize(width: 3 * shown.width, height: 3 * shown.height))
            for (place, tile) in wall.wall.tiles.enumerated() {
                let rectangle = Rectangle(
                    x: place % 3 * shown.width, y: place / 3 * shown.height, width: shown.width, height: shown.height)
                for y in 0..<shown.height {
                    for x in 0..<shown.width {
                        let pixel = picture.pixel(rectangle.x + x, rectangle.y + y)
                        try #require(pixel == alone.pixel(x, y), "\(tile.name) at \(x), \(y)")
                    }
                }
            }
        }
    }

    @Test func fitLeavesBlackBars() throws {
        let frame = try VideoFrame(gray(VideoSize(width: 40, height: 20), 180).buffer())
        let picture = try draw(frame, in: VideoSize(width: 80, height: 80))
        for y in 0..<80 {
            let expected = (20..<60).contains(y)
            for x in 0..<80 { #expect((picture.pixel(x, y) != [0, 0, 0]) == expected, "(\(x), \(y))") }
        }
    }

    @Test func fillCutsTheSidesOff() throws {
        // Left quarter dark, middle half grey, right quarter bright: a square tile shows only the middle.
        let size = VideoSize(width: 80, height: 40)
        let samples = SamplePicture(
            format: .i420, size: size, luma: { x, _ in x < 20 ? 30 : x < 60 ? 120 : 220 }, cb: { _, _ in 128 },
            cr: { _, _ in 128 })
        let frame = try VideoFrame(samples.buffer())
        let picture = try draw(frame, in: VideoSize(width: 40, height: 40)) { $0.contentMode = .fill }
        let middle = picture.pixel(20, 20)
        for y in 0..<40 { for x in 0..<40 { try #require(picture.pixel(x, y) == middle) } }
    }

    @Test func stretchFillsTheTile() throws {
        let frame = try VideoFrame(gray(VideoSize(width: 40, height: 20), 180).buffer())
        let picture = try draw(frame, in: VideoSize(width: 30, height: 80)) { $0.contentMode = .stretch }
        for y in 0..<80 { for x in 0..<30 { try #require(picture.pixel(x, y) == picture.pixel(0, 0)) } }
        #expect(picture.pixel(0, 0) != [0, 0, 0])
    }

    @Test func pixelAspectRatioWidensThePicture() throws {
        let buffer = try gray(VideoSize(width: 20, height: 20), 180).buffer()
        let picture = try draw(
            VideoFrame(buffer, attributes: FrameAttributes(pixelAspectRatio: Rational(2))),
            in: VideoSize(width: 80, height: 80))
        // Twice as wide as high: 80 × 40.
        #expect(picture.pixel(40, 19) == [0, 0, 0] && picture.pixel(40, 20) != [0, 0, 0])
        #expect(picture.pixel(0, 40) != [0, 0, 0] && picture.pixel(79, 40) != [0, 0, 0])
    }

    @Test(arguments: Turn.all) func pixelAspectRatioTurnsWithThePicture(_ turn: Turn) throws {
        let buffer = try gray(VideoSize(width: 20, height: 20), 180).buffer()
        let frame = VideoFrame(
            buffer,
            attributes: FrameAttributes(rotation: turn.rotation, mirror: turn.mirror, pixelAspectRatio: Rational(2)))
        let picture = try draw(frame, in: VideoSize(width: 80, height: 80))
        // Twice as wide as high, or as high as wide when it lies on its side.
        let isHigh = turn.rotation.isQuarterTurn
        #expect((picture.pixel(40, 0) != [0, 0, 0]) == isHigh && (picture.pixel(40, 79) != [0, 0, 0]) == isHigh)
        #expect((picture.pixel(0, 40) != [0, 0, 0]) != isHigh && (picture.pixel(79, 40) != [0, 0, 0]) != isHigh)
    }

    /// Cut and scaled by the same factor: as many pixels as the source has, and yet none of them lies on one of them.
    @Test func fillOfWidePixelsIsInterpolated() throws {
        let size = VideoSize(width: 64, height: 32)
        let columns = SamplePicture(
            format: .i420, size: size, luma: { x, _ in x % 2 == 0 ? 16 : 216 }, cb: { _, _ in 128 },
            cr: { _, _ in 128 })
        let frame = try VideoFrame(columns.buffer(), attributes: FrameAttributes(pixelAspectRatio: Rational(4, 3)))
        let picture = try draw(frame, in: size, filter: .bilinear) { $0.contentMode = .fill }
        let values = Set((0..<64).map { picture.pixel($0, 16)[1] })
        // The nearest samples would be two values.
        #expect(values.count > 2, "\(values.sorted())")
    }

    @Test func whatIsBeyondTheEdgeNeverBleedsIn() throws {
        // Enlarged eight times: filtering at the edge must not reach the padding, which is bright green noise.
        let size = VideoSize(width: 5, height: 3)
        for format in [PixelFormat.i420, .nv12] {
            let picture = try draw(
                VideoFrame(gray(size, 60, format).buffer(padding: 7)), in: VideoSize(width: 40, height: 24),
                filter: .bilinear)
            for y in 0..<24 { for x in 0..<40 { try #require(picture.pixel(x, y) == picture.pixel(20, 12)) } }
        }
    }

    private func gray(_ size: VideoSize, _ luma: UInt8, _ format: PixelFormat = .i420) -> SamplePicture {
        SamplePicture(format: format, size: size, luma: { _, _ in luma }, cb: { _, _ in 128 }, cr: { _, _ in 128 })
    }
}
