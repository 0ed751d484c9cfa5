import FFmpegMedia
import Foundation
import MediaIO
import TestSupport
import Testing

/// A stream is lost, and what answers next is not what it was: each case has its reason, and the way back.
@Suite(.timeLimit(.minutes(25))) struct ReturningStreamTests {
    /// What a server answers to a second connection.
    struct Answer: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The head of the answer.
        var head = "HTTP/1.0 200 OK\r\nConnection: close\r\nContent-Type: video/MP2T\r\n\r\n"
        /// How its body is encoded, and in which container; `nil` for none.
        var body: [String]?
        var container = "ts"
        var size = "64x48"
        /// Words of the reason; `nil` if there are pictures again.
        var reason: String?
    }

    private static let h264 = ["-c:v", "libx264", "-g", "5", "-pix_fmt", "yuv420p"]

    static let answers = [
        Answer(testDescription: "404", head: "HTTP/1.0 404 Not Found\r\n\r\n", reason: "does not exist on the server"),
        Answer(testDescription: "403", head: "HTTP/1.0 403 Forbidden\r\n\r\n", reason: "may not be opened"),
        Answer(testDescription: "busy", head: "HTTP/1.0 503 Service Unavailable\r\n\r\n", reason: "busy"),
        Answer(testDescription: "too many", head: "HTTP/1.0 429 Too Many Requests\r\n\r\n", reason: "busy"),
        Answer(
            testDescription: "a web page",
            head: "HTTP/1.0 200 OK\r\nConnection: close\r\nContent-Type: text/html\r\n\r\n<html></html>",
            reason: "not of a web page"),
        Answer(
            testDescription: "another protocol", head: "SSH-2.0-OpenSSH_9.2\r\n", reason: "check the protocol"),
        Answer(testDescription: "nothing", head: "", reason: "No data came"),
        Answer(testDescription: "sound only", body: ["-vn", "-c:a", "mp2"], reason: "has no video stream"),
        Answer(testDescription: "another codec", body: ["-an", "-c:v", "mpeg2video"]),
        Answer(testDescription: "another size", body: ["-an"] + h264, size: "96x80"),
        Answer(
            testDescription: "another container and time base", body: ["-an", "-live", "1"] + h264, container: "mkv"),
        Answer(testDescription: "sound beside the video", body: h264 + ["-c:a", "mp2"]),
    ]

    @Test(arguments: answers) func comesBack(_ answer: Answer) throws {
        let folder = try ClipFolder()
        func clip(_ name: String, _ size: String, _ arguments: [String]) throws -> [UInt8] {
            try folder.ffmpeg(
                ["-f", "lavfi", "-i", "testsrc2=size=\(size):rate=25", "-f", "lavfi", "-i", "sine"]
                    + ["-t", "2", "-shortest"] + taggingPictures(arguments) + [folder.file(name)])
            return try folder.bytes(name)
        }
        let good =
            Array("HTTP/1.0 200 OK\r\nConnection: close\r\nContent-Type: video/MP2T\r\n\r\n".utf8)
            + (try clip("good.ts", "64x48", ["-an"] + Self.h264))
        var other = Array(answer.head.utf8)
        if let body = answer.body { other += try clip("other.\(answer.container)", answer.size, body) }
        let (bytes, isSilent) = (other, answer.head.isEmpty)
        let count = Monitor(0)
        let server = try LoopbackServer(
            .dialogue { connection in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                var request = [UInt8](repeating: 0, count: 4096)
                _ = recv(connection, &request, request.count, 0)
                LoopbackServer.send(number == 2 ? bytes : good, connection)
                if number == 2, isSilent { _ = recv(connection, &request, request.count, 0) }
                shutdown(connection, Int32(SHUT_RDWR))
            })
        defer { server.close() }
        let sizes = Monitor<[VideoSize]>([])
        let watcher = LiveTests.Watcher()
        let sink = FrameHandler(onCondition: watcher.sourceDidChange) { frame in
            sizes.withLock { $0.append(frame.image.size) }
            watcher.consume(frame)
        }
        let stream = VideoStream(
            source: LiveTests.source(.network(url: "http://127.0.0.1:\(server.port)/"), .seconds(2)), sinks: [sink])
        try stream.initialize()
        try stream.start()
        defer { stream.dispose() }
        try #require(watcher.wait { $0.frames >= 20 })
        if let reason = answer.reason {
            #expect(
                watcher.wait { $0.conditions.contains { LiveTests.isWaiting($0, reason) } }, "\(watcher.conditions)")
            let told = watcher.conditions.count
            #expect(watcher.wait { $0.conditions.dropFirst(told).contains(.live) }, "\(watcher.conditions)")
        } else {
            let size = try #require(VideoSize(answer.size))
            #expect(
                watcher.wait { content in
                    content.conditions.count { $0 == .live } >= 2 && sizes.withLock { $0.contains(size) }
                }, "\(watcher.conditions)")
        }
        #expect(!watcher.conditions.contains { if case .failed = $0 { true } else { $0 == .ended } })
    }
}
