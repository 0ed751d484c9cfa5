import MediaEngine
import MediaIO
import TestSupport
import Testing

/// A sink gets what it asks for and nothing else.
struct ConvertingSinkTests {
    static let size = VideoSize(width: 5, height: 3)
    static let sdkFormats: [PixelFormat] = [
        .i420, .nv12, .nv21, .i422, .bgra32, .rgba32, .argb32, .abgr32, .bgr24, .rgb24, .yuyv, .uyvy,
    ]

    /// Planes in memory of their own each, which are not one piece.
    static func scattered(_ format: PixelFormat) throws -> VideoFrame {
        let planes = format.planes.map { plane in
            let bytes = UnsafeMutableRawBufferPointer.allocate(
                byteCount: plane.byteCount(size, bytesPerRow: plane.rowBytes(size) + 7), alignment: 64)
            bytes.initializeMemory(as: UInt8.self, repeating: 100)
            return PixelBuffer.Plane(bytes: UnsafeRawBufferPointer(bytes), bytesPerRow: plane.rowBytes(size) + 7)
        }
        let buffer = try PixelBuffer(lending: planes, format: format, size: size) {
            for plane in planes { plane.bytes.deallocate() }
        }
        return VideoFrame(buffer, attributes: FrameAttributes(rotation: .clockwise90), presentationTime: .seconds(1))
    }

    @Test(arguments: sdkFormats, [BufferKind.rawData, .pixelBuffer]) func askedForFormatsAreDelivered(
        _ format: PixelFormat, _ kind: BufferKind
    ) throws {
        let sink = RecordingSink(kind, [format])
        let converting = ConvertingSink(sink)
        for source in Self.sdkFormats + [.p010, .gray8] { converting.consume(try Self.scattered(source)) }
        #expect(sink.frames.count == Self.sdkFormats.count + 2)
        for frame in sink.frames {
            #expect(frame.image.isOf(kind) && frame.image.format == format && frame.image.size == Self.size)
            #expect(frame.attributes.rotation == .clockwise90 && frame.presentationTime == .seconds(1))
            if kind == .rawData {
                #expect(try frame.pixelBuffer.withRawFrame { $0.layout.byteCount <= $0.bytes.count } == true)
            }
        }
        let statistics = converting.statistics
        // One has the format already; it is one piece if it has one plane.
        let isRight = kind == .pixelBuffer || format.planes.count == 1
        #expect(statistics.passed == (isRight ? 1 : 0))
        #expect(statistics.converted == sink.frames.count - statistics.passed)
        #expect(statistics.dropped == 0 && statistics.problem == nil)
    }

    /// One that asks for nothing in particular gets the same object.
    @Test func whatIsRightIsPassedOn() throws {
        let frame = try Self.scattered(.nv12)
        for sink in [RecordingSink(), RecordingSink(.pixelBuffer), RecordingSink(nil, [.i420, .nv12])] {
            let converting = ConvertingSink(sink)
            converting.consume(frame)
            #expect(try sink.frames.first?.pixelBuffer === frame.pixelBuffer)
            #expect(converting.statistics.passed == 1)
        }
    }

    /// The best format is the first one.
    @Test func theFirstFormatIsConvertedTo() throws {
        let sink = RecordingSink(nil, [.bgra32, .i420])
        ConvertingSink(sink).consume(try Self.scattered(.nv12))
        #expect(sink.frames.first?.image.format == .bgra32)
    }

    @Test func whatCannotBeConvertedIsDroppedAndExplained() throws {
        let texture = try TextureImage(
            names: [1], format: .rgba32, size: Self.size, fence: nil,
            shareGroup: ObjectIdentifier(PixelBufferPool()), release: {})
        let cases: [(RecordingSink, VideoFrame, String)] = [
            (RecordingSink(.pixelBuffer), VideoFrame(.texture(texture)), "texture"),
            (RecordingSink(.texture), try Self.scattered(.i420), "pixel buffers"),
            (RecordingSink(nil, [.v210]), try Self.scattered(.i420), "v210"),
        ]
        for (sink, frame, words) in cases {
            let converting = ConvertingSink(sink)
            converting.consume(frame)
            #expect(sink.frames.isEmpty)
            #expect(converting.statistics.dropped == 1)
            #expect(converting.statistics.problem?.contains(words) == true, "\(converting.statistics.problem ?? "")")
        }
        // Textures reach a sink that takes them.
        let sink = RecordingSink(.texture)
        ConvertingSink(sink).consume(VideoFrame(.texture(texture)))
        #expect(sink.frames.count == 1)
    }

    @Test func stepsArePassedOn() throws {
        let sink = RecordingSink()
        let converting = ConvertingSink(sink)
        try converting.initialize()
        try converting.start()
        converting.sourceDidChange(.ended)
        converting.stop()
        converting.dispose()
        #expect(sink.steps == ["initialize", "start", "stop", "dispose"])
        #expect(sink.conditions == [.ended])
    }
}
