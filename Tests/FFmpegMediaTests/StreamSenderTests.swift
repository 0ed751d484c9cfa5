import FFmpegMedia
import Foundation
import MediaIO
import TestSupport
import Testing

/// What is sent over the network, received by FFmpeg's own program.
@Suite(.timeLimit(.minutes(25)))
final class StreamSenderTests {
    private let folder: ClipFolder
    private let size = VideoSize(width: 162, height: 94)
    private var receiver: Process?

    init() throws { folder = try ClipFolder() }

    deinit { receiver?.terminate() }

    private func samples(_ number: Int) -> [UInt8] {
        (0..<PixelFormat.i420.packedByteCount(size)).map { 16 + UInt8(($0 * 7 + number * 31) % 220) }
    }

    private func picture(_ number: Int) throws -> PixelBuffer {
        try PixelBuffer(packed: samples(number), format: .i420, size: size)
    }

    /// Starts FFmpeg, which decodes what it receives into a file.
    private func receive(_ input: [String], into name: String = "received.raw") throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["ffmpeg", "-nostdin", "-v", "error", "-y"] + input
            + ["-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-flush_packets", "1"]
            + [folder.file(name)]
        try process.run()
        receiver = process
    }

    /// Sends the same pictures at their rate until they arrive; FFmpeg needs a while to listen.
    private func send(
        to destination: MediaDestination, encoding: VideoEncoding = VideoEncoding(rate: .lossless, tuning: .live)
    ) throws -> [Int] {
        let sender = try StreamSender(
            to: destination, size: size, frameRate: Rational(25), encoding: encoding, timeout: .seconds(20))
        let (bytes, end) = (PixelFormat.i420.packedByteCount(size), Date.now + 120)
        var number = 0
        // So many pictures that a receiver which examines the stream first has delivered some.
        while (try? folder.bytes("received.raw").count) ?? 0 < bytes * 20, Date.now < end {
            try sender.send(try picture(number % 50))
            number += 1
            usleep(20_000)
        }
        #expect(sender.condition == .sending, "\(sender.condition)")
        sender.end()
        #expect(sender.counts.sent > 20)
        receiver?.waitUntilExit()
        let received = try folder.bytes("received.raw")
        let samples = (0..<50).map(samples)
        return stride(from: 0, to: received.count, by: bytes).map { start in
            samples.firstIndex { $0.elementsEqual(received[start..<start + bytes]) } ?? -1
        }
    }

    private func expectOrder(_ numbers: [Int]) {
        #expect(numbers.count >= 20 && !numbers.contains(-1), "\(numbers)")
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { ($0 + 1) % 50 == $1 }, "\(numbers)")
    }

    @Test(
        "What is sent arrives to the last code value, each picture once and in order",
        arguments: ["tcp", "srt", "rtsp", "rtmp"])
    func arrives(_ scheme: String) throws {
        let address = "127.0.0.1:\(try LoopbackServer.unusedPort())"
        let (url, input) =
            switch scheme {
            case "tcp": ("tcp://\(address)", ["-i", "tcp://\(address)?listen=1"])
            case "srt": ("SRT://\(address)", ["-i", "srt://\(address)?mode=listener"])
            case "rtsp": ("rtsp://\(address)/wall", ["-rtsp_flags", "listen", "-i", "rtsp://\(address)/wall"])
            default: ("rtmp://\(address)/live/key", ["-listen", "1", "-i", "rtmp://\(address)/live/key"])
            }
        try receive(input)
        var numbers = try send(to: .network(url: url))
        // A receiver of SRT holds pictures for 120 ms, and loses those when the connection ends.
        if scheme == "srt", numbers.last == -1 { numbers.removeLast() }
        expectOrder(numbers)
    }

    @Test("RTP arrives with the session description that was written")
    func session() throws {
        let port = try LoopbackServer.unusedPort()
        let path = folder.file("wall.sdp")
        let destination = MediaDestination.session(url: "rtp://127.0.0.1:\(port)", path: path)
        let sender = try StreamSender(to: destination, size: size, frameRate: Rational(25))
        try sender.send(try picture(0))
        while !FileManager.default.fileExists(atPath: path) { usleep(10_000) }
        sender.end()
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("m=video \(port) RTP/AVP 96"))
        try receive(["-protocol_whitelist", "file,udp,rtp", "-i", path])
        expectOrder(try send(to: destination))
    }

    @Test("A playlist names the newest segments, which have every picture")
    func playlist() throws {
        let sender = try StreamSender(
            to: .playlist(path: folder.file("wall.m3u8")), size: size, frameRate: Rational(25),
            encoding: VideoEncoding(rate: .lossless, tuning: .live))
        for number in 0..<130 { try sender.send(try picture(number)) }
        sender.end(within: .seconds(60))
        #expect(sender.counts.sent == 130)
        let list = try String(contentsOfFile: folder.file("wall.m3u8"), encoding: .utf8)
        #expect(list.contains("wall2.ts"), "\(list)")
        let decoded = try folder.decodedBytes("wall.m3u8", ["-noautorotate", "-live_start_index", "0"])
        let expected = (0..<130).flatMap(samples)
        #expect(decoded.elementsEqual(expected), "\(decoded.count) \(expected.count)")
    }

    @Test("Segments that the playlist does not name any more are removed")
    func oldSegments() throws {
        let sender = try StreamSender(
            to: .playlist(path: folder.file("wall.m3u8")), size: size, frameRate: Rational(25),
            encoding: VideoEncoding(keyFrameInterval: 50, tuning: .live))
        var number = 0
        while !FileManager.default.fileExists(atPath: folder.file("wall20.ts")) {
            // As many as it takes, without waiting for it.
            try sender.send(try picture(number), at: Int64(number))
            number += 1
            if number % 50 == 0 { usleep(20_000) }
            try #require(number < 20_000, "\(sender.condition)")
        }
        sender.end(within: .seconds(60))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("")).filter { $0.hasSuffix(".ts") }
        #expect((6...9).contains(names.count), "\(names.sorted())")
    }

    @Test("A playlist whose segments cannot be written is lost, not sent, and tried again")
    func fullDisk() throws {
        for index in 0..<3 { #expect(symlink("/dev/full", folder.file("wall\(index).ts.tmp")) == 0) }
        let sender = try StreamSender(
            to: .playlist(path: folder.file("wall.m3u8")), size: size, frameRate: Rational(25),
            encoding: VideoEncoding(keyFrameInterval: 10, tuning: .live))
        var (number, reason) = (0, "")
        let end = Date.now + 60
        while reason.isEmpty, Date.now < end {
            try sender.send(try picture(number), at: Int64(number))
            number += 1
            usleep(2000)
            if case .waiting(let text) = sender.condition { reason = text }
        }
        #expect(reason.contains("cannot be written (No space left on device)"), "\(reason) \(sender.condition)")
        try sender.send(try picture(number), at: Int64(number))
        sender.end()
        #expect(sender.counts.omitted > 0)
    }

    @Test("VP8, in BT.601, and VP9 arrive over RTP and RTSP", arguments: [PacketCodec.vp8, .vp9])
    func codecs(_ codec: PacketCodec) throws {
        for scheme in ["rtp", "rtsp"] {
            let port = try LoopbackServer.unusedPort()
            let path = folder.file("\(scheme).sdp")
            let destination =
                scheme == "rtp"
                ? MediaDestination.session(url: "rtp://127.0.0.1:\(port)", path: path)
                : .network(url: "rtsp://127.0.0.1:\(port)/wall")
            let sender = try StreamSender(
                to: destination, size: size, frameRate: Rational(25),
                encoding: VideoEncoding(codec: codec, keyFrameInterval: 5, tuning: .live), timeout: .seconds(20))
            #expect(sender.colorSpace.matrix == (codec == .vp8 ? .bt601 : .bt709))
            if scheme == "rtp" {
                try sender.send(try picture(0))
                while !FileManager.default.fileExists(atPath: path) { usleep(10_000) }
                try receive(["-protocol_whitelist", "file,udp,rtp", "-i", path], into: "\(scheme).raw")
            } else {
                try receive(["-rtsp_flags", "listen", "-i", "rtsp://127.0.0.1:\(port)/wall"], into: "\(scheme).raw")
            }
            let (bytes, end) = (PixelFormat.i420.packedByteCount(size), Date.now + 120)
            var number = 1
            while (try? folder.bytes("\(scheme).raw").count) ?? 0 < bytes * 3, Date.now < end {
                try sender.send(try picture(number), at: Int64(number))
                number += 1
                usleep(20_000)
            }
            #expect(try folder.bytes("\(scheme).raw").count >= bytes * 3, "\(scheme) \(sender.condition)")
            sender.end()
            receiver?.terminate()
            receiver?.waitUntilExit()
        }
    }

    @Test("A receiver that comes later, or again, begins with a key frame at once")
    func later() throws {
        let port = try LoopbackServer.unusedPort()
        let changes = Monitor<[SenderCondition]>([])
        let sender = try StreamSender(
            to: .network(url: "tcp://127.0.0.1:\(port)"), size: size, frameRate: Rational(25),
            // No key frame comes by itself.
            encoding: VideoEncoding(keyFrameInterval: 100_000, tuning: .live)
        ) { condition in changes.withLock { $0.append(condition) } }
        var number = 0
        func send(until isDone: () -> Bool) throws {
            let end = Date.now + 60
            while !isDone(), Date.now < end {
                try sender.send(try picture(number))
                number += 1
                usleep(10_000)
            }
        }
        try send { changes.withLock { !$0.isEmpty } }
        let reason = try #require(changes.withLock { $0.first })
        guard case .waiting(let text) = reason else {
            Issue.record("\(reason)")
            return
        }
        #expect(text.contains("127.0.0.1:\(port) cannot be reached (Connection refused)"), "\(text)")
        for round in 1...2 {
            let received = Monitor<[UInt8]>([])
            let server = try LoopbackServer(
                .dialogue { connection in
                    var bytes = [UInt8](repeating: 0, count: 1 << 16)
                    while received.withLock({ $0.count }) < 20_000 {
                        let count = recv(connection, &bytes, bytes.count, 0)
                        guard count > 0 else { break }
                        received.withLock { $0 += bytes[..<count] }
                    }
                    shutdown(connection, Int32(SHUT_RDWR))
                }, port: port)
            try send { received.withLock { $0.count } >= 20_000 }
            server.close()
            try folder.write(received.withLock { $0 }, to: "\(round).ts")
            let reader = try folder.reader("\(round).ts")
            #expect(try reader.next()?.presentationTime == .zero)
            #expect(sender.counts.connections == round)
            try send { if case .waiting = sender.condition { true } else { false } }
        }
        sender.end()
        #expect(sender.counts.omitted > 0)
    }

    @Test(
        "Packets that an app made, without times, are sent as they are, in order", arguments: [PacketCodec.h264, .hevc])
    func packets(_ codec: PacketCodec) throws {
        let encoder = codec == .h264 ? "libx264" : "libx265"
        let clip = try PacketClip(codec, count: 100, ["-c:v", encoder, "-g", "10", "-bf", "0"])
        let port = try LoopbackServer.unusedPort()
        try receive(["-i", "tcp://127.0.0.1:\(port)?listen=1"])
        let sender = PacketSender(to: .network(url: "tcp://127.0.0.1:\(port)"), timeout: .seconds(20))
        let outlet = PacketOutlet(name: "app")
        try outlet.attach(sender)
        let (bytes, end) = (PixelFormat.i420.packedByteCount(clip.size), Date.now + 60)
        var number = 0
        while (try? folder.bytes("received.raw").count) ?? 0 < bytes * 20, Date.now < end {
            guard case .encoded(let packet) = try clip.frame(number % 100).image else { break }
            outlet.distribute(packet)
            number += 1
            usleep(20_000)
        }
        #expect(sender.condition == .sending, "\(sender.condition)")
        outlet.detach(sender)
        sender.end()
        sender.close(within: .seconds(1))
        receiver?.waitUntilExit()
        let received = try folder.bytes("received.raw")
        let numbers = stride(from: 0, to: received.count, by: bytes).map { start in
            clip.pictures.firstIndex { $0.elementsEqual(received[start..<start + bytes]) } ?? -1
        }
        #expect(numbers.count >= 20 && !numbers.contains(-1), "\(numbers)")
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { ($0 + 1) % 100 == $1 }, "\(numbers)")
    }

    @Test("A live stream is sent onwards without being encoded again")
    func onwards() throws {
        let port = try LoopbackServer.unusedPort()
        let server = try LiveServer([
            "-c:v", "libx264", "-g", "10", "-bf", "2", "-f", "mpegts", "-flush_packets", "1",
            "tcp://127.0.0.1:\(port)?listen=1",
        ])
        let (watcher, source) = (LiveTests.Watcher(), LiveTests.source(port))
        try source.initialize(consumer: watcher)
        try source.start()
        defer { source.dispose() }
        try #require(watcher.wait { $0.frames > 5 })
        let target = try LoopbackServer.unusedPort()
        try receive(["-listen", "1", "-i", "rtmp://127.0.0.1:\(target)/a/b"])
        let sender = PacketSender(
            to: .network(url: "rtmp://127.0.0.1:\(target)/a/b"), retries: RetrySchedule(waits: [.milliseconds(200)]))
        try source.packets.attach(sender)
        let end = Date.now + 60
        while (try? folder.bytes("received.raw").count) ?? 0 < 64 * 48 * 3 / 2 * 30, Date.now < end { usleep(50_000) }
        source.packets.detach(sender)
        #expect(sender.counts.sent >= 30 && sender.condition == .sending, "\(sender.counts) \(sender.condition)")
        #expect(try folder.bytes("received.raw").count >= 64 * 48 * 3 / 2 * 30)
        _ = server
    }

    @Test("A receiver that reads nothing holds nobody up; what it misses is counted")
    func slow() throws {
        let server = try LoopbackServer(.bytesThenSilence([]))
        defer { server.close() }
        let sender = try StreamSender(
            to: .network(url: "tcp://127.0.0.1:\(server.port)"), size: size, frameRate: Rational(25),
            encoding: VideoEncoding(codec: .h264, rate: .lossless, tuning: .live), timeout: .seconds(60))
        let end = Date.now + 60
        var noise = SystemRandomNumberGenerator()
        let pictures = try (0..<4).map { _ in
            let bytes = (0..<PixelFormat.i420.packedByteCount(size)).map { _ in
                UInt8.random(in: 16...235, using: &noise)
            }
            return try PixelBuffer(packed: bytes, format: .i420, size: size)
        }
        var number = 0
        // The system takes the first megabytes.
        while sender.counts.omitted == 0, Date.now < end {
            try sender.send(pictures[number % 4])
            number += 1
            usleep(1000)
        }
        #expect(sender.counts.omitted > 0, "\(sender.counts) \(sender.condition) \(number)")
        let begin = Date.now
        sender.end(within: .seconds(1))
        #expect(-begin.timeIntervalSinceNow < 30)
    }

    @Test(
        "What cannot be sent is refused by name",
        arguments: [("rtmp://host/a/KEY", PacketCodec.hevc), ("udp://host:1", .vp9)])
    func refusals(_ url: String, _ codec: PacketCodec) throws {
        let error = #expect(throws: StreamError.self) {
            try StreamSender(
                to: .network(url: url), size: size, frameRate: Rational(25), encoding: VideoEncoding(codec: codec))
        }
        #expect(error?.code == .unsupported && error?.description.contains("cannot take \(codec): choose h264") == true)
        #expect(error?.description.contains("KEY") == false)
    }
}
