import MediaIO
import Testing
import VideoWall

/// Overridden colours, against a frame that has those colours in its own tags.
@Suite(.everyRenderer) struct OverrideTests {
    static let size = VideoSize(width: 34, height: 18)
    static let formats = [PixelFormat.i420, .nv12, .i444, .yuyv, .v210, .p010, .ayuv]
    /// What the frames say.
    static let space = ColorSpace(matrix: .bt601, range: .limited, primaries: .bt2020, transfer: .gamma28)

    /// Draws frames one after the other; programs are made once.
    private struct Drawer {
        let wall: TestWall

        init() throws { wall = try TestWall() }

        func callAsFunction(_ frame: VideoFrame, _ override: ColorOverride = ColorOverride()) throws -> FloatPicture {
            try wall.floats(of: frame, OverrideTests.size, filter: .bilinear) { $0.colorOverride = override }
        }
    }

    @Test(arguments: formats) func isWhatTheFrameMightHaveSaid(_ format: PixelFormat) throws {
        let drawn = try Drawer()
        let buffer = try TestPicture.noise(format, Self.size).buffer()
        let frame = VideoFrame(buffer, attributes: FrameAttributes(colorSpace: Self.space, chromaLocation: .left))
        let plain = try drawn(frame)
        for matrix in ColorSpace.Matrix.allCases {
            for range in ColorSpace.Range.allCases {
                var space = Self.space
                (space.matrix, space.range) = (matrix, range)
                let tagged = try drawn(
                    VideoFrame(buffer, attributes: FrameAttributes(colorSpace: space, chromaLocation: .left)))
                #expect(try drawn(frame, ColorOverride(matrix: matrix, range: range)) == tagged, "\(matrix) \(range)")
                #expect((tagged == plain) == (matrix == .bt601 && range == .limited), "\(matrix) \(range)")
            }
        }
        for location in ChromaLocation.allCases {
            let tagged = try drawn(
                VideoFrame(buffer, attributes: FrameAttributes(colorSpace: Self.space, chromaLocation: location)))
            #expect(try drawn(frame, ColorOverride(chromaLocation: location)) == tagged, "\(location)")
        }
    }

    @Test func onlyWhatIsSaidIsOverridden() throws {
        let drawn = try Drawer()
        let buffer = try TestPicture.noise(.i420, Self.size).buffer()
        let frame = VideoFrame(buffer, attributes: FrameAttributes(colorSpace: Self.space, chromaLocation: .bottom))
        var space = Self.space
        space.range = .full
        let tagged = try drawn(
            VideoFrame(buffer, attributes: FrameAttributes(colorSpace: space, chromaLocation: .bottom)))
        #expect(try drawn(frame, ColorOverride(range: .full)) == tagged)
    }

    @Test(arguments: [
        (PixelFormat.i420, PixelFormat.yv12), (.nv12, .nv21), (.nv16, .nv61), (.nv24, .nv42), (.yuyv, .yvyu),
        (.uyvy, .vyuy),
    ]) func swappedChromaIsTheOtherFormat(_ one: PixelFormat, _ other: PixelFormat) throws {
        let drawn = try Drawer()
        let picture = TestPicture.noise(other, Self.size)
        let misread = TestPicture(format: one, size: Self.size) { letter, x, y in
            picture.value(letter == "U" ? "V" : letter == "V" ? "U" : letter, x, y)
        }
        // The bytes of one format under the name of the other.
        #expect(misread.planes == picture.planes)
        let expected = try drawn(VideoFrame(picture.buffer(), attributes: FrameAttributes(colorSpace: Self.space)))
        let wrong = try VideoFrame(misread.buffer(), attributes: FrameAttributes(colorSpace: Self.space))
        #expect(Self.difference(try drawn(wrong, ColorOverride(swapsChroma: true)), expected) < 0.001)
        #expect(Self.difference(try drawn(wrong), expected) > 20)
    }

    /// The largest one of any component, in code values; sums in another order differ in their last bits.
    private static func difference(_ one: FloatPicture, _ other: FloatPicture) -> Double {
        zip(one, other).flatMap { zip($0, $1).map { abs($0 - $1) * 255 } }.max() ?? .infinity
    }
}
