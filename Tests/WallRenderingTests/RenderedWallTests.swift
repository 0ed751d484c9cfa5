import Glibc
import MediaConformance
import MediaIO
import TestSupport
import Testing
import VideoWall
import WallRendering

/// A wall that is a source of frames.
@Suite(.timeLimit(.minutes(25))) struct RenderedWallTests {
    /// Keeps what arrives, until a test has seen enough.
    final class Sink: VideoSink {
        private let content = Monitor<(frames: [VideoFrame], conditions: [SourceCondition])>(([], []))

        func consume(_ frame: VideoFrame) { content.change { $0.frames.append(frame) } }
        func sourceDidChange(_ condition: SourceCondition) { content.change { $0.conditions.append(condition) } }

        var frames: [VideoFrame] { content.withLock { $0.frames } }

        /// Waits until a frame is as it should be.
        func awaitFrame(_ isRight: @escaping (VideoFrame) -> Bool) -> VideoFrame? {
            content.wait(until: .now + .seconds(60)) { $0.frames.last.flatMap { isRight($0) ? $0 : nil } }
        }
    }

    private static let size = VideoSize(width: 64, height: 36)

    private static func gray(_ level: UInt8) throws -> VideoFrame {
        let size = VideoSize(width: 8, height: 8)
        var frame = VideoFrame(
            try PixelBuffer(format: .gray8, size: size) { planes in planes.withPlane(0) { $0.update(repeating: level) }
            })
        frame.attributes.colorTags.range = .full
        return frame
    }

    private static func samples(_ frame: VideoFrame, _ row: Int = 18) -> [UInt8] {
        (try? frame.pixelBuffer.withRow(row, ofPlane: 0) { bytes in bytes.indices.map { bytes[$0] } }) ?? []
    }

    @Test func theWallIsDrawn() throws {
        let mailbox = FrameMailbox()
        let rendered = RenderedWall(size: Self.size, rate: Rational(200), renderer: .cpu) {
            let wall = Wall()
            wall.addTile(named: "door", mailbox: mailbox).contentMode = .stretch
            return wall
        }
        let sink = Sink()
        let stream = VideoStream(source: rendered, sinks: [sink])
        try stream.initialize()
        try stream.start()
        mailbox.put(try Self.gray(77))
        let first = try #require(sink.awaitFrame { Self.samples($0).first == 77 })
        #expect(first.image.format == .rgba32 && first.image.size == Self.size)
        #expect(Self.samples(first) == (0..<64).flatMap { _ in [UInt8](arrayLiteral: 77, 77, 77, 255) })
        mailbox.put(try Self.gray(200))
        #expect(sink.awaitFrame { Self.samples($0).first == 200 } != nil)
        // The wall is changed on the thread that draws it.
        rendered.change { wall in wall.tiles[0].mirror = .horizontal }
        rendered.change { wall in wall.remove(wall.tiles[0]) }
        #expect(sink.awaitFrame { Self.samples($0).first == 0 } != nil)
        // Times increase, and go on after a pause.
        stream.stop()
        let count = sink.frames.count
        try stream.start()
        while sink.frames.count < count + 3 { usleep(1000) }
        stream.dispose()
        let times = sink.frames.compactMap(\.presentationTime)
        #expect(times.first == .zero && times.count == sink.frames.count)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    }

    /// A wall that does not change is delivered at each tick, but neither drawn nor read back again.
    @Test func whatHasNotChangedIsDeliveredAgain() throws {
        let rendered = RenderedWall(size: Self.size, rate: Rational(500), format: .i420, renderer: .cpu)
        let sink = Sink()
        let stream = VideoStream(source: rendered, sinks: [sink])
        try stream.initialize()
        try stream.start()
        while sink.frames.count < 10 { usleep(1000) }
        stream.dispose()
        let buffers = try Set(sink.frames.map { ObjectIdentifier(try $0.pixelBuffer) })
        #expect(buffers.count == 1)
        #expect(sink.frames.allSatisfy { $0.image.format == .i420 && Self.samples($0).first == 16 })
    }

    /// A sequence that is refused takes the source from nobody.
    @Test func aSequenceLeavesTheConsumer() async throws {
        let rendered = RenderedWall(size: Self.size, rate: Rational(100), renderer: .cpu)
        let sink = Sink()
        let stream = VideoStream(source: rendered, sinks: [sink])
        try stream.initialize()
        try stream.start()
        await #expect(throws: StreamError.self) { try await rendered.pictures() }
        let count = sink.frames.count
        while sink.frames.count < count + 3 { usleep(1000) }
        stream.dispose()
    }

    @Test func picturesAreASequence() async throws {
        let mailbox = FrameMailbox()
        let rendered = RenderedWall(size: Self.size, rate: Rational(100), format: .bgra32, renderer: .cpu) {
            let wall = Wall()
            wall.addTile(named: "door", mailbox: mailbox).contentMode = .stretch
            return wall
        }
        mailbox.put(try Self.gray(9))
        var count = 0
        for await picture in try await rendered.pictures() {
            #expect(Self.samples(picture).prefix(4) == [9, 9, 9, 255])
            count += 1
            if count == 5 { break }
        }
        #expect(count == 5)
    }

    @Test func picturesMayHaveTenBits() async throws {
        let mailbox = FrameMailbox()
        let rendered = RenderedWall(size: Self.size, rate: Rational(100), format: .i010, renderer: .cpu) {
            let wall = Wall()
            wall.addTile(named: "door", mailbox: mailbox).contentMode = .stretch
            return wall
        }
        mailbox.put(try Self.gray(9))
        for await picture in try await rendered.pictures() {
            let luma = try picture.pixelBuffer.withRow(0, ofPlane: 0) { Int($0[0]) | Int($0[1]) << 8 }
            // 64 to 940 for black to white.
            #expect(picture.image.format == .i010 && luma == 64 + (876 * 9 + 127) / 255)
            break
        }
    }

    @Test func whatCannotBeRenderedIsExplained() async throws {
        let wrong = [
            (
                RenderedWall(size: Self.size, rate: Rational(30), format: .nv12, renderer: .cpu),
                StreamError.Code.unsupported,
                "i420"
            ),
            (
                RenderedWall(size: VideoSize(width: 0, height: 4), rate: Rational(30), renderer: .cpu), .cannotOpen,
                "1 to 16384"
            ),
        ]
        for (rendered, code, text) in wrong {
            let error = #expect(throws: StreamError.self) { try rendered.initialize(consumer: Sink()) }
            #expect(error?.code == code && error?.description.contains(text) == true)
            await #expect(throws: StreamError.self) { _ = try await rendered.pictures() }
        }
    }

    @Test func itPassesTheConformanceKit() async throws {
        let kit = SourceConformance(
            { RenderedWall(size: VideoSize(width: 16, height: 16), rate: Rational(500), renderer: .cpu) },
            broken: { RenderedWall(size: Self.size, rate: Rational(30), format: .nv12, renderer: .cpu) })
        let violation = try await failure(onOwnThread: kit.check)
        #expect(violation == nil, "\(violation.map(String.init(describing:)) ?? "")")
    }
}
