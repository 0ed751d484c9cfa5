import FFmpegMedia
import MediaIO
import TestSupport

/// A clip whose packets come as those of a live stream.
final class RecordedClip {
    /// The packets, with the times at which they arrive.
    private(set) var packets: [EncodedPacket] = []

    /// Makes a clip of FFmpeg's moving test picture, with a tone.
    ///
    /// - Parameters:
    ///   - folder: where it is made.
    ///   - name: the name of the file.
    ///   - seconds: its length, at 25 pictures a second.
    ///   - options: FFmpeg's options of the encoders.
    /// - Throws: what FFmpeg's program says.
    init(_ folder: ClipFolder, _ name: String, seconds: Int, _ options: [String]) throws {
        try folder.ffmpeg(
            [
                "-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25", "-f", "lavfi", "-i",
                "sine=frequency=440:sample_rate=48000",
            ]
                + ["-t", "\(seconds)", "-pix_fmt", "yuv420p"] + options + [folder.file(name)])
        let reader = try MediaPacketReader(folder.location(name))
        reader.select(Set(reader.tracks.map(\.id)))
        let begin = MonotonicTime.now.sinceBoot
        while let packet = try reader.next() {
            let time = packet.timing.decoding ?? packet.timing.presentation ?? .zero
            packets.append(try packet.arriving(at: begin + time))
        }
    }

    /// The pictures in it.
    var pictureCount: Int { packets.count { $0.track.kind == .video } }

    /// Gives the packets to a recorder, and ends it.
    func record(with recorder: PacketRecorder, only isWanted: (EncodedPacket) -> Bool = { _ in true }) {
        for packet in packets where recorder.wants(packet.track) && isWanted(packet) { recorder.consume(packet) }
        end(recorder)
    }

    /// Gives the packets to a recorder, with something to do after each, and ends it.
    func record(with recorder: PacketRecorder, after: (Int) throws -> Void) rethrows {
        for (index, packet) in packets.enumerated() where recorder.wants(packet.track) {
            recorder.consume(packet)
            try after(index)
        }
        end(recorder)
    }

    private func end(_ recorder: PacketRecorder) {
        recorder.didDetach()
        recorder.waitForEnd(until: .now + .seconds(60))
    }
}

extension EncodedPacket {
    /// The same packet, which arrives at another time.
    func arriving(at time: Duration) throws -> EncodedPacket {
        var timing = timing
        timing.arrival = time
        return try withUnsafeBytes {
            try EncodedPacket(sharing: $0, owner: owner, of: track, timing: timing, marks: marks)
        }
    }
}
