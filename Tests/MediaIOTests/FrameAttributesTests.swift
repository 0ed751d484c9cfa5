import MediaIO
import Testing

/// What a frame says of its pixels is one value, complete by itself.
struct FrameAttributesTests {
    static let complete = FrameAttributes(
        colorSpace: ColorSpace(matrix: .bt2020, range: .full, primaries: .bt2020, transfer: .pq),
        chromaLocation: .topLeft, rotation: .clockwise90, mirror: .vertical, pixelAspectRatio: Rational(4, 3),
        crop: Rectangle(x: 1, y: 2, width: 3, height: 4), hdrMetadata: HDRMetadata(maximumLuminance: 1000))

    @Test func aFrameKeepsThemWhole() throws {
        let buffer = try PixelBuffer(format: .i420, size: VideoSize(width: 10, height: 8)) { _ in }
        let frame = VideoFrame(buffer, attributes: Self.complete)
        #expect(frame.attributes == Self.complete)
        #expect(frame.colorSpace == ColorSpace(matrix: .bt2020, range: .full, primaries: .bt2020, transfer: .pq))
        #expect(frame.chromaLocation == .topLeft)
        #expect(frame.visibleRectangle == Self.complete.crop)
        #expect(VideoFrame(buffer).attributes == FrameAttributes())
    }

    @Test(
        arguments: [PixelFormat.i420, .rgba32, .gray8],
        [VideoSize(width: 64, height: 36), VideoSize(width: 1280, height: 2)])
    func coloursThatNobodySaysFollowFromTheFormatAndTheSize(_ format: PixelFormat, _ size: VideoSize) throws {
        let assumed = ColorSpace.unspecified(for: size, format: format)
        let frame = VideoFrame(
            try PixelBuffer(format: format, size: size) { _ in }, attributes: FrameAttributes(rotation: .clockwise180))
        #expect(frame.colorSpace == assumed)
        #expect(frame.attributes.colorTags == ColorTags())
        #expect(StreamInfo(container: "test", format: format, size: size).colorSpace == assumed)
    }
}
