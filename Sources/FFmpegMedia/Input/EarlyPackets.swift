import CVitrailFFmpeg

/// Packets that were read in search of the streams, and are returned before others.
struct EarlyPackets: ~Copyable {
    private var packets: [UnsafeMutablePointer<AVPacket>] = []

    deinit {
        for packet in packets {
            var packet: UnsafeMutablePointer<AVPacket>? = packet
            av_packet_free(&packet)
        }
    }

    /// Moves what a packet has to the end; false if memory runs out.
    mutating func append(moving packet: UnsafeMutablePointer<AVPacket>) -> Bool {
        guard let kept = av_packet_alloc() else { return false }
        av_packet_move_ref(kept, packet)
        packets.append(kept)
        return true
    }

    /// Moves the first one into an empty packet; false if there is none.
    mutating func take(into packet: UnsafeMutablePointer<AVPacket>) -> Bool {
        guard !packets.isEmpty else { return false }
        var first: UnsafeMutablePointer<AVPacket>? = packets.removeFirst()
        av_packet_move_ref(packet, first)
        av_packet_free(&first)
        return true
    }
}
