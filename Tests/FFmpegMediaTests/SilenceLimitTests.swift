import Foundation
import MediaIO
import TestSupport
import Testing

@testable import FFmpegMedia

/// How long a live stream may send nothing before its connection counts as lost.
@Suite(.timeLimit(.minutes(25))) struct SilenceLimitTests {
    /// The limit after packets with these distances, in microseconds.
    private static func limit(
        timeout: Duration = .seconds(10), after distances: [Int64], begin: Int64 = 7_000_000
    ) -> Duration {
        var (silence, now) = (SilenceLimit(timeout: timeout), begin)
        silence.notePacket(at: now)
        for distance in distances {
            now += distance
            silence.notePacket(at: now)
        }
        return silence.limit
    }

    @Test func theFirstTwoPacketsHaveTheWholeTimeOut() {
        #expect(SilenceLimit(timeout: .seconds(10)).limit == .seconds(10))
        #expect(Self.limit(after: []) == .seconds(10))
        #expect(MediaReader.Options().timeout == .seconds(10))
    }

    @Test(
        arguments: [
            // 25 packets a second.
            (40_000, .seconds(5)),
            (1_666_666, .seconds(5)),
            // Three times the distance.
            (2_000_000, .seconds(6)),
            (3_000_000, .seconds(9)),
            (3_500_000, .seconds(10)),
            (9_000_000, .seconds(10)),
        ] as [(Int64, Duration)])
    func itIsThreeTimesTheUsualDistanceWithinBounds(_ distance: Int64, _ limit: Duration) {
        #expect(Self.limit(after: [distance]) == limit)
        #expect(Self.limit(after: Array(repeating: distance, count: 100)) == limit)
    }

    /// Packets of sound between the pictures, or parts of one, do not hide how long a sender may pause.
    @Test func theLongestDistanceCountsAndIsForgottenSlowly() {
        let short = [Int64](repeating: 40_000, count: 20)
        #expect(Self.limit(after: [3_000_000] + short) > .seconds(6))
        #expect(Self.limit(after: short + [3_000_000]) == .seconds(9))
        let distances = [3_000_000] + [Int64](repeating: 40_000, count: 250)
        #expect(Self.limit(after: distances) == .seconds(5))
    }

    /// Whoever sets a shorter time-out gets it.
    @Test func itIsNeverLongerThanTheTimeOut() {
        for timeout in [Duration.milliseconds(300), .seconds(4), .seconds(5)] {
            #expect(Self.limit(timeout: timeout, after: [40_000]) == timeout)
            #expect(Self.limit(timeout: timeout, after: [9_000_000]) == timeout)
        }
        #expect(Self.limit(timeout: .seconds(60), after: [9_000_000]) == .seconds(27))
    }

    /// Segments come as a whole, with nothing between them.
    @Test func aListOfSegmentsHasTheWholeTimeOut() throws {
        let folder = try ClipFolder()
        try folder.makeClip("clip.mp4", frames: 75, DecodingTests.h264 + ["-g", "25"])
        try folder.ffmpeg([
            "-i", folder.file("clip.mp4"), "-c", "copy", "-hls_time", "1", "-hls_segment_filename",
            folder.file("%d.ts"), folder.file("a.m3u8"),
        ])
        let list = String(decoding: try folder.bytes("a.m3u8"), as: UTF8.self).replacing("#EXT-X-ENDLIST\n", with: "")
        var files = ["/a.m3u8": Array(list.utf8)]
        for name in ["0.ts", "1.ts", "2.ts"] { files["/" + name] = try folder.bytes(name) }
        let server = try LoopbackServer(
            .dialogue { [files] connection in
                var request = [UInt8](repeating: 0, count: 4096)
                let count = max(recv(connection, &request, request.count, 0), 0)
                let words = String(decoding: request[..<count], as: UTF8.self).split(separator: " ")
                let path = words.count > 1 ? String(words[1]) : ""
                // The pause itself.
                if path == "/2.ts" { usleep(5_500_000) }
                let body = files[path] ?? []
                let head = "HTTP/1.0 200 OK\r\nContent-Length: \(body.count)\r\n\r\n"
                LoopbackServer.send(Array(head.utf8) + body, connection)
                shutdown(connection, Int32(SHUT_WR))
            })
        defer { server.close() }
        let reader = try MediaReader(.network(url: "http://127.0.0.1:\(server.port)/a.m3u8"))
        #expect(!reader.info.isLive && reader.info.isOngoing)
        for _ in 0..<60 { _ = try #require(try reader.next()) }
    }
}
