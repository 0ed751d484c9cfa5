import FFmpegMedia
import Foundation
import MediaIO
import TestSupport
import Testing

/// Live streams that claim what is not so: pictures, or one sentence that says why there are none; the others go on.
@Suite(.timeLimit(.minutes(25)), .serialized) struct HostileStreamTests {
    struct Stream: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// Words of the reason; `nil` if there are pictures.
        var reason: String?
        /// Whether it depends on FFmpeg's version if there are pictures: 5.1 ignores what 7.1 refuses.
        var mayPlay = false
        /// What is sent, paced and over and over, and what follows it at once.
        var make: @Sendable (ClipFolder) throws -> (bytes: [UInt8], rest: Int)
    }

    private static let h264 = ["-an", "-c:v", "libx264", "-bf", "0", "-g", "10", "-pix_fmt", "yuv420p"]

    /// Two seconds of video, 320 pixels wide and 272 high.
    private static func clip(_ folder: ClipFolder, _ name: String, _ arguments: [String] = h264) throws -> [UInt8] {
        let live = name.hasSuffix(".mkv") ? ["-live", "1"] : []
        try folder.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=size=320x272:rate=25", "-t", "2"] + taggingPictures(arguments) + live
                + [folder.file(name)])
        return try folder.bytes(name)
    }

    /// Replaces bytes wherever they stand; they must.
    private static func replace(_ bytes: [UInt8], _ pairs: (old: [UInt8], new: [UInt8])...) throws -> [UInt8] {
        var bytes = bytes
        for (old, new) in pairs {
            try #require(old.count == new.count && bytes.firstRange(of: old) != nil)
            bytes.replace(old, with: new)
        }
        return bytes
    }

    /// Matroska's elements with the size, or one in its place.
    private static func resize(_ bytes: [UInt8], to size: [UInt8]) throws -> [UInt8] {
        try replace(bytes, ([0xB0, 0x82, 1, 64], [0xB0, 0x82] + size), ([0xBA, 0x82, 1, 16], [0xBA, 0x82] + size))
    }

    /// Writes another size into the frame headers of Motion JPEG (ITU-T T.81, B.2.2).
    private static func resizeJPEG(_ folder: ClipFolder, to size: [UInt8]) throws -> ([UInt8], Int) {
        let header: [UInt8] = [0xFF, 0xC0, 0, 17, 8]
        let bytes = try clip(folder, "a.mkv", ["-an", "-c:v", "mjpeg", "-huffman", "default"])
        return (try replace(bytes, (header + [1, 16, 1, 64], header + size + size)), 0)
    }

    static let streams = [
        Stream(testDescription: "a track without a codec", reason: "in a way that this FFmpeg does not know") {
            folder in
            let (old, new) = (Array("V_MPEG4/ISO/AVC".utf8), Array("V_XXXXX/XXX/XXX".utf8))
            return (try replace(try clip(folder, "a.mkv"), (old, new)), 0)
        },
        Stream(testDescription: "200 tracks") { folder in
            _ = try clip(folder, "a.ts")
            let tracks = (0..<200).flatMap { _ in ["-map", "0:v"] }
            try folder.ffmpeg(
                ["-i", folder.file("a.ts")] + tracks + ["-c", "copy", "-live", "1", folder.file("b.mkv")])
            return (try folder.bytes("b.mkv"), 0)
        },
        Stream(
            testDescription: "0×0 in the container", reason: "sends nothing that FFmpeg can play", mayPlay: true
        ) { folder in (try resize(try clip(folder, "a.mkv"), to: [0, 0]), 0) },
        Stream(testDescription: "65535×65535 in the container") { folder in
            (try resize(try clip(folder, "a.mkv"), to: [255, 255]), 0)
        },
        Stream(testDescription: "0×0 in the pictures", reason: "can be decoded as mjpeg") { folder in
            try resizeJPEG(folder, to: [0, 0])
        },
        Stream(testDescription: "65535×65535 in the pictures", reason: "can be decoded as mjpeg") { folder in
            try resizeJPEG(folder, to: [255, 255])
        },
        Stream(testDescription: "times that jump by three years and back") { folder in
            let bytes = try clip(folder, "a.mkv")
            return (bytes + (try clip(folder, "b.mkv", h264 + ["-output_ts_offset", "100000000"])) + bytes, 0)
        },
        Stream(testDescription: "times that jump by nineteen hours and back") { folder in
            let bytes = try clip(folder, "a.ts")
            return (bytes + (try clip(folder, "b.ts", h264 + ["-output_ts_offset", "70000"])) + bytes, 0)
        },
        Stream(testDescription: "a picture of a gigabyte", reason: "more than 256 MiB without a picture") { folder in
            _ = try clip(folder, "a.ts")
            try folder.ffmpeg(["-i", folder.file("a.ts"), "-c", "copy", folder.file("a.avi")])
            let bytes = try folder.bytes("a.avi")
            let list = try #require(bytes.firstRange(of: Array("movi".utf8)))
            let chunk = try #require(bytes[list.upperBound...].firstRange(of: Array("00dc".utf8)))
            return (bytes[..<chunk.upperBound] + [0, 0, 0, 0x40], 1 << 30)
        },
        Stream(testDescription: "a configuration record cut short", reason: "no picture can be decoded") { folder in
            var bytes = try clip(folder, "a.mkv")
            // CodecPrivate, its length, then avcC: the length of its first parameter set (ISO/IEC 14496-15, 5.3.3.1).
            let record = try #require(bytes.firstRange(of: [0x63, 0xA2])?.upperBound)
            bytes.replaceSubrange(record + 7...record + 8, with: [0xFF, 0xFF])
            return (bytes, 0)
        },
        Stream(testDescription: "VP8 that is called VP9", reason: "can be decoded as vp9") { folder in
            let bytes = try clip(folder, "a.mkv", ["-an", "-c:v", "libvpx", "-g", "10", "-deadline", "realtime"])
            return (try replace(bytes, (Array("V_VP8".utf8), Array("V_VP9".utf8))), 0)
        },
    ]

    /// Sends a stream to everybody until the closure says that all is over.
    private static func server(
        _ bytes: [UInt8], rest: Int = 0, until isOver: @escaping @Sendable () -> Bool
    ) throws -> LoopbackServer {
        try LoopbackServer(
            .dialogue { connection in
                Thread.detachNewThread {
                    while !isOver() {
                        let length = bytes.count / 50 + 1
                        for place in stride(from: 0, to: bytes.count, by: length) where !isOver() {
                            LoopbackServer.send(Array(bytes[place..<min(place + length, bytes.count)]), connection)
                            usleep(20_000)
                        }
                        let chunk = [UInt8](repeating: 0xAA, count: 1 << 20)
                        for _ in 0..<rest / chunk.count where !isOver() { LoopbackServer.send(chunk, connection) }
                    }
                }
            })
    }

    @Test(arguments: streams) func isShownOrSaysWhy(_ stream: Stream) throws {
        let folder = try ClipFolder()
        let isOver = Monitor(false)
        let (bytes, rest) = try stream.make(folder)
        let bad = try Self.server(bytes, rest: rest) { isOver.withLock { $0 } }
        let good = try Self.server(try Self.clip(folder, "good.ts")) { isOver.withLock { $0 } }
        let (watcher, other) = (LiveTests.Watcher(), LiveTests.Watcher())
        let sources = [LiveTests.source(bad.port), LiveTests.source(good.port)]
        defer {
            isOver.withLock { $0 = true }
            for source in sources { source.dispose() }
            for server in [bad, good] { server.close() }
        }
        try sources[0].initialize(consumer: watcher)
        try sources[1].initialize(consumer: other)
        for source in sources { try source.start() }
        let isRight = watcher.wait { content in
            // More than are sent before what is wrong, and for the times, after it.
            if stream.reason == nil || stream.mayPlay, content.frames >= 130 { return true }
            return stream.reason.map { reason in content.conditions.contains { "\($0)".contains(reason) } } ?? false
        }
        #expect(isRight, "\(watcher.frames) \(watcher.conditions)")
        for condition in watcher.conditions { #expect(!"\(condition)".contains("\n")) }
        let frames = other.frames
        #expect(other.wait { $0.frames > frames + 10 })
        #expect(other.conditions.isEmpty, "\(other.conditions)")
    }
}
