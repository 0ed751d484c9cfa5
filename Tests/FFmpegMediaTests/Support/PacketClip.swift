import MediaIO
import TestSupport

/// The packets of an encoded clip as a network has them: in decoding order, with their times, and without a container.
struct PacketClip {
    struct Packet {
        var bytes: [UInt8]
        /// Of the picture, in the order in which pictures are shown.
        var number: Int
        var isKeyFrame: Bool
    }

    static let size = VideoSize(width: 96, height: 64)
    let size: VideoSize
    let codec: PacketCodec
    let packets: [Packet]
    /// The samples of each picture of the whole clip.
    let pictures: [[UInt8]]

    /// Encodes FFmpeg's moving test picture.
    init(_ codec: PacketCodec, count: Int, size: VideoSize = Self.size, _ arguments: [String]) throws {
        let folder = try ClipFolder()
        (self.codec, self.size) = (codec, size)
        let isIVF = codec != .h264 && codec != .hevc
        let name = isIVF ? "a.ivf" : "a.mkv"
        try folder.makeClip(name, size: "\(size)", frames: count, arguments + ["-pix_fmt", "yuv420p"])
        let samples = try folder.decodedBytes(name)
        pictures = (0..<count).map { Array(samples[$0 * samples.count / count..<($0 + 1) * samples.count / count]) }
        try folder.ffmpeg(["-i", folder.file(name), "-c", "copy", "-f", "framecrc", folder.file("a.txt")])
        let list = String(decoding: try folder.bytes("a.txt"), as: UTF8.self)
        let lines = list.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            line.split(separator: ",").map { $0.replacing(" ", with: "") }
        }
        let times = lines.compactMap { Int($0[2]) }
        let ranks = Dictionary(uniqueKeysWithValues: times.sorted().enumerated().map { ($1, $0) })
        let keys = lines.map { line in !line.contains { $0.hasPrefix("F=") } }
        var bytes: [[UInt8]]
        if isIVF {
            bytes = Self.unpack(try folder.bytes(name))
        } else {
            let filter = codec == .h264 ? "h264_mp4toannexb,h264_metadata" : "hevc_mp4toannexb,hevc_metadata"
            let output = "a." + codec.rawValue
            try folder.ffmpeg([
                "-i", folder.file(name), "-c", "copy", "-bsf:v", "\(filter)=aud=insert", folder.file(output),
            ])
            bytes = Self.split(try folder.bytes(output), at: codec == .h264 ? [0, 0, 0, 1, 9] : [0, 0, 0, 1, 0x46])
        }
        packets = zip(bytes, zip(times, keys)).map { bytes, rest in
            Packet(bytes: bytes, number: ranks[rest.0] ?? -1, isKeyFrame: rest.1)
        }
    }

    /// The packets of an IVF file.
    static func unpack(_ bytes: [UInt8]) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        var place = 32
        while place + 12 <= bytes.count {
            let length = (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
            packets.append(Array(bytes[place + 12..<place + 12 + length]))
            place += 12 + length
        }
        return packets
    }

    /// Splits a file where the mark stands.
    static func split(_ bytes: [UInt8], at mark: [UInt8]) -> [[UInt8]] {
        let starts = bytes.indices.filter { bytes[$0...].starts(with: mark) } + [bytes.count]
        return zip(starts, starts.dropFirst()).map { Array(bytes[$0..<$1]) }
    }

    /// The time of a picture: no whole number of nanoseconds, as many rates have.
    static func time(_ number: Int) -> Duration { .seconds(1) / 30 * number }

    /// The frame of a packet; its sequence number is its index.
    func frame(
        _ index: Int, sequence: Int64? = nil, discontinuity: Bool = false, bytes: [UInt8]? = nil,
        isKeyFrame: Bool? = nil
    ) throws -> VideoFrame {
        let packet = packets[index]
        let encoded = try (bytes ?? packet.bytes).withUnsafeBytes {
            try EncodedPacket(
                copying: $0, codec: codec, size: size, isKeyFrame: isKeyFrame ?? packet.isKeyFrame,
                sequence: sequence, discontinuity: discontinuity)
        }
        return VideoFrame(.encoded(encoded), presentationTime: Self.time(packet.number))
    }
}
