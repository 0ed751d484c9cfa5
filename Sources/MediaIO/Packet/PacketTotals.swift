/// What a source has received as packets of the video that is shown, since it was made.
public struct PacketTotals: Hashable, Sendable {
    /// The codec of the last packet; `nil` before the first.
    public internal(set) var codec: PacketCodec?
    /// The number of packets.
    public internal(set) var count = 0
    /// The bytes of all packets, without what carried them.
    public internal(set) var bytes = 0

    /// Creates the totals of no packets.
    public init() {}

    mutating func note(_ packet: EncodedPacket) {
        codec = packet.track.codec
        count += 1
        bytes += packet.byteCount
    }
}
