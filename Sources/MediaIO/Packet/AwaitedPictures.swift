/// The decoded packets whose pictures the decoder has not returned yet, by the times that they were decoded with.
///
/// Pictures are returned in the order in which they are shown. So if a later one has been returned, an earlier one
/// never will be. A made-up time identifies a picture, but does not tell its place in that order: if such a picture does
/// not come, this turns out at the end, or after ``maximumCount`` packets.
///
/// **Cost:** every packet; allocates nothing in steady state.
struct AwaitedPictures {
    /// A decoded packet.
    struct Packet {
        /// The time that it was decoded with; other awaited packets have it only if the sender errs.
        var time: Duration
        /// Whether that is its presentation time; false if it has none, and the time was made up.
        var hasTime: Bool
        /// Whether its picture depends on something that was lost.
        var isDamaged: Bool
        /// Whether it is a key frame that decoding began with, at first or after a loss.
        var isRestart: Bool
    }

    /// What is known of a picture.
    struct Picture: Equatable {
        /// How many earlier pictures will not come.
        var omitted = 0
        /// Whether it is damaged, or may depend on something that was lost.
        var isDamaged: Bool
        /// Whether its packet has a presentation time; `nil` if the packet is unknown.
        var hasTime: Bool?
    }

    /// More packets than any decoder keeps before it returns their pictures.
    static let maximumCount = 64

    /// The time of the last picture that is known, and whether it is damaged.
    private var last: (time: Duration, isDamaged: Bool)?
    /// In decoding order.
    private var packets: [Packet] = []

    /// Notes a packet.
    ///
    /// - Returns: how many earlier pictures turn out never to come.
    mutating func await(_ packet: Packet) -> Int {
        if packets.capacity < Self.maximumCount { packets.reserveCapacity(Self.maximumCount) }
        packets.append(packet)
        guard packets.count >= Self.maximumCount else { return 0 }
        packets.removeFirst()
        return 1
    }

    /// Notes the picture of a packet.
    ///
    /// - Parameters:
    ///   - time: the time that the packet was decoded with.
    ///   - isDamaged: whether the decoder says that parts of it are wrong; pictures decoded after it are wrong, too.
    /// - Returns: what is known of it.
    mutating func take(_ time: Duration, isDamaged: Bool) -> Picture {
        // `firstIndex` allocates where it is not optimised, as in the tests that count allocations.
        var place: Int?
        for index in packets.indices where place == nil && packets[index].time == time { place = index }
        var picture = Picture(isDamaged: isDamaged, hasTime: place.map { packets[$0].hasTime })
        var kept = 0
        for index in packets.indices {
            let packet = packets[index]
            // If two have its time, it is unknown which of them is meant.
            if packet.time == time { picture.isDamaged = picture.isDamaged || packet.isDamaged }
            if index == place { continue }
            if packet.hasTime, picture.hasTime != false, packet.time < time {
                picture.omitted += 1
                continue
            }
            packets[kept] = packet
            if let place, index > place, isDamaged { packets[kept].isDamaged = true }
            // It is shown before the key frame that it was decoded after: it may depend on packets before that one.
            if let place, index < place, packet.isRestart { picture.isDamaged = true }
            kept += 1
        }
        packets.removeLast(packets.count - kept)
        if place != nil {
            last = (time, picture.isDamaged)
        } else if let last, last.time < time, last.isDamaged {
            // The second field of a picture that was deinterlaced has a time of its own.
            picture.isDamaged = true
        }
        return picture
    }

    /// Notes that the picture of the last packet is damaged, if it comes at all.
    mutating func spoilLast() {
        if !packets.isEmpty { packets[packets.count - 1].isDamaged = true }
    }

    /// Notes that no more pictures come.
    ///
    /// - Returns: how many of the awaited pictures will not come.
    mutating func end() -> Int {
        defer {
            packets.removeAll(keepingCapacity: true)
            last = nil
        }
        return packets.count
    }
}
