import FFmpegMedia
import Glibc
import MediaIO
import TestSupport
import Testing

@testable import VideoWall
@testable import vitrail

/// Tiles of the same address share its connection; each has its own options.
@Suite(.timeLimit(.minutes(25))) struct SharedConnectionTests {
    @Test("What options change in the picture does not make another connection; what is asked of the sender does")
    func connections() throws {
        func connection(_ text: String) throws -> InputSpecification.Connection? {
            try InputSpecification(text).connection
        }
        let plain = try connection("rtsp://door/1")
        #expect(plain != nil)
        #expect(try connection("rtsp://door/1#rotate=90&label=x&effect=grayscale&crop=8x8+0+0&content=fill") == plain)
        #expect(try connection("rtsp://door/2") != plain)
        #expect(try connection("rtsp://door/1?subtype=1") != plain)
        #expect(try connection("rtsp://door/1#latency=0") != plain)
        #expect(try connection("camera:C920?size=640x480") != connection("camera:C920"))
        #expect(try connection("camera:C920?mirror=horizontal") == connection("camera:C920"))
        // A file is played for each tile.
        #expect(try connection("a.mp4") == nil && connection("test:bars") == nil)
    }

    @Test("A crop that does not fit is the failure of its tile only, even of the first one of a stored stream")
    func crops() throws {
        let server = try LoopbackServer(.http(["/a.y4m": Clips.y4m(frames: 10, width: 32, height: 16)]))
        defer { server.close() }
        let address = "http://127.0.0.1:\(server.port)/a.y4m"
        let (first, second) = (FrameMailbox(), FrameMailbox())
        let stream = ViewerStream(
            try InputSpecification("\(address)#crop=64x64+0+0&loop=yes"), [first], limit: 4096,
            SharedDecoding(slots: DecodingSlots()),
            LineLogHandler.logger())
        stream.open()
        stream.add(second, try InputSpecification("\(address)#loop=yes"))
        while second.statistics.received == 0 { usleep(1000) }
        guard case .failed(let reason, _) = first.condition else { throw StreamError(.malformed, "\(first.condition)") }
        #expect(reason.contains("does not fit"), "\(reason)")
        stream.close()
    }

    @Test("A tile that joins gets the pictures with its own options, also when the first one has gone")
    func tiles() throws {
        let clip = Clips.y4m(frames: 2, width: 32, height: 16)
        let frame = Array(clip.suffix((clip.count - Clips.y4m(frames: 0, width: 32, height: 16).count) / 2))
        let isOver = Monitor(false)
        let server = try LoopbackServer(
            .dialogue { connection in
                // As a camera sends: one picture after the other, for as long as the test takes.
                LoopbackServer.send(clip, connection)
                while !isOver.withLock({ $0 }) {
                    usleep(10_000)
                    LoopbackServer.send(frame, connection)
                }
            })
        defer {
            isOver.withLock { $0 = true }
            server.close()
        }
        let address = "tcp://127.0.0.1:\(server.port)"
        let (first, second, third) = (FrameMailbox(), FrameMailbox(), FrameMailbox())
        let stream = ViewerStream(
            try InputSpecification(address), [first], limit: 4096, SharedDecoding(slots: DecodingSlots()),
            LineLogHandler.logger())
        stream.open()
        while first.statistics.received == 0 { usleep(1000) }
        stream.add(second, try InputSpecification("\(address)#rotate=90"))
        while second.statistics.received == 0 { usleep(1000) }
        #expect(first.take()?.attributes.rotation == .upright)
        #expect(second.take()?.attributes.rotation == .clockwise90)
        // One whose options do not fit says so, and the others go on.
        stream.add(third, try InputSpecification("\(address)#crop=64x64+0+0"))
        while third.condition == FrameMailbox().condition { usleep(1000) }
        guard case .failed(let reason, _) = third.condition else { throw StreamError(.malformed, "\(third.condition)") }
        #expect(reason.contains("does not fit"), "\(reason)")
        stream.remove(first)
        // It is cleared when its stream has left it.
        while first.condition != FrameMailbox().condition { usleep(1000) }
        let count = second.statistics.received
        while second.statistics.received < count + 3 { usleep(1000) }
        #expect(server.connectionCount == 1 && stream.hasFailed && stream.hasDelivered)
        stream.close()
    }
}
