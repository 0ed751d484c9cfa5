internal import Synchronization

/// What a source has received as packets of the video that is shown, since it was made.
public struct PacketTotals: Hashable, Sendable {
    /// The codec of the last packet; `nil` before the first.
    public var codec: PacketCodec?
    /// The number of packets.
    public var count = 0
    /// The bytes of all packets, without what carried them.
    public var bytes = 0

    /// Creates the totals of no packets.
    public init() {}
}

/// Counts the packets of a source, without a lock while the codec stays the same.
///
/// **Thread:** packets are noted on one at a time; the totals may be read on any.
final class PacketCounter: Sendable {
    private let count = Atomic(0)
    private let bytes = Atomic(0)
    private let codec = Monitor<PacketCodec?>(nil)
    /// Used only by the thread that notes packets.
    nonisolated(unsafe) private var last: PacketCodec?

    var totals: PacketTotals {
        var totals = PacketTotals()
        totals.codec = codec.withLock(\.self)
        (totals.count, totals.bytes) = (count.load(ordering: .relaxed), bytes.load(ordering: .relaxed))
        return totals
    }

    func note(_ packet: EncodedPacket) {
        count.add(1, ordering: .relaxed)
        bytes.add(packet.byteCount, ordering: .relaxed)
        let codec = packet.track.codec
        guard codec != last else { return }
        last = codec
        self.codec.withLock { $0 = codec }
    }
}
