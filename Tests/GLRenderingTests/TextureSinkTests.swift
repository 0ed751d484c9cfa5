import FrameConversion
import Glibc
import HeadlessGL
import MediaConformance
import MediaEngine
import MediaIO
import TestSupport
import Testing
import VideoWall
import VitrailGL

@testable import GLRendering

/// A sink that asks for textures gets them, whatever the source delivers.
@Suite(.renderTurn) struct TextureSinkTests {
    /// Keeps what it gets.
    final class Collector: VideoSink {
        let bufferKind: BufferKind? = .texture
        let pixelFormats: [PixelFormat]
        let frames = Monitor<[VideoFrame]>([])
        /// The context that was current at the last call.
        let context = Monitor<UInt?>(nil)

        init(_ formats: [PixelFormat] = []) { pixelFormats = formats }

        func consume(_ frame: VideoFrame) {
            context.withLock { $0 = currentContext() }
            frames.withLock { $0.append(frame) }
        }

        func takeFrame() -> VideoFrame? { frames.withLock { $0.popLast() } }
    }

    private let wall: TestWall
    private var group: ShareGroup { wall.context.shareGroup }

    init() throws { wall = try TestWall(with: .gl) }

    private static let formats: [PixelFormat] = [.i420, .nv12, .yuyv, .p010, .bgra32, .rgb24, .gray8, .v210]

    @Test(arguments: formats) func picturesInSRGB(_ format: PixelFormat) throws {
        let collector = Collector()
        let sink = TextureSink(collector, in: group)
        try sink.initialize()
        defer { sink.dispose() }
        for size in [VideoSize(width: 36, height: 22), VideoSize(width: 18, height: 23)] {
            var frame = VideoFrame(try SamplePicture.random(format, size).buffer(padding: 3))
            frame.attributes.crop = Rectangle(x: 2, y: 3, width: 14, height: 17)
            frame.attributes.rotation = .clockwise270
            frame.attributes.mirror = .horizontal
            frame.presentationTime = .seconds(7)
            sink.consume(frame)
            let made = try #require(collector.takeFrame())
            #expect(made.image.format == .rgba32 && made.image.isOf(.texture) && made.image.size == size)
            #expect(made.attributes.rotation == .clockwise270 && made.presentationTime == .seconds(7))
            #expect(made.attributes.crop == frame.attributes.crop && made.attributes.mirror == .horizontal)
            // Enlarged chroma is smooth, so compare what needs no filter: the whole frame as it lies in memory.
            var (plain, expected) = (made, frame)
            (plain.attributes, expected.attributes) = (FrameAttributes(), FrameAttributes())
            let difference = try wall.picture(of: plain, size).largestDifference(
                from: wall.picture(of: expected, size, filter: .automatic))
            #expect(difference.value <= 1, "\(difference)")
        }
        #expect(sink.statistics == ConversionStatistics(converted: 2))
    }

    @Test(arguments: [PixelFormat.i420, .nv12, .p010]) func planes(_ format: PixelFormat) throws {
        let collector = Collector([format])
        let sink = TextureSink(collector, in: group)
        #expect(sink.pixelFormats == [format] && sink.bufferKind == nil)
        try sink.initialize()
        defer { sink.dispose() }
        let size = VideoSize(width: 35, height: 23)
        for padding in [0, 5] {
            let frame = VideoFrame(try SamplePicture.random(format, size).buffer(padding: padding))
            sink.consume(frame)
            let made = try #require(collector.takeFrame())
            #expect(made.image.format == format && made.image.isOf(.texture))
            #expect(try wall.picture(of: made, size) == wall.picture(of: frame, size))
        }
    }

    @Test func texturesGoRound() throws {
        let collector = Collector()
        let sink = TextureSink(collector, in: group)
        try sink.initialize()
        let frame = VideoFrame(try SamplePicture.random(.nv12, VideoSize(width: 16, height: 8)).buffer())
        for _ in 0..<6 { sink.consume(frame) }
        #expect(collector.frames.withLock { $0.count } == 4 && sink.statistics.dropped == 2)
        #expect(sink.statistics.problem?.contains("must release frames") == true)
        for _ in 0..<20 {
            _ = collector.takeFrame()
            sink.consume(frame)
        }
        #expect(sink.statistics == ConversionStatistics(converted: 24, dropped: 2))
        // Textures pass as they came.
        let made = try #require(collector.takeFrame())
        sink.consume(made)
        #expect(collector.takeFrame()?.image.isOf(.texture) == true && sink.statistics.passed == 1)
        sink.dispose()
        // Textures that are in use outlive the sink, and may be released on any thread.
        let size = VideoSize(width: 16, height: 8)
        let expected = try wall.picture(of: frame, size, filter: .automatic)
        #expect(try wall.picture(of: made, size).largestDifference(from: expected).value <= 1)
        try SystemThread(for: "the test") { collector.frames.withLock { $0 = [] } }.join()
    }

    @Test func theContextThatWasCurrentIsAgain() throws {
        let collector = Collector()
        let sink = TextureSink(collector, in: group)
        let frame = VideoFrame(try SamplePicture.random(.nv12, VideoSize(width: 16, height: 8)).buffer())
        let host = try HeadlessContext.forTests()
        let current = currentContext()
        #expect(current != nil)
        try sink.initialize()
        #expect(currentContext() == current)
        sink.consume(frame)
        #expect(currentContext() == current && collector.context.withLock { $0 } == current)
        // None is fine, too.
        let seen = Monitor<[UInt?]>([])
        try SystemThread(for: "the test") {
            sink.consume(frame)
            let now = currentContext()
            seen.withLock { $0.append(now) }
        }.join()
        #expect(seen.withLock { $0 } == [nil] && collector.frames.withLock { $0.count } == 2)
        sink.dispose()
        #expect(currentContext() == current)
        withExtendedLifetime(host) {}
    }

    @Test func anEngineHandsTexturesOver() throws {
        let engine = VideoEngine(textures: group)
        defer { engine.dispose() }
        let collector = Collector()
        try engine.setLocalVideoRenderer(collector)
        let source = PushSource(name: "door")
        try engine.setVideoSource(source)
        try engine.startPreview()
        let frame = VideoFrame(try SamplePicture.random(.i420, VideoSize(width: 16, height: 8)).buffer())
        #expect(source.push(frame) == .delivered)
        #expect(collector.takeFrame()?.image.isOf(.texture) == true)
        #expect(engine.channel().statistics(of: collector) == ConversionStatistics(converted: 1))
    }

    /// The other way: textures for a sink that asks for memory.
    @Test(arguments: TextureFrameTests.formats) func texturesAreReadBack(_ format: PixelFormat) throws {
        let producer = try TextureProducer(group)
        let reader = group.makeTextureReader()
        for size in [
            VideoSize(width: 34, height: 22), VideoSize(width: 35, height: 23), VideoSize(width: 1, height: 1),
        ] {
            let frame = VideoFrame(try SamplePicture.random(format, size).buffer())
            guard case .texture(let image) = try producer.frame(frame).image else {
                Issue.record("The producer makes textures.")
                return
            }
            let buffer = try reader.read(image)
            #expect(buffer.format == format && buffer.size == size)
            #expect(try wall.picture(of: VideoFrame(buffer), size) == wall.picture(of: frame, size), "\(size)")
        }
        #expect(producer.returned == 3)
    }

    /// ZEGO's way: textures are captured, and rendered as BGRA or I420.
    @Test(arguments: [PixelFormat.rgba32, .nv12], [PixelFormat.bgra32, .i420, nil])
    func anEngineReadsTexturesForASinkOfMemory(_ captured: PixelFormat, _ wanted: PixelFormat?) throws {
        let engine = VideoEngine(textures: group)
        defer { engine.dispose() }
        let frames = Monitor<[VideoFrame]>([])
        let sink = FrameHandler(bufferKind: .rawData, pixelFormats: wanted.map { [$0] } ?? []) { frame in
            frames.withLock { $0.append(frame) }
        }
        try engine.setLocalVideoRenderer(sink)
        let capture = try engine.channel().enableCustomCapture(.texture)
        try engine.startPreview()
        let producer = try TextureProducer(group)
        let current = currentContext()
        let frame = VideoFrame(
            try SamplePicture.random(captured, VideoSize(width: 35, height: 23)).buffer(),
            attributes: FrameAttributes(rotation: .clockwise90))
        for _ in 0..<3 { #expect(capture.push(try producer.frame(frame)) == .delivered) }
        #expect(currentContext() == current && producer.returned == 3)
        let made = frames.withLock { $0 }
        #expect(made.count == 3 && engine.channel().statistics(of: sink) == ConversionStatistics(converted: 3))
        // The same as if it had come from memory.
        let converter = try FormatConverter(to: wanted ?? captured)
        let expected = try converter.convert(frame)
        for made in made {
            #expect(made.image.isOf(.rawData) && made.attributes.rotation == .clockwise90)
            #expect(try bytes(made) == bytes(expected))
        }
    }

    private func bytes(_ frame: VideoFrame) throws -> [[UInt8]] {
        let buffer = try frame.pixelBuffer
        return buffer.format.planes.indices.flatMap { index in
            (0..<buffer.format.planes[index].height(buffer.size)).map { row in
                buffer.withRow(row, ofPlane: index) { span in span.indices.map { span[$0] } }
            }
        }
    }

    @Test func whatCannotBeReadBackIsNamed() throws {
        let frame = VideoFrame(try SamplePicture.random(.rgba32, VideoSize(width: 16, height: 8)).buffer())
        func problem(_ frame: VideoFrame, in group: ShareGroup) throws -> String? {
            let sink = ConvertingSink(FrameHandler(bufferKind: .pixelBuffer) { _ in }, textures: group)
            sink.consume(frame)
            #expect(sink.statistics.dropped == 1)
            return sink.statistics.problem
        }
        let stranger = try TextureProducer(nil)
        #expect(try problem(stranger.frame(frame), in: group)?.contains("shares nothing with") == true)
        #expect(stranger.returned == 1)
        let own = try TextureProducer(group).frame(frame)
        #expect(try problem(own, in: ShareGroup())?.contains("Only the library") == true)
        let sink = ConvertingSink(FrameHandler(bufferKind: .pixelBuffer) { _ in })
        sink.consume(own)
        #expect(sink.statistics.problem?.contains("glReadPixels") == true)
        sink.consume(frame)
        #expect(sink.statistics == ConversionStatistics(passed: 1, dropped: 1))
    }

    @Test func theyPassTheConformanceKit() throws {
        let group = group
        try SinkConformance {
            TextureSink(FrameHandler(bufferKind: .texture) { _ in }, in: group)
        } broken: {
            TextureSink(FrameHandler(bufferKind: .texture) { _ in }, in: ShareGroup())
        }.check()
        // Textures for a sink of memory.
        let current = CurrentContext()
        let producer = Monitor(try TextureProducer(group))
        // The kit's threads use it.
        current.restore()
        let made = Monitor(0)
        let planes = VideoFrame(try SamplePicture.random(.nv12, VideoSize(width: 16, height: 8)).buffer())
        try SinkConformance {
            ConvertingSink(FrameHandler(bufferKind: .pixelBuffer, pixelFormats: [.i420]) { _ in }, textures: group)
        } frame: { _ in
            producer.withLock { producer in
                let previous = CurrentContext()
                defer { previous.restore() }
                made.withLock { $0 += 1 }
                return try? producer.frame(planes)
            }
        }.check()
        let (given, returned) = (made.withLock { $0 }, producer.withLock { $0.returned })
        #expect(given > 100)
        #expect(returned == given)
    }

    @Test func aGroupWithoutContextsIsNamed() throws {
        let sink = TextureSink(Collector(), in: ShareGroup())
        let error = #expect(throws: StreamError.self) { try sink.initialize() }
        #expect(error?.description.contains("Only the library that made this OpenGL context") == true)
    }
}

/// EGL's current context on this thread.
func currentContext() -> UInt? {
    typealias Function = @convention(c) () -> UnsafeMutableRawPointer?
    guard let address = dlsym(dlopen("libEGL.so.1", RTLD_LAZY), "eglGetCurrentContext") else { return nil }
    return unsafeBitCast(address, to: Function.self)().map { UInt(bitPattern: $0) }
}
