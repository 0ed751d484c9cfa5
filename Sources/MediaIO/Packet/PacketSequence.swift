/// Counts missing packets by the sequence numbers of those that arrive.
struct PacketSequence {
    /// The position of a packet relative to those before it.
    enum Step: Equatable {
        /// The next packet, as far as its number tells.
        case next
        /// The first packet after a loss; the number of lost packets follows from the numbers.
        case gap(missing: Int)
        /// A packet that came twice, or too late.
        case old
    }

    /// If a packet is this far behind the newest one, or farther, the sender has started to count anew.
    static let longestDelay = 16
    /// If a gap is larger than this, the sender has started to count anew.
    static let longestGap = 10_000

    private var last: Int64?

    /// Notes that so many packets were left out, so that they are no gap.
    mutating func skip(_ count: Int) { last = last.map { $0.addingReportingOverflow(Int64(count)).partialValue } }

    /// Notes the next packet that arrives.
    mutating func note(_ packet: EncodedPacket) -> Step {
        let previous = last
        guard let number = packet.marks.sequence, let previous else {
            last = packet.marks.sequence
            return packet.marks.discontinuity ? .gap(missing: 0) : .next
        }
        let (distance, isTooFar) = number.subtractingReportingOverflow(previous)
        let isMarked = packet.marks.discontinuity
        if !isTooFar, !isMarked, (1 - Int64(Self.longestDelay)...0).contains(distance) { return .old }
        last = number
        if isTooFar || distance < 1 || distance > Self.longestGap { return .gap(missing: 0) }
        return distance == 1 && !isMarked ? .next : .gap(missing: Int(distance) - 1)
    }
}
