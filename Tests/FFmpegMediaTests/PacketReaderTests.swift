import FFmpegMedia
import Foundation
import MediaIO
import TestSupport
import Testing

/// The demuxer: which tracks there are, and that packets come as they are in the stream, without a copy.
@Suite(.timeLimit(.minutes(25))) struct PacketReaderTests {
    private static let sound = ["-f", "lavfi", "-i", "sine=frequency=440:duration=1:sample_rate=48000"]

    /// A second of video with B-frames, two tracks of sound and one of subtitles.
    private static func makeClip(_ folder: borrowing ClipFolder, _ name: String) throws {
        let subtitles = "1\n00:00:00,000 --> 00:00:01,000\nHello\n"
        try folder.write(Array(subtitles.utf8), to: "a.srt")
        try folder.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25:duration=1"] + sound + sound
                + ["-i", folder.file("a.srt"), "-map", "0", "-map", "1", "-map", "2", "-map", "3"]
                + ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-bf", "2", "-g", "10", "-c:a", "aac", "-c:s", "srt"]
                + ["-metadata:s:a:0", "language=deu", "-metadata:s:a:1", "language=eng", folder.file(name)])
    }

    @Test func tracks() throws {
        let folder = try ClipFolder()
        try Self.makeClip(folder, "a.mkv")
        let reader = try MediaPacketReader(folder.location("a.mkv"))
        #expect(reader.container == "matroska,webm" && !reader.isLive)
        #expect(reader.tracks.map(\.kind) == [.video, .audio, .audio, .data])
        #expect(reader.tracks.map(\.codec.rawValue) == ["h264", "aac", "aac", "subrip"])
        #expect(reader.tracks.map(\.id) == [0, 1, 2, 3] && reader.shown.id == 0)
        let video = reader.tracks[0]
        #expect(video.size == VideoSize(width: 64, height: 48) && video.frameRate == Rational(25))
        #expect(video.configuration.first == 1 && video.sampleRate == nil)
        let audio = reader.tracks[1]
        #expect(audio.sampleRate == 48_000 && audio.channelCount == 1 && audio.language == "deu" && audio.size == nil)
        #expect(reader.tracks[2].language == "eng")
    }

    /// Flash Video, as RTMP sends it, announces its tracks one by one, and nobody waits for further ones.
    ///
    /// Of a server that sends sound, then a picture, then nothing, the packets come as they are in a file.
    @Test(arguments: [false, true]) func flashVideoIsNotWaitedFor(_ hasSound: Bool) throws {
        let folder = try ClipFolder()
        // FFmpeg needs 2 KiB to recognise it.
        let video = ["-f", "lavfi", "-i", "testsrc2=size=320x240:rate=25:duration=1"]
        // Half a second of sound comes first.
        let sound = ["-itsoffset", "-0.5"] + Self.sound
        let coding = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-tune", "zerolatency", "-c:a", "aac"]
        try folder.ffmpeg(
            video + (hasSound ? sound : []) + coding + ["-flvflags", "no_duration_filesize", folder.file("a.flv")])
        let bytes = try folder.bytes("a.flv")
        // Up to the first picture: header, then tags, each with its kind and three bytes of its length.
        var (end, pictures) = (13, 0)
        while pictures < 2 {
            if bytes[end] == 9 { pictures += 1 }
            end += 15 + bytes[end + 1..<end + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        let server = try LoopbackServer(.bytesThenSilence(Array(bytes[..<end])))
        defer { server.close() }
        let file = try MediaPacketReader(folder.location("a.flv"))
        let live = try MediaPacketReader(MediaLocation("tcp://127.0.0.1:\(server.port)"))
        #expect(live.isLive && live.container == "flv" && live.shown.codec == .h264)
        #expect(live.tracks.map(\.kind) == (hasSound ? [.video, .audio] : [.video]))
        for reader in [file, live] { reader.select(Set(reader.tracks.map(\.id))) }
        var seen: Set<TrackInfo.Kind> = []
        while !seen.contains(.video) {
            let (one, other) = (try #require(try file.next()), try #require(try live.next()))
            #expect(one.track.kind == other.track.kind && one.timing.presentation == other.timing.presentation)
            #expect(one.byteCount == other.byteCount && one.isKeyFrame == other.isKeyFrame)
            seen.insert(other.track.kind)
        }
        #expect(seen.contains(.audio) == hasSound)
    }

    /// Video may follow, so that it is tried again.
    @Test func soundWithoutVideoIsNoFailureForGood() throws {
        let folder = try ClipFolder()
        try folder.ffmpeg(
            ["-f", "lavfi", "-i", "sine=sample_rate=44100:duration=10", "-c:a", "pcm_u8"]
                + ["-flvflags", "no_duration_filesize", folder.file("a.flv")])
        let bytes = try folder.bytes("a.flv")
        let server = try LoopbackServer(
            .dialogue { connection in
                LoopbackServer.send(bytes, connection)
                shutdown(connection, Int32(SHUT_RDWR))
            })
        defer { server.close() }
        let error = try #require(
            try streamError { _ = try MediaPacketReader(MediaLocation("tcp://127.0.0.1:\(server.port)")) })
        #expect(error.code == .noVideo, "\(error)")
        #expect(error.description.contains("has no video stream; it has: audio (pcm_u8)"), "\(error)")
    }

    /// What FFmpeg's own program says of the packets: tracks, times, sizes, key frames.
    @Test func packetsAreThoseOfFFmpeg() throws {
        let folder = try ClipFolder()
        try Self.makeClip(folder, "a.mkv")
        try folder.ffmpeg([
            "-i", folder.file("a.mkv"), "-map", "0", "-c", "copy", "-copyts", "-f", "framecrc", folder.file("a.txt"),
        ])
        let list = String(decoding: try folder.bytes("a.txt"), as: UTF8.self).split(separator: "\n")
        // Stream, decoding time, presentation time, duration, size, checksum, and flags of what is no key frame.
        let rows = list.filter { !$0.hasPrefix("#") }.map { line in
            line.split(separator: ",").map { $0.replacing(" ", with: "") }
        }
        let units = list.filter { $0.hasPrefix("#tb") }.compactMap { line in
            line.split(separator: "/").last.flatMap { Int($0) }
        }
        let reader = try MediaPacketReader(folder.location("a.mkv"))
        reader.select([0, 2])
        var counts: [Int: Int] = [:]
        while let packet = try reader.next() {
            let track = packet.track.id
            let mine = rows.filter { $0[0] == "\(track)" }
            let row = mine[counts[track, default: 0]]
            counts[track, default: 0] += 1
            let unit = units[track]
            #expect(packet.byteCount == Int(row[4]))
            let time = packet.timing.presentation.map { ($0 / (.seconds(1) / unit)).rounded() }
            // Matroska rounds times to milliseconds, and framecrc counts in another unit.
            #expect(abs((time ?? -1e9) - Double(Int(row[2]) ?? 0)) <= Double(unit) / 1000)
            if track == 0 { #expect(packet.isKeyFrame == !row.contains { $0.hasPrefix("F=") }) }
            #expect(packet.timing.arrival == nil && packet.timing.capture == nil && !packet.marks.isCorrupt)
        }
        #expect(counts == [0: 25, 2: rows.count { $0[0] == "2" }])
    }

    /// Packets share the demuxer's memory, outlive it, and are decoded from there.
    @Test func packetsOutliveTheirReader() throws {
        let folder = try ClipFolder()
        try folder.makeClip("a.mp4", frames: 20, DecodingTests.h264 + ["-bf", "2"])
        var packets: [EncodedPacket] = []
        do {
            let reader = try MediaPacketReader(folder.location("a.mp4"))
            while let packet = try reader.next() { packets.append(packet) }
        }
        let track = try #require(packets.first?.track)
        let decoder = try MediaPacketDecoder(for: track, options: MediaPacketDecoder.Options())
        var frames: [VideoFrame] = []
        for packet in packets {
            if let frame = try decoder.decode(packet, at: packet.timing.presentation ?? .zero) { frames.append(frame) }
            while let frame = decoder.next() { frames.append(frame) }
        }
        while let frame = decoder.drain() { frames.append(frame) }
        #expect(frames.flatMap(\.packedBytes) == (try folder.decodedBytes("a.mp4")))
    }

    /// A camera on the network, opened without waiting for twenty frames, as its session description suffices.
    @Test func aCameraOnTheNetwork() throws {
        let folder = try ClipFolder()
        let camera = try RTSPCamera(folder, frames: 30)
        let server = try LoopbackServer(camera.answer)
        defer { server.close() }
        let reader = try MediaPacketReader(.network(url: "rtsp://127.0.0.1:\(server.port)/camera"))
        #expect(reader.isLive && reader.container == "rtsp" && reader.shown.codec == .h264)
        let decoder = try MediaPacketDecoder(for: reader.shown, options: MediaPacketDecoder.Options())
        var frames: [VideoFrame] = []
        for number in 0..<25 {
            let packet = try #require(try reader.next())
            #expect(packet.isKeyFrame == (number % 10 == 0))
            #expect(packet.timing.arrival != nil)
            let frame = try decoder.decode(packet, at: packet.timing.presentation ?? .zero)
            if let frame { frames.append(frame) }
        }
        #expect(frames.count >= 24 && frames[0].image.size == VideoSize(width: 64, height: 48))
    }

    /// RTP without a session description, which says of its packets that they are those of a transport stream.
    @Test func transportStreamInRTP() throws {
        let port = try LoopbackServer.unusedPort()
        let sender = try LiveServer([
            "-c:v", "libx264", "-tune", "zerolatency", "-g", "10", "-pix_fmt", "yuv420p", "-f", "rtp_mpegts",
            "rtp://127.0.0.1:\(port)",
        ])
        let reader = try MediaPacketReader(MediaLocation("rtp://127.0.0.1:\(port)"))
        #expect(reader.isLive && reader.container == "rtp" && reader.shown.codec == .h264)
        var stage = DecodingStage("rtp", .live) { packet throws(StreamError) in
            try MediaPacketDecoder(for: packet, options: MediaPacketDecoder.Options())
        }
        var frames: [VideoFrame] = []
        while frames.count < 15, let packet = try reader.next() {
            stage.decode(packet) { if case .picture(let frame) = $0 { frames.append(frame) } }
        }
        #expect(frames.count == 15 && frames[0].image.size == VideoSize(width: 64, height: 48))
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $1.time - $0.time == .milliseconds(40) })
        withExtendedLifetime(sender) {}
    }

    /// A sender that changes its parameter sets sends them once, and every packet from then on comes with them.
    @Test func aNewConfiguration() throws {
        let folder = try ClipFolder()
        let coding = DecodingTests.h264 + ["-bf", "0", "-g", "5", "-flvflags", "no_duration_filesize"]
        try folder.makeClip("a.flv", size: "64x48", frames: 10, coding)
        try folder.makeClip("b.flv", size: "96x80", frames: 10, coding)
        // The second one's tags, behind its header, follow the first one's.
        try folder.write(try folder.bytes("a.flv") + folder.bytes("b.flv").dropFirst(13), to: "c.flv")
        let reader = try MediaPacketReader(folder.location("c.flv"))
        var packets: [EncodedPacket] = []
        while let packet = try reader.next() { packets.append(packet) }
        let records = try ["a.flv", "b.flv"].map { try MediaPacketReader(folder.location($0)).shown.configuration }
        #expect(packets.map(\.track.configuration) == (0..<20).map { records[$0 / 10] } && records[0] != records[1])
        #expect(reader.shown.configuration == records[1] && reader.tracks[0].configuration == records[1])
        // Who comes late can decode, too.
        let late = packets[15]
        let decoder = try MediaPacketDecoder(for: late)
        let frame = try decoder.decode(late, at: .zero) ?? decoder.drain()
        #expect(late.isKeyFrame && frame?.image.size == VideoSize(width: 96, height: 80))
        let frames = try readAll(try folder.reader("c.flv"))
        let parts = try readAll(try folder.reader("a.flv")) + readAll(try folder.reader("b.flv"))
        #expect(frames.map(\.packedBytes) == parts.map(\.packedBytes))
    }
}
