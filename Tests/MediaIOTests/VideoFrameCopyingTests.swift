import MediaIO
import TestSupport
import Testing

/// Raw memory becomes a frame by one checked copy.
struct VideoFrameCopyingTests {
    static let size = VideoSize(width: 3, height: 2)

    @Test(arguments: [PixelFormat.i420, .nv12, .rgba32, .gray8]) func packedMemoryIsCopied(_ format: PixelFormat) throws
    {
        let bytes = (0..<format.packedByteCount(Self.size)).map { UInt8(truncatingIfNeeded: $0 + 1) }
        let attributes = FrameAttributes(rotation: .clockwise90)
        let frame = try VideoFrame(
            copying: bytes.span.bytes, format: format, size: Self.size, attributes: attributes,
            presentationTime: .seconds(1))
        #expect(frame.planes.packedBytes == bytes)
        #expect(frame.planes.format == format && frame.planes.size == Self.size)
        #expect(frame.attributes == attributes && frame.presentationTime == .seconds(1))
    }

    @Test func stridesAreTakenAndThePoolIsUsed() throws {
        let pool = PixelBufferPool()
        // Y has 3 samples and 2 bytes of padding a row, Cb and Cr have 2 and 1; the last padding is missing.
        let bytes: [UInt8] = [1, 2, 3, 0, 0, 4, 5, 6, 0, 0, 7, 8, 0, 9, 10]
        var objects: Set<ObjectIdentifier> = []
        for _ in 0..<5 {
            let frame = try VideoFrame(
                copying: bytes.span.bytes, format: .i420, size: Self.size, bytesPerRow: [5, 3, 3], pool: pool)
            #expect(frame.planes.packedBytes == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
            objects.insert(ObjectIdentifier(frame.planes))
        }
        #expect(objects.count == 1)
    }

    @Test(
        arguments: [
            (
                "one byte is missing", 9, VideoSize(width: 3, height: 2), nil, StreamError.Code.tooShort,
                "plane 2, but 9"
            ),
            ("nothing", 0, VideoSize(width: 3, height: 2), nil, .tooShort, "0 were given"),
            ("too narrow", 99, VideoSize(width: 3, height: 2), [3, 1, 2], .bytesPerRow, "Plane 1 of i420 3x2"),
            ("bottom-up", 99, VideoSize(width: 3, height: 2), [-3, 2, 2], .bytesPerRow, "-3 were given"),
            ("far too wide", 99, VideoSize(width: 3, height: 2), [.max, 2, 2], .bytesPerRow, "3"),
            ("two strides", 99, VideoSize(width: 3, height: 2), [3, 2], .planeCount, "2 were given"),
            ("no width", 99, VideoSize(width: 0, height: 2), nil, .sizeOutOfRange, "0x2"),
        ] as [(String, Int, VideoSize, [Int]?, StreamError.Code, String)]) func whatDoesNotFitIsRefused(
            _ name: String, _ length: Int, _ size: VideoSize, _ strides: [Int]?, _ code: StreamError.Code,
            _ words: String
        )
    {
        let bytes = [UInt8](repeating: 1, count: length)
        let error = #expect(throws: StreamError.self) {
            try VideoFrame(copying: bytes.span.bytes, format: .i420, size: size, bytesPerRow: strides)
        }
        #expect(error?.code == code)
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }
}
