import FFmpegMedia
import Foundation
import MediaIO
import TestSupport
import Testing

/// Lists of segments over HTTP: live ones that break off, and ones that never end.
@Suite(.timeLimit(.minutes(25)), .serialized) struct PlaylistTests {
    private static func source(_ url: String) -> LiveSource {
        LiveTests.source(.network(url: url), .seconds(1))
    }

    private static func files(_ folder: ClipFolder, end: String) throws -> [String: [UInt8]] {
        try folder.makeClip("clip.mp4", frames: 75, DecodingTests.h264 + ["-g", "25"])
        try folder.ffmpeg([
            "-i", folder.file("clip.mp4"), "-c", "copy", "-hls_time", "1", "-hls_segment_filename",
            folder.file("%d.ts"),
            folder.file("a.m3u8"),
        ])
        let list = String(decoding: try folder.bytes("a.m3u8"), as: UTF8.self)
            .replacing("#EXT-X-ENDLIST\n", with: end)
        var files = ["/list.m3u8": Array(list.utf8)]
        for name in ["0.ts", "1.ts", "2.ts"] { files["/" + name] = try folder.bytes(name) }
        return files
    }

    /// The list is still written, but its server stops for longer than the time-out, and comes back.
    @Test(arguments: ["", "#EXT-X-PLAYLIST-TYPE:EVENT\n"]) func liveListIsTriedAgain(_ kind: String) throws {
        let folder = try ClipFolder()
        let files = try Self.files(folder, end: kind)
        try Self.playsOn(files, "/list.m3u8")
    }

    /// Plays from a server that stops for longer than the time-out and comes back.
    private static func playsOn(_ files: [String: [UInt8]], _ list: String) throws {
        let first = try LoopbackServer(.http(files))
        let watcher = LiveTests.Watcher()
        let source = source("http://127.0.0.1:\(first.port)\(list)")
        try source.initialize(consumer: watcher)
        try source.start()
        defer { source.dispose() }
        try #require(watcher.wait { $0.frames >= 8 })
        first.close()
        try #require(watcher.wait { $0.conditions.contains { LiveTests.isWaiting($0, "") } })
        let frames = watcher.frames
        let second = try LoopbackServer(.http(files), port: first.port)
        defer { second.close() }
        try #require(watcher.wait { $0.frames > frames + 5 })
        #expect(watcher.conditions.contains(.live))
        #expect(!watcher.conditions.contains { if case .failed = $0 { true } else { $0 == .ended } })
    }

    /// The encoder ends, which marks the end of its list, and is started again.
    @Test func restartedEncoderIsShown() throws {
        let folder = try ClipFolder()
        let files = try Self.files(folder, end: "")
        var ended = files
        ended["/list.m3u8"] = files["/list.m3u8"].map { $0 + Array("#EXT-X-ENDLIST\n".utf8) }
        let first = try LoopbackServer(.http(files))
        let watcher = LiveTests.Watcher()
        let source = Self.source("http://127.0.0.1:\(first.port)/list.m3u8")
        try source.initialize(consumer: watcher)
        try source.start()
        defer { source.dispose() }
        try #require(watcher.wait { $0.frames >= 8 })
        first.close()
        let second = try LoopbackServer(.http(ended), port: first.port)
        try #require(watcher.wait { $0.conditions.contains { LiveTests.isWaiting($0, "The stream has ended") } })
        second.close()
        let frames = watcher.frames
        let third = try LoopbackServer(.http(files), port: first.port)
        defer { third.close() }
        try #require(watcher.wait { $0.frames > frames + 5 })
        #expect(!watcher.conditions.contains(.ended))
    }

    @Test func listWithAnEndEnds() throws {
        let folder = try ClipFolder()
        let server = try LoopbackServer(.http(try Self.files(folder, end: "#EXT-X-ENDLIST\n")))
        defer { server.close() }
        let watcher = LiveTests.Watcher()
        let source = Self.source("http://127.0.0.1:\(server.port)/list.m3u8")
        try source.initialize(consumer: watcher)
        try source.start()
        defer { source.dispose() }
        #expect(watcher.wait { $0.conditions == [.ended] }, "\(watcher.conditions)")
    }

    @Test func finishedDASHEnds() throws {
        let folder = try ClipFolder()
        try folder.makeClip("clip.mp4", DecodingTests.h264)
        try folder.ffmpeg([
            "-i", folder.file("clip.mp4"), "-c", "copy", "-f", "dash", "-init_seg_name", "init.mp4", "-media_seg_name",
            "$Number$.mp4", "-use_timeline", "1", folder.file("a.mpd"),
        ])
        var files: [String: [UInt8]] = [:]
        for name in ["a.mpd", "init.mp4", "1.mp4"] { files["/" + name] = try folder.bytes(name) }
        let server = try LoopbackServer(.http(files))
        defer { server.close() }
        let watcher = LiveTests.Watcher()
        let source = Self.source("http://127.0.0.1:\(server.port)/a.mpd")
        try source.initialize(consumer: watcher)
        try source.start()
        defer { source.dispose() }
        #expect(watcher.wait { $0.conditions == [.ended] }, "\(watcher.conditions)")
    }

    @Test func liveDASHIsTriedAgain() throws {
        let folder = try ClipFolder()
        try folder.makeClip("clip.mp4", DecodingTests.h264)
        try folder.ffmpeg([
            "-i", folder.file("clip.mp4"), "-c", "copy", "-f", "dash", "-init_seg_name", "init.mp4", "-media_seg_name",
            "$Number$.mp4", "-use_timeline", "1", folder.file("a.mpd"),
        ])
        // As a server writes it while it goes on.
        let text = String(decoding: try folder.bytes("a.mpd"), as: UTF8.self)
            .replacing(
                "type=\"static\"",
                with: "type=\"dynamic\" minimumUpdatePeriod=\"PT1S\" availabilityStartTime=\"2020-01-01T00:00:00Z\""
            )
            .replacing(/mediaPresentationDuration="[^"]*"/, with: "")
        let files = [
            "/a.mpd": Array(text.utf8), "/init.mp4": try folder.bytes("init.mp4"), "/1.mp4": try folder.bytes("1.mp4"),
        ]
        try Self.playsOn(files, "/a.mpd")
    }

    @Test(
        "A list without an end is refused",
        arguments: [
            "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n/list.m3u8\n",
            "#EXTM3U\n" + (0..<3000).map { "#EXT-X-STREAM-INF:BANDWIDTH=\($0 + 1)\n/\($0).m3u8\n" }.joined(),
        ])
    func endless(_ list: String) throws {
        let server = try LoopbackServer(.http(["/list.m3u8": Array(list.utf8)]))
        defer { server.close() }
        let error = try #require(
            try streamError { _ = try MediaReader(.network(url: "http://127.0.0.1:\(server.port)/list.m3u8")) })
        #expect(error.code == .unsupported)
        #expect(error.description.contains("lists more than 300"), "\(error)")
        #expect(server.connectionCount <= 301)
    }

    /// What is announced would be kept in memory before it is decoded.
    @Test func announcedGigabytesAreNotRead() throws {
        let sent = Monitor(0)
        let server = try LoopbackServer(
            .dialogue { connection in
                let head =
                    "HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace;boundary=b\r\n\r\n"
                    + "--b\r\nContent-Type: image/jpeg\r\nContent-Length: 2000000000\r\n\r\n"
                LoopbackServer.send(Array(head.utf8), connection)
                let bytes = [UInt8](repeating: 0, count: 1 << 20)
                for _ in 0..<600 {
                    let count = bytes.withUnsafeBytes {
                        Foundation.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                    }
                    guard count > 0 else { break }
                    sent.withLock { $0 += 1 }
                }
            })
        defer { server.close() }
        let error = try #require(
            try streamError { _ = try MediaReader(.network(url: "http://127.0.0.1:\(server.port)/")) })
        #expect(error.description.contains("256 MiB without a picture"), "\(error)")
        #expect(sent.withLock { $0 } < 400)
    }
}
