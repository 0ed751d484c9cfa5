import CVitrailFFmpeg

/// Packets that were read in search of the streams, and are returned before others.
///
/// There are ``maximumCount`` at most, of ``maximumBytes`` together, besides the last one.
struct EarlyPackets: ~Copyable {
    /// The most packets: some seconds of sound.
    static let maximumCount = 1000
    /// The most bytes: as many as FFmpeg examines itself.
    static let maximumBytes = 5_000_000

    private var packets: [UnsafeMutablePointer<AVPacket>] = []
    private var byteCount = 0
    /// How many have been returned.
    private var taken = 0

    deinit {
        for packet in packets[taken...] {
            var packet: UnsafeMutablePointer<AVPacket>? = packet
            av_packet_free(&packet)
        }
    }

    /// Whether no more are to be read.
    var isFull: Bool { packets.count >= Self.maximumCount || byteCount >= Self.maximumBytes }

    /// Moves what a packet has to the end; false if memory runs out.
    mutating func append(moving packet: UnsafeMutablePointer<AVPacket>) -> Bool {
        guard let kept = av_packet_alloc() else { return false }
        av_packet_move_ref(kept, packet)
        byteCount += Int(kept.pointee.size)
        packets.append(kept)
        return true
    }

    /// Moves the first one into an empty packet; false if there is none.
    mutating func take(into packet: UnsafeMutablePointer<AVPacket>) -> Bool {
        guard taken < packets.count else { return false }
        var first: UnsafeMutablePointer<AVPacket>? = packets[taken]
        taken += 1
        av_packet_move_ref(packet, first)
        av_packet_free(&first)
        return true
    }
}
