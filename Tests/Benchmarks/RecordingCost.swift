import FFmpegMedia
import Foundation
import MediaIO

/// What recording costs: 16 streams send the packets of a file in time, with recorders and without.
struct RecordingCost {
    /// The processor time of the whole process, as a share of the time that passed, and what became of the packets.
    struct Result {
        var without = 0.0
        var with = 0.0
        var bytes = 0
        var omitted = 0
        /// What recording costs of a core.
        var share: Double { with - without }
    }

    private let packets: [EncodedPacket]
    private let folder: URL

    /// Reads the packets of a file.
    ///
    /// - Parameters:
    ///   - path: a video file.
    ///   - seconds: how much of it is sent.
    /// - Throws: `StreamError`.
    init(_ path: String, seconds: Int) throws {
        let reader = try MediaPacketReader(.file(path: path))
        var packets: [EncodedPacket] = []
        while let packet = try reader.next() {
            if let time = packet.timing.decoding ?? packet.timing.presentation, time > .seconds(seconds) { break }
            packets.append(packet)
        }
        self.packets = packets
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("vitrail-recordings-\(UUID().uuidString)")
    }

    /// Sends the packets twice, without recorders first.
    ///
    /// - Throws: `StreamError`.
    func measure() throws -> Result {
        defer { try? FileManager.default.removeItem(at: folder) }
        var result = Result()
        result.without = try send([])
        let recorders = (0..<16).map { number in
            PacketRecorder(RecordingSettings(folder: folder.path), name: "stream-\(number)") { _ in }
        }
        result.with = try send(recorders)
        for recorder in recorders {
            result.bytes += recorder.counts.bytes
            result.omitted += recorder.counts.omitted
        }
        return result
    }

    private func send(_ recorders: [PacketRecorder]) throws -> Double {
        let outlets = (0..<16).map { PacketOutlet(name: "stream-\($0)") }
        for (outlet, recorder) in zip(outlets, recorders) { try outlet.attach(recorder) }
        let (begin, start) = (MonotonicTime.now, ProcessorTime.now)
        for packet in packets {
            let due = begin + (packet.timing.decoding ?? packet.timing.presentation ?? .zero)
            let wait = due - .now
            if wait > .zero { usleep(useconds_t(wait / .microseconds(1))) }
            for outlet in outlets { outlet.distribute(try packet.arriving(at: .now)) }
        }
        let (time, elapsed) = (ProcessorTime.now - start, (MonotonicTime.now - begin) / .seconds(1))
        for outlet in outlets { outlet.end() }
        for recorder in recorders { recorder.waitForEnd(until: .now + .seconds(10)) }
        return time / elapsed
    }
}

extension EncodedPacket {
    /// A copy that arrived at another time.
    fileprivate func arriving(at time: MonotonicTime) throws -> EncodedPacket {
        var timing = timing
        timing.arrival = time.sinceBoot
        return try withUnsafeBytes { try EncodedPacket(copying: $0, of: track, timing: timing, marks: marks) }
    }
}
