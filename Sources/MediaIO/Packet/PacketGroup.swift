/// What owns the bytes of a packet, and may have more of it than they say.
package protocol PacketExtras: AnyObject {
    /// Whether a copy of the bytes is less than the packet.
    var hasExtras: Bool { get }
}

/// Packets of a ring that can be decoded without others: the first is a key frame.
///
/// It copies their bytes, so that what they need of memory is known: a demuxer needs a kilobyte or two more for each.
struct PacketGroup {
    /// A packet, without what it has in common with others.
    private struct Kept {
        enum Content {
            case copy(UnsafeRawBufferPointer, PacketChunk)
            case original(EncodedPacket)
        }

        let content: Content
        let track: Int
        let timing: EncodedPacket.Timing
        let marks: EncodedPacket.Marks
        let time: Duration?
        let attributes: FrameAttributes?
        let arrival: MonotonicTime
        var moment: MonotonicTime
    }

    /// What an original needs beside its bytes.
    private static let extras = 2000
    /// What is written of the last page of a chunk, and the allocator's own.
    private static let roundedUp = 4096

    private var tracks: [TrackInfo] = []
    private var packets: [Kept] = []
    private var chunk: PacketChunk?
    /// What the bytes of its packets need of memory.
    private var contentByteCount = 0

    /// Makes an empty group.
    ///
    /// - Parameter capacity: the packets that it will probably have, so that it allocates about once.
    init(capacity: Int) { packets.reserveCapacity(capacity) }

    /// What its packets need of memory, in bytes.
    var byteCount: Int {
        contentByteCount + packets.capacity * MemoryLayout<Kept>.stride + tracks.count * MemoryLayout<TrackInfo>.stride
    }

    /// The number of its packets.
    var count: Int { packets.count }

    /// When its first packet arrived; it must have one.
    var begin: MonotonicTime { packets[0].arrival }

    /// When its first picture was captured; it must have one.
    var moment: MonotonicTime { packets[0].moment }

    /// When its pictures were captured.
    var pictureMoments: [MonotonicTime] {
        packets.lazy.filter { tracks[$0.track].kind == .video }.map(\.moment)
    }

    /// When the picture with a time was captured; `nil` if it is not in the group.
    func moment(ofPictureAt time: Duration) -> MonotonicTime? {
        packets.last { tracks[$0.track].kind == .video && ($0.time ?? $0.timing.presentation) == time }?.moment
    }

    /// When its last packet arrived; it must have one.
    var end: MonotonicTime { packets[packets.count - 1].arrival }

    /// Adds a packet.
    ///
    /// - Parameter entry: the packet.
    /// - Returns: false if memory runs out.
    mutating func append(_ entry: PacketRing.Entry) -> Bool {
        let packet = entry.packet
        guard let content = content(packet) else { return false }
        packets.append(
            Kept(
                content: content, track: index(of: packet.track), timing: packet.timing, marks: packet.marks,
                time: entry.time, attributes: entry.attributes, arrival: entry.arrival, moment: entry.moment))
        return true
    }

    /// Moves the moments of its pictures to when they were captured at the latest.
    mutating func correct(_ correction: PictureClock.Correction) {
        for index in packets.indices where tracks[packets[index].track].kind == .video {
            guard packets[index].arrival >= correction.begin else { continue }
            guard let time = packets[index].time ?? packets[index].timing.presentation else { continue }
            packets[index].moment = min(packets[index].moment, correction.latest(time))
        }
    }

    private mutating func content(_ packet: EncodedPacket) -> Kept.Content? {
        if (packet.owner as? any PacketExtras)?.hasExtras == true {
            contentByteCount += packet.byteCount + Self.extras
            return .original(packet)
        }
        return packet.withUnsafeBytes { bytes in
            if let chunk, let copy = chunk.copy(bytes) {
                contentByteCount += bytes.count + EncodedPacket.padding
                return .copy(copy, chunk)
            }
            chunk = PacketChunk(for: bytes.count)
            guard let chunk, let copy = chunk.copy(bytes) else { return nil }
            contentByteCount += bytes.count + EncodedPacket.padding + Self.roundedUp
            return .copy(copy, chunk)
        }
    }

    private mutating func index(of track: TrackInfo) -> Int {
        for index in tracks.indices.reversed() where tracks[index].isSame(as: track) { return index }
        tracks.append(track)
        return tracks.count - 1
    }

    /// A packet, as it came.
    subscript(index: Int) -> PacketRing.Entry {
        let kept = packets[index]
        let packet =
            switch kept.content {
            case .copy(let bytes, let chunk):
                EncodedPacket(bytes, chunk, of: tracks[kept.track], kept.timing, kept.marks)
            case .original(let packet): packet
            }
        return PacketRing.Entry(
            packet: packet, time: kept.time, attributes: kept.attributes, arrival: kept.arrival, moment: kept.moment)
    }
}

extension TrackInfo {
    /// Whether both say the same of their packets.
    fileprivate func isSame(as other: TrackInfo) -> Bool {
        id == other.id && isDecodedLike(other) && kind == other.kind && isMain == other.isMain && size == other.size
            && frameRate == other.frameRate && sampleRate == other.sampleRate && channelCount == other.channelCount
            && language == other.language && attributes == other.attributes
    }
}
