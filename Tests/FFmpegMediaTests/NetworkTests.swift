import FFmpegMedia
import Foundation
import MediaIO
import Synchronization
import TestSupport
import Testing

/// Streams from a server on the loopback address, and named pipes, which wait in the same way.
@Suite(.timeLimit(.minutes(25))) struct NetworkTests {
    @Test(arguments: ["clip.ts", "clip.mkv"]) func tcpPlays(_ name: String) throws {
        let folder = try ClipFolder()
        try folder.makeClip(name, DecodingTests.h264 + ["-bf", "2"])
        let server = try LoopbackServer(.bytes(folder.bytes(name)))
        defer { server.close() }
        let reader = try MediaReader(.network(url: "tcp://127.0.0.1:\(server.port)"))
        #expect(try readAll(reader).flatMap(\.packedBytes) == (try folder.decodedBytes(name)))
        let error = try #require(try streamError { try reader.rewind() })
        #expect(error.code == .unsupported)
        #expect(try streamError { try reader.seek(to: .seconds(1)) }?.code == .unsupported)
    }

    @Test func httpPlays() throws {
        let folder = try ClipFolder()
        try folder.makeClip("clip.mp4", DecodingTests.h264 + ["-movflags", "+faststart"])
        let server = try LoopbackServer(.http(["/clip.mp4": folder.bytes("clip.mp4")]))
        defer { server.close() }
        let reader = try MediaReader(.network(url: "http://127.0.0.1:\(server.port)/clip.mp4"))
        let expected = try folder.decodedBytes("clip.mp4")
        #expect(try readAll(reader).flatMap(\.packedBytes) == expected)
        // The server cannot send a part; it is asked for the whole again.
        try reader.rewind()
        #expect(try readAll(reader).flatMap(\.packedBytes) == expected)
        try reader.seek(to: .milliseconds(200))
        #expect(try readAll(reader).flatMap(\.packedBytes) == Array(expected.suffix(expected.count / 2)))
    }

    @Test(arguments: [
        ("http", "nobody:secret@", "refused"), ("tcp", "", "refused"), ("rtsp", "nobody:secret@", "refused"),
    ])
    func refusedConnectionIsAClearError(_ scheme: String, _ user: String, _ cause: String) throws {
        let port = try LoopbackServer.unusedPort()
        let url = "\(scheme)://\(user)127.0.0.1:\(port)/x"
        let error = try #require(try streamError { _ = try MediaReader(.network(url: url)) })
        #expect(error.code == .cannotOpen)
        #expect(error.description.contains("\(scheme)://127.0.0.1:\(port)/x"))
        #expect(error.description.contains(cause), "\(error)")
        #expect(!error.description.contains("secret"))
    }

    @Test(
        "An address without a port that it needs is refused for good, and without waiting",
        arguments: ["tcp", "tls", "udp", "rtp", "srt"], ["", ":0", ":65536", "/a", "?x=:1"])
    func missingPort(_ scheme: String, _ rest: String) throws {
        let url = "\(scheme)://127.0.0.1\(rest)"
        let error = try #require(try streamError { _ = try MediaReader(.network(url: url)) })
        #expect(error.code == .unsupported && error.description.contains("\(scheme)://HOST:PORT"), "\(error)")
    }

    @Test func missingPageIsAClearError() throws {
        let server = try LoopbackServer(.http([:]))
        defer { server.close() }
        let url = "http://127.0.0.1:\(server.port)/no.mp4"
        let error = try #require(try streamError { _ = try MediaReader(.network(url: url)) })
        #expect(error.description.contains("404"), "\(error)")
    }

    @Test(
        "Each failure says what to do",
        arguments: [
            ("", "HTTP/1.0 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"a\"\r\n", "NAME:PASSWORD@HOST"),
            ("me:secret@", "HTTP/1.0 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"a\"\r\n", "does not accept"),
            ("", "HTTP/1.0 403 Forbidden\r\n", "token"), ("", "HTTP/1.0 404 Not Found\r\n", "check the path"),
            ("", "HTTP/1.0 302 Found\r\nLocation: file:///etc/passwd\r\n", "such as a file"),
            ("", "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n", "web page"),
        ])
    func failures(_ user: String, _ head: String, _ hint: String) throws {
        let server = try LoopbackServer(
            .dialogue { connection in
                var request = [UInt8](repeating: 0, count: 4096)
                _ = recv(connection, &request, request.count, 0)
                LoopbackServer.send(Array((head + "Content-Length: 9\r\n\r\n<p>no</p>").utf8), connection)
                shutdown(connection, Int32(SHUT_WR))
            })
        defer { server.close() }
        let url = "http://\(user)127.0.0.1:\(server.port)/x"
        let error = try #require(try streamError { _ = try MediaReader(.network(url: url)) })
        #expect(error.description.contains(hint) && !error.description.contains("secret"), "\(error)")
    }

    @Test func unknownNameIsAClearError() throws {
        let error = try #require(
            try streamError { _ = try MediaReader(.network(url: "http://no-such-host.invalid/x")) })
        #expect(error.description.contains("the name no-such-host.invalid is not found"), "\(error)")
    }

    @Test func schemeMayHaveCapitals() throws {
        let folder = try ClipFolder()
        let server = try LoopbackServer(RTSPCamera(folder, frames: 100).answer)
        defer { server.close() }
        let reader = try MediaReader(.network(url: "RTSP://127.0.0.1:\(server.port)/camera"))
        #expect(try reader.next() != nil)
    }

    @Test func soundAloneIsAClearError() throws {
        let folder = try ClipFolder()
        try folder.ffmpeg(["-f", "lavfi", "-i", "sine=duration=1", "-c:a", "mp2", folder.file("a.ts")])
        let server = try LoopbackServer(.http(["/a.ts": try folder.bytes("a.ts")]))
        defer { server.close() }
        let error = try #require(
            try streamError { _ = try MediaReader(.network(url: "http://127.0.0.1:\(server.port)/a.ts")) })
        #expect(error.description.contains("audio (mp2). Give the address of a stream with pictures."), "\(error)")
    }

    /// The time-out is for networks.
    @Test func pipeMayPause() throws {
        let folder = try ClipFolder()
        try folder.makeClip("clip.ts", frames: 60, DecodingTests.h264)
        let bytes = try folder.bytes("clip.ts")
        let pipe = folder.file("pipe")
        mkfifo(pipe, 0o600)
        Thread.detachNewThread {
            let writer = open(pipe, O_WRONLY)
            for part in [bytes[..<(bytes.count / 2)], bytes[(bytes.count / 2)...]] {
                _ = part.withUnsafeBytes { write(writer, $0.baseAddress, $0.count) }
                // The pause itself.
                Thread.sleep(forTimeInterval: 0.5)
            }
            close(writer)
        }
        var options = MediaReader.Options()
        options.timeout = .milliseconds(100)
        #expect(try readAll(try MediaReader(.file(path: pipe), options: options)).count == 60)
    }

    @Test(arguments: ["tcp", "http", "rtsp", "rtmp"]) func silentServerTimesOut(_ scheme: String) throws {
        let server = try LoopbackServer(.bytesThenSilence([]))
        defer { server.close() }
        var options = MediaReader.Options()
        options.timeout = .milliseconds(200)
        let error = try #require(
            try streamError {
                _ = try MediaReader(.network(url: "\(scheme)://127.0.0.1:\(server.port)/x"), options: options)
            })
        #expect(error.code == .readFailed)
        #expect(error.description.contains("No data came"), "\(error)")
    }

    @Test func silenceInTheMiddleTimesOut() throws {
        let folder = try ClipFolder()
        try folder.makeClip("clip.ts", frames: 60, DecodingTests.h264)
        let server = try LoopbackServer(.bytesThenSilence(folder.bytes("clip.ts")))
        defer { server.close() }
        var options = MediaReader.Options()
        options.timeout = .milliseconds(300)
        let reader = try MediaReader(.network(url: "tcp://127.0.0.1:\(server.port)"), options: options)
        var count = 0
        let error = try #require(try streamError { while try reader.next() != nil { count += 1 } })
        #expect(error.code == .readFailed)
        #expect(error.description.contains("No data came"), "\(error)")
        #expect(count >= 50)
    }

    /// FFmpeg's parser keeps the last picture back until it is whole; when the wait has ended, it would come as a new one.
    @Test func silenceIsAsLongAsItWas() throws {
        let folder = try ClipFolder()
        try folder.makeClip("clip.ts", frames: 60, DecodingTests.h264)
        let server = try LoopbackServer(.bytesThenSilence(folder.bytes("clip.ts")))
        defer { server.close() }
        var options = MediaReader.Options()
        options.timeout = .milliseconds(300)
        let reader = try MediaPacketReader(.network(url: "tcp://127.0.0.1:\(server.port)"), options: options)
        var (last, count) = (Duration.zero, 0)
        let error = try streamError {
            while let packet = try reader.next() { (last, count) = (packet.timing.arrival ?? .zero, count + 1) }
        }
        #expect(error != nil && last > .zero)
        #expect(MonotonicTime.now.sinceBoot - last >= .milliseconds(300))
        #expect(count >= 58)
    }

    @Test func otherDataIsNoSilence() throws {
        let folder = try ClipFolder()
        try folder.makeClip("clip.ts", frames: 60, DecodingTests.h264)
        let bytes = try folder.bytes("clip.ts")
        // Packets that are padding.
        let padding = [0x47, 0x1F, 0xFF, 0x10] + [UInt8](repeating: 0xFF, count: 184)
        let server = try LoopbackServer(
            .dialogue { connection in
                LoopbackServer.send(bytes, connection)
                while LoopbackServer.send(padding, connection) { usleep(10_000) }
            })
        defer { server.close() }
        var options = MediaReader.Options()
        options.timeout = .milliseconds(300)
        let reader = try MediaReader(.network(url: "tcp://127.0.0.1:\(server.port)"), options: options)
        let error = try #require(try streamError { while try reader.next() != nil {} })
        #expect(error.description.contains("sends data, but no picture for 0.3 seconds"), "\(error)")
    }

    /// The library ends a silent RTSP stream with one more packet; the time-out begins only once for all that.
    @Test func silenceOfACameraTimesOutOnce() throws {
        let folder = try ClipFolder()
        let server = try LoopbackServer(RTSPCamera(folder, frames: 100).answer)
        defer { server.close() }
        var options = MediaReader.Options()
        options.timeout = .seconds(4)
        let reader = try MediaReader(.network(url: "rtsp://127.0.0.1:\(server.port)/camera"), options: options)
        #expect(reader.info.isLive)
        var (count, last) = (0, ContinuousClock.now)
        let error = try #require(
            try streamError {
                while try reader.next() != nil {
                    // What comes after the time-out is what the library kept back.
                    if count < 98 { last = .now }
                    count += 1
                }
            })
        #expect(error.code == .readFailed)
        #expect(error.description.contains("No data came"), "\(error)")
        #expect(count >= 98)
        #expect(ContinuousClock.now - last < .milliseconds(7500))
    }

    /// The time-out is a day: only the cancellation can end the wait.
    @Test(arguments: ["tcp", "http", "rtsp", "rtmp"]) func cancellationEndsOpening(_ scheme: String) throws {
        let server = try LoopbackServer(.bytesThenSilence([]))
        defer { server.close() }
        let cancellation = ReadCancellation()
        Thread.detachNewThread {
            server.waitForConnection()
            cancellation.cancel()
        }
        let error = try #require(
            try streamError {
                _ = try MediaReader(
                    .network(url: "\(scheme)://127.0.0.1:\(server.port)/x"), options: Self.patient,
                    cancellation: cancellation)
            })
        #expect(error.description.contains("cancelled"), "\(error)")
    }

    @Test func disposingASourceEndsItsRead() throws {
        let folder = try ClipFolder()
        try folder.makeClip("clip.ts", frames: 60, DecodingTests.h264)
        let server = try LoopbackServer(.bytesThenSilence(folder.bytes("clip.ts")))
        defer { server.close() }
        let location = MediaLocation("tcp://127.0.0.1:\(server.port)")
        let cancellation = ReadCancellation()
        let arrived = DispatchSemaphore(value: 0)
        let mailbox = FrameMailbox { arrived.signal() }
        let source = PacedSource(name: "silent", cancellation: cancellation) {
            () throws(StreamError) -> any FrameReader in
            try MediaReader(location, options: Self.patient, cancellation: cancellation)
        }
        let stream = VideoStream(source: source, sinks: [mailbox])
        try stream.initialize()
        try stream.start()
        // The last frames stay in the decoder, so these are not the last.
        for _ in 0..<3 { arrived.wait() }
        #expect(mailbox.take() != nil)
        stream.stop()
        stream.dispose()
        #expect(stream.state == .disposed)
    }

    @Test func sourcePlaysAFileToItsEnd() throws {
        let folder = try ClipFolder()
        try folder.makeClip("clip.mp4", DecodingTests.h264)
        let location = folder.location("clip.mp4")
        let changed = DispatchSemaphore(value: 0)
        let mailbox = FrameMailbox { changed.signal() }
        let source = PacedSource(name: "clip") { try MediaReader(location) }
        let stream = VideoStream(source: source, sinks: [mailbox])
        try stream.initialize()
        try stream.start()
        while mailbox.condition != .ended { changed.wait() }
        #expect(mailbox.statistics.received == 10)
        let last = try #require(mailbox.take())
        #expect(last.time == .milliseconds(360))
        stream.dispose()
        #expect(last.packedBytes == (try folder.decodedBytes("clip.mp4")).suffix(64 * 48 * 3 / 2))
    }

    @Test func namedPipePlays() throws {
        let folder = try ClipFolder()
        try folder.makeClip("clip.ts", DecodingTests.h264)
        let bytes = try folder.bytes("clip.ts")
        let pipe = folder.file("pipe")
        mkfifo(pipe, 0o600)
        Thread.detachNewThread {
            let writer = open(pipe, O_WRONLY)
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { write(writer, $0.baseAddress, $0.count) }
                guard count > 0 else { break }
                rest = rest.dropFirst(count)
            }
            close(writer)
        }
        let reader = try MediaReader(.file(path: pipe), options: Self.patient)
        #expect(try readAll(reader).flatMap(\.packedBytes) == (try folder.decodedBytes("clip.ts")))
        #expect(try streamError { try reader.rewind() }?.code == .unsupported)
    }

    @Test func pipeThatNobodyWritesToCanBeCancelled() throws {
        let folder = try ClipFolder()
        mkfifo(folder.file("pipe"), 0o600)
        let cancellation = ReadCancellation()
        cancellation.cancel()
        let error = try streamError {
            _ = try MediaReader(folder.location("pipe"), options: Self.patient, cancellation: cancellation)
        }
        #expect(error?.description.contains("cancelled") == true)
    }

    @Test(arguments: [
        ("a/b.mp4", MediaLocation.file(path: "a/b.mp4")), ("http:x", .file(path: "http:x")),
        ("RTSP://h/x", .network(url: "RTSP://h/x")), ("file:///etc/passwd", .file(path: "file:///etc/passwd")),
        ("", .file(path: "")), ("concat:a|b", .file(path: "concat:a|b")), ("udp://@:1", .network(url: "udp://@:1")),
    ])
    func locationIsReadFromText(_ text: String, _ expected: MediaLocation) {
        #expect(MediaLocation(text) == expected)
    }

    private static var patient: MediaReader.Options {
        var options = MediaReader.Options()
        options.timeout = .seconds(86_400)
        return options
    }
}
