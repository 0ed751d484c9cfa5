import CVitrailFFmpeg
import MediaIO

/// One of FFmpeg's packets, whose reference-counted bytes an ``EncodedPacket`` shares, with its side data.
///
/// **Thread:** any: nobody changes it after it was made.
final class SharedPacket: PacketExtras, @unchecked Sendable {
    // Unchecked: written once, before it is shared.
    let packet: UnsafeMutablePointer<AVPacket>

    /// Takes over the content of a packet, which is empty afterwards; `nil` if memory runs out.
    init?(moving source: UnsafeMutablePointer<AVPacket>) {
        // A demuxer may lend bytes that are only valid until its next packet.
        guard av_packet_make_refcounted(source) >= 0, let packet = av_packet_alloc() else { return nil }
        av_packet_move_ref(packet, source)
        self.packet = packet
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&packet)
    }

    /// The bytes.
    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size))
    }

    /// When the sender says that it was captured, since 1970; `nil` if it does not.
    var captureTime: Duration? {
        var size = 0
        guard let data = av_packet_get_side_data(packet, AV_PKT_DATA_PRFT, &size),
            size >= MemoryLayout<AVProducerReferenceTime>.size
        else { return nil }
        let reference = UnsafeRawPointer(data).loadUnaligned(as: AVProducerReferenceTime.self)
        return .microseconds(reference.wallclock)
    }

    /// Whether it has side data that a decoder or a container may need, which no demuxer gives all packets.
    var hasExtras: Bool {
        for index in 0..<Int(packet.pointee.side_data_elems) {
            let type = packet.pointee.side_data[index].type
            if type != AV_PKT_DATA_MPEGTS_STREAM_ID, type != AV_PKT_DATA_PRFT { return true }
        }
        return false
    }
}
