import CVitrailFFmpeg
import Foundation
import MediaIO
import TestSupport
import Testing

@testable import FFmpegMedia

/// Recordings, read back by FFmpeg's own program and by the readers here.
@Suite(.timeLimit(.minutes(25)))
struct PacketRecorderTests {
    private static let x264 = ["-c:v", "libx264", "-g", "25", "-bf", "2", "-preset", "ultrafast"]
    private let folder: ClipFolder

    init() throws { folder = try ClipFolder() }

    private func settings(_ pattern: String) throws -> RecordingSettings {
        var settings = RecordingSettings(folder: folder.file("out"), pattern: try RecordingPattern(pattern))
        settings.reserve = 0
        return settings
    }

    /// The recordings, by name.
    private var files: [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.file("out"))
        return (names ?? []).sorted { $0.count == $1.count ? $0 < $1 : $0.count < $1.count }.map { "out/\($0)" }
    }

    /// The packets of a file, of all tracks.
    private func packets(_ name: String) throws -> [EncodedPacket] {
        let reader = try MediaPacketReader(folder.location(name))
        reader.select(Set(reader.tracks.map(\.id)))
        var packets: [EncodedPacket] = []
        while let packet = try reader.next() { packets.append(packet) }
        return packets
    }

    /// What a file says of itself.
    private func tags(_ name: String) throws -> [String: String] {
        var context: UnsafeMutablePointer<AVFormatContext>?
        try #require(avformat_open_input(&context, folder.file(name), nil, nil) >= 0)
        defer { avformat_close_input(&context) }
        var (tags, next) = ([String: String](), av_dict_get(context?.pointee.metadata, "", nil, AV_DICT_IGNORE_SUFFIX))
        while let entry = next {
            tags[String(cString: entry.pointee.key)] = String(cString: entry.pointee.value)
            next = av_dict_get(context?.pointee.metadata, "", entry, AV_DICT_IGNORE_SUFFIX)
        }
        return tags
    }

    @Test(
        "What is recorded has the pictures, the sound and the times of the stream, in every container",
        arguments: [
            (x264 + ["-c:a", "aac"], ["mkv", "mp4", "mov", "ts"]),
            (["-c:v", "libx265", "-x265-params", "log-level=none", "-g", "25", "-c:a", "aac"], ["mkv", "mp4", "ts"]),
            (["-c:v", "libvpx-vp9", "-deadline", "realtime", "-g", "25", "-c:a", "libopus"], ["webm", "mkv", "mp4"]),
            (["-c:v", "mjpeg", "-pix_fmt", "yuvj420p", "-c:a", "pcm_s16le"], ["mkv", "mov"]),
            (["-c:v", "mpeg2video", "-g", "25", "-c:a", "mp2"], ["mkv", "ts"]),
            (x264 + ["-c:a", "ac3"], ["mp4", "mkv"]),
            (x264 + ["-c:a", "pcm_alaw", "-ar", "8000"], ["mkv"]),
            (x264 + ["-c:a", "pcm_mulaw", "-ar", "8000"], ["mkv"]),
            (x264 + ["-c:a", "adpcm_g726", "-ar", "8000", "-b:a", "32k"], ["mkv"]),
        ])
    func agreement(_ row: (encoders: [String], endings: [String])) throws {
        let clip = try RecordedClip(folder, "in.mkv", seconds: 3, row.encoders)
        let pictures = try folder.decodedBytes("in.mkv")
        // It begins with a picture.
        let sent = Array(clip.packets.drop { $0.track.kind != .video })
        for ending in row.endings {
            let recorder = PacketRecorder(try settings("{number}.\(ending)"), name: "yard")
            clip.record(with: recorder)
            #expect(recorder.condition == .ended)
            #expect(recorder.counts.omitted == clip.packets.count - sent.count)
            #expect(recorder.counts.packets == sent.count)
            let name = "out/001.\(ending)"
            #expect(try folder.decodedBytes(name).elementsEqual(pictures), "\(ending)")
            let packets = try packets(name)
            // The file begins at zero.
            let video = try #require(packets.first { $0.track.kind == .video }?.timing.presentation)
            let begin = video - (sent[0].timing.presentation ?? .zero)
            for kind in [TrackInfo.Kind.video, .audio] {
                let own = sent.filter { $0.track.kind == kind }
                let recorded = packets.filter { $0.track.kind == kind }
                // MPEG-TS begins at another time, and may have several packets of sound in one.
                guard ending != "ts" else {
                    #expect(kind == .audio ? !recorded.isEmpty : recorded.count == own.count)
                    continue
                }
                #expect(recorded.count == own.count, "\(ending), \(kind)")
                for (packet, original) in zip(recorded, own) {
                    let difference =
                        (packet.timing.presentation ?? .zero) - begin - (original.timing.presentation ?? .zero)
                    // FFmpeg's Matroska does not add the delay of Opus, 6.5 ms, that it states.
                    let most = original.track.codec.rawValue == "opus" ? 8.0 : 2.0
                    try #require(abs(difference / .milliseconds(1)) <= most, "\(ending), \(kind): \(difference)")
                }
            }
        }
    }

    @Test(
        "Sound of MPEG-TS, whose format only its packets state, is recorded with even times",
        arguments: [("aac", 21.33), ("mp2", 24), ("ac3", 32), ("eac3", 32), ("libopus", 20)], ["mkv", "mp4", "ts"])
    func transportStream(_ encoder: (name: String, milliseconds: Double), _ ending: String) throws {
        let clip = try RecordedClip(folder, "in.ts", seconds: 3, Self.x264 + ["-c:a", encoder.name])
        let recorder = PacketRecorder(try settings("{number}.\(ending)"), name: "yard")
        clip.record(with: recorder)
        #expect(try folder.decodedBytes("out/001.\(ending)").elementsEqual(try folder.decodedBytes("in.ts")))
        let sound = try packets("out/001.\(ending)").filter { $0.track.kind == .audio }
        guard ending != "ts" else {
            #expect(!sound.isEmpty)
            return
        }
        let track = try #require(sound.first?.track)
        #expect(track.sampleRate == 48_000 && track.channelCount == 1)
        // What comes before the first picture is not recorded.
        let times = sound.compactMap(\.timing.presentation)
        #expect(Double(times.count) > 2800 / encoder.milliseconds, "\(times.count)")
        for (time, next) in zip(times, times.dropFirst()) {
            try #require(abs((next - time) / .milliseconds(1) - encoder.milliseconds) < 1.5, "\(time) \(next)")
        }
    }

    @Test("The file says when it began, how the stream is called, and its language")
    func tags() throws {
        let clip = try RecordedClip(
            folder, "in.mkv", seconds: 1, Self.x264 + ["-c:a", "aac", "-metadata:s:a:0", "language=deu"])
        let before = RecordingTime.now
        clip.record(with: PacketRecorder(try settings("{number}.mkv"), name: "yard = 1"))
        let tags = try tags("out/001.mkv")
        #expect(tags["title"] == "yard = 1", "\(tags)")
        let reader = try MediaPacketReader(folder.location("out/001.mkv"))
        #expect(reader.tracks.contains { $0.kind == .audio && $0.language == "deu" })
        // The clip begins to arrive when it is made.
        let time = try #require(tags["creation_time"])
        let form = ISO8601DateFormatter()
        form.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        let text = time.replacing(/\.(\d{3})\d*Z/) { ".\($0.1)Z" }
        let date = try #require(form.date(from: text), "\(time)")
        let difference = date.timeIntervalSince1970 - before.sinceEpoch / .seconds(1)
        #expect(difference < 1 && difference > -30, "\(difference)")
    }

    @Test(
        "The file says how it is shown and in which colours", arguments: ["mkv", "mp4", "mov"],
        VideoRotation.allCases)
    func orientation(_ ending: String, _ rotation: VideoRotation) throws {
        let colors = [
            "-colorspace", "bt470bg", "-color_range", "tv", "-color_primaries", "bt470bg", "-color_trc", "gamma28",
        ]
        let clip = try RecordedClip(folder, "in.mkv", seconds: 1, Self.x264 + colors)
        for mirror in VideoMirror.allCases {
            var settings = try settings("{number}.\(ending)")
            (settings.rotation, settings.mirror) = (rotation, mirror)
            clip.record(with: PacketRecorder(settings, name: "a"))
            let reader = try folder.reader(try #require(files.last))
            let frame = try #require(try reader.next())
            let shown = Orientation(rotation: frame.attributes.rotation, mirror: frame.attributes.mirror)
            // Half a turn and both mirrors are the same.
            #expect(shown.isShown(like: Orientation(rotation: rotation, mirror: mirror)), "\(shown), \(mirror)")
            #expect(frame.colorSpace.primaries == .bt601Lines625 && frame.colorSpace.transfer == .gamma28)
        }
    }

    @Test("Parts by time and by size begin with key frames, and lose nothing", arguments: ["mkv", "mp4", "ts"])
    func parts(_ ending: String) throws {
        let clip = try RecordedClip(folder, "in.mkv", seconds: 5, Self.x264 + ["-c:a", "aac"])
        let pictures = try folder.decodedBytes("in.mkv")
        for limit in [(duration: Duration.seconds(2), bytes: nil), (nil, 1)] as [(duration: Duration?, bytes: Int?)] {
            try? FileManager.default.removeItem(atPath: folder.file("out"))
            var settings = try settings("{number}.\(ending)")
            (settings.partDuration, settings.partByteCount) = (limit.duration, limit.bytes)
            let recorder = PacketRecorder(settings, name: "yard")
            clip.record(with: recorder)
            #expect(recorder.counts.files == files.count && files.count == (limit.bytes == nil ? 3 : 5), "\(files)")
            #expect(recorder.counts.omitted == 0)
            var samples: [UInt8] = []
            var sounds = 0
            for name in files {
                samples += try folder.decodedBytes(name)
                let packets = try packets(name)
                #expect(packets.first { $0.track.kind == .video }?.isKeyFrame == true)
                sounds += packets.count { $0.track.kind == .audio }
            }
            #expect(samples.elementsEqual(pictures), "\(samples.count) of \(pictures.count)")
            if ending != "ts" { #expect(sounds == clip.packets.count { $0.track.kind == .audio }) }
        }
    }

    @Test("Sound that comes later is in another file, sound that is not wanted in none")
    func lateSound() throws {
        let clip = try RecordedClip(folder, "in.mkv", seconds: 4, Self.x264 + ["-c:a", "aac"])
        clip.record(with: PacketRecorder(try settings("{number}.mkv"), name: "a")) { packet in
            packet.track.kind == .video || packet.timing.presentation ?? .zero > .milliseconds(2000)
        }
        #expect(files == ["out/001.mkv", "out/002.mkv"])
        let kinds = try files.map { Set(try packets($0).map(\.track.kind)) }
        #expect(kinds == [[.video], [.video, .audio]])
        var silent = try settings("silent/{number}.mkv")
        silent.hasSound = false
        clip.record(with: PacketRecorder(silent, name: "a"))
        #expect(Set(try packets("out/silent/001.mkv").map(\.track.kind)) == [.video])
    }

    @Test("Sound that comes in large pieces, as that of MPEG-TS, is in the first file, and in each part")
    func soundInPieces() throws {
        let clip = try RecordedClip(folder, "in.mkv", seconds: 4, Self.x264 + ["-c:a", "aac"])
        var settings = try settings("{number}.mkv")
        settings.partDuration = .seconds(2)
        clip.record(with: PacketRecorder(settings, name: "a")) { packet in
            let time = (packet.timing.presentation ?? .zero) / .milliseconds(1)
            return packet.track.kind == .video || time > 900 && (time < 1900 || time > 3500)
        }
        #expect(files == ["out/001.mkv", "out/002.mkv"])
        let kinds = try files.map { Set(try packets($0).map(\.track.kind)) }
        #expect(kinds == [[.video, .audio], [.video, .audio]])
    }

    @Test(
        "Packets of a program, without a container and without times of decoding, are recorded",
        arguments: [PacketCodec.h264, .hevc, .vp8], ["mkv", "mp4", "ts"])
    func bare(_ codec: PacketCodec, _ ending: String) throws {
        let encoder =
            switch codec {
            case .h264: ["-c:v", "libx264", "-g", "10", "-bf", "2"]
            case .hevc: ["-c:v", "libx265", "-x265-params", "log-level=none:bframes=2", "-g", "10"]
            default: ["-c:v", "libvpx", "-deadline", "realtime", "-g", "10"]
            }
        let clip = try PacketClip(codec, count: 30, encoder)
        let recorder = PacketRecorder(try settings("{number}.\(ending)"), name: "phone")
        for index in clip.packets.indices { recorder.consume(try clip.frame(index)) }
        recorder.didDetach()
        recorder.waitForEnd(until: .now + .seconds(60))
        guard codec != .vp8 || ending == "mkv" else {
            #expect(files.isEmpty && recorder.counts.files == 0 && recorder.counts.omitted == 30)
            return
        }
        let samples = try folder.decodedBytes("out/001.\(ending)")
        #expect(samples.elementsEqual(clip.pictures.joined()), "\(samples.count)")
    }

    @Test("What a container cannot hold is said, with one that can; without its sound it is recorded")
    func unfit() throws {
        let clip = try RecordedClip(folder, "in.mkv", seconds: 2, ["-c:v", "mjpeg", "-c:a", "pcm_alaw"])
        let conditions = Monitor<[RecorderCondition]>([])
        let recorder = PacketRecorder(try settings("{number}.ts"), name: "yard") { condition in
            conditions.withLock { $0.append(condition) }
        }
        clip.record(with: recorder)
        #expect(files.isEmpty)
        let found = conditions.withLock { $0 }
        guard case .failed(let reason)? = found.first else { throw ClipFolder.ToolError(description: "\(found)") }
        #expect(reason == "yard is mjpeg, which .ts cannot hold: name the files .mp4 or .mov or .mkv.", "\(reason)")
        #expect(found.last == .ended)
        conditions.withLock { $0 = [] }
        let silent = PacketRecorder(try settings("{number}.mp4"), name: "yard") { condition in
            conditions.withLock { $0.append(condition) }
        }
        clip.record(with: silent)
        #expect(Set(try packets("out/001.mp4").map(\.track.kind)) == [.video])
        let omission = "the sound is pcm_alaw, which .mp4 cannot hold: name the files .mov or .mkv."
        let path = folder.file("out/001.mp4")
        #expect(
            conditions.withLock { $0.suffix(2) } == [.recording(path: path, omission: omission), .ended],
            "\(conditions.withLock { $0 })")
        #expect(silent.counts.omitted <= 1 && silent.counts.packets == clip.pictureCount)
    }

    @Test("Another orientation or pattern holds from the next key frame on, and loses nothing")
    func change() throws {
        let clip = try RecordedClip(folder, "in.mkv", seconds: 3, Self.x264)
        let recorder = PacketRecorder(try settings("{number}.mkv"), name: "yard")
        clip.record(with: recorder) { index in
            if index == 80 { recorder.settings.rotation = .clockwise90 }
        }
        #expect(files == ["out/001.mkv", "out/002.mkv"] && recorder.counts.omitted == 0)
        let rotations = try files.map { try folder.reader($0).next()?.attributes.rotation }
        #expect(rotations == [.upright, .clockwise90])
        let samples = try files.flatMap { try folder.decodedBytes($0) }
        #expect(samples.count == (try folder.decodedBytes("in.mkv")).count)
    }

    @Test("Of a stream with several tracks of video, the one that is shown and its sound are recorded")
    func severalTracks() throws {
        try folder.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25", "-f", "lavfi", "-i", "testsrc2=size=192x128:rate=25"]
                + ["-f", "lavfi", "-i", "sine", "-f", "lavfi", "-i", "sine", "-map", "0", "-map", "1", "-map", "2"]
                + [
                    "-map", "3", "-disposition:v:0", "0", "-disposition:v:1", "default", "-t", "1",
                    folder.file("two.mkv"),
                ])
        let reader = try MediaPacketReader(folder.location("two.mkv"))
        let recorder = PacketRecorder(try settings("{number}.mkv"), name: "yard")
        #expect(reader.tracks.map(recorder.wants) == [false, true, true, false])
        #expect(reader.shown.id == 1)
    }

    /// What is on the disk at any moment is what a killed program leaves.
    @Test("At any moment, the file plays to within a second, undamaged", arguments: ["mkv", "mp4", "mov", "ts"])
    func kills(_ ending: String) throws {
        let clip = try RecordedClip(folder, "in.mkv", seconds: 8, Self.x264 + ["-c:a", "aac"])
        let pictures = try folder.decodedBytes("in.mkv")
        var random = SeededGenerator(seed: UInt64(ending.utf8.reduce(0) { $0 * 31 + UInt64($1) }))
        let moments = Set((0..<50).map { _ in Int.random(in: clip.packets.indices, using: &random) })
        let recorder = PacketRecorder(try settings("{number}.\(ending)"), name: "yard")
        var seen = 0
        let size = pictures.count / clip.pictureCount
        let path = folder.file("out/001.\(ending)")
        try clip.record(
            with: recorder,
            after: { index in
                guard moments.contains(index) else { return }
                seen += 1
                let given = clip.packets[...index].count { $0.track.kind == .video }
                guard FileManager.default.fileExists(atPath: path) else {
                    #expect(given <= 25)
                    return
                }
                try folder.write(try folder.bytes("out/001.\(ending)"), to: "cut.\(ending)")
                let decoded = given > 25 ? try folder.decodedBytes("cut.\(ending)") : []
                let count = decoded.count / size
                #expect(count >= given - 25)
                // The last pictures in the order of decoding are not always the last that are shown.
                var rest = pictures[...]
                for picture in stride(from: 0, to: decoded.count, by: size) {
                    let picture = decoded[picture..<picture + size]
                    while !rest.isEmpty, !rest.prefix(size).elementsEqual(picture) { rest = rest.dropFirst(size) }
                    try #require(!rest.isEmpty, "\(given)")
                    rest = rest.dropFirst(size)
                }
            })
        #expect(seen == moments.count)
        #expect(try folder.decodedBytes("out/001.\(ending)").elementsEqual(pictures))
    }

    @Test(
        "Packets are written without allocations of their own",
        .enabled(if: HeapCounter.isAvailable, "A sanitizer has an allocator of its own."),
        arguments: ["mkv", "mp4", "ts"])
    func allocations(_ ending: String) throws {
        let clip = try RecordedClip(folder, "in.mkv", seconds: 8, Self.x264 + ["-c:a", "aac"])
        let recorder = PacketRecorder(try settings("{number}.\(ending)"), name: "yard")
        let half = clip.packets.count / 2
        for packet in clip.packets.prefix(half) { recorder.consume(packet) }
        let packets = clip.packets
        let count = HeapCounter.count { for index in half..<packets.count { recorder.consume(packets[index]) } }
        // The room on the disk is looked at once a second.
        #expect(count <= 10)
        recorder.didDetach()
        #expect(recorder.counts.packets == packets.count)
    }

    @Test("A complete MP4 file has one index, and a copy that a killed program left is removed")
    func index() throws {
        let clip = try RecordedClip(folder, "in.mkv", seconds: 3, Self.x264 + ["-c:a", "aac"])
        try FileManager.default.createDirectory(atPath: folder.file("out"), withIntermediateDirectories: true)
        for name in [".007.mp4.tmp", ".notes.tmp"] { try folder.write([1], to: "out/\(name)") }
        clip.record(with: PacketRecorder(try settings("{number}.mp4"), name: "yard"))
        let bytes = try folder.bytes("out/001.mp4")
        func has(_ box: String) -> Bool { !bytes.ranges(of: Array(box.utf8)).isEmpty }
        #expect(has("moov") && !has("moof") && has("stss"))
        #expect(try tags("out/001.mp4")["title"] == "yard")
        #expect(files == ["out/001.mp4", "out/.notes.tmp"])
        let reader = try folder.reader("out/001.mp4")
        #expect(reader.info.duration.map { abs($0 / .seconds(1) - 3) < 0.1 } == true)
    }

    @Test("A file that is there is not replaced, nor is what a link leads to")
    func taken() throws {
        let clip = try RecordedClip(folder, "in.mkv", seconds: 1, Self.x264)
        try FileManager.default.createDirectory(atPath: folder.file("out"), withIntermediateDirectories: true)
        try folder.write([1], to: "out/001.mkv")
        try folder.write([2], to: "other.mkv")
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("out/002.mkv"), withDestinationPath: folder.file("other.mkv"))
        clip.record(with: PacketRecorder(try settings("{number}.mkv"), name: "a"))
        #expect(files == ["out/001.mkv", "out/002.mkv", "out/003.mkv"])
        #expect(try folder.bytes("out/001.mkv") == [1] && folder.bytes("other.mkv") == [2])
        #expect(try !packets("out/003.mkv").isEmpty)
        #expect(
            try RecordingPattern("{number}.mkv").globs(in: "out").allSatisfy {
                fnmatch($0, "out/2019 wedding.mkv", 0) != 0
            })
        #expect(try RecordingPattern("{number}.mkv").globs(in: "out").contains { fnmatch($0, "out/1234.mkv", 0) == 0 })
        // Two that begin in the same second.
        for _ in 0..<2 { clip.record(with: PacketRecorder(try settings("same/{date}.{number}.mkv"), name: "a")) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("out/same")).count == 2)
    }
}

extension Orientation {
    /// Whether both show a picture in the same way.
    fileprivate func isShown(like other: Orientation) -> Bool {
        let same = Orientation(rotation: rotation + .clockwise180, mirror: mirror.combined(with: .both))
        return self == other || same == other
    }
}
