/// The decoded packets whose pictures the decoder has not returned yet, by their presentation times.
///
/// Pictures are returned in the order in which they are shown. So if a later one has been returned, an earlier one
/// never will be.
///
/// **Cost:** every packet; allocates nothing in steady state.
struct AwaitedPictures {
    private struct Entry {
        var time: Duration
        var isDamaged: Bool
    }

    /// More packets than any decoder keeps before it returns their pictures.
    private static let maximumCount = 64

    /// In decoding order.
    private var entries: [Entry] = []

    /// Notes a packet.
    ///
    /// - Parameters:
    ///   - time: its presentation time.
    ///   - isDamaged: whether its picture depends on something that was lost.
    /// - Returns: how many earlier pictures turn out never to come.
    mutating func await(_ time: Duration, isDamaged: Bool) -> Int {
        if entries.capacity < Self.maximumCount { entries.reserveCapacity(Self.maximumCount) }
        entries.append(Entry(time: time, isDamaged: isDamaged))
        guard entries.count >= Self.maximumCount else { return 0 }
        entries.removeFirst()
        return 1
    }

    /// Notes the picture of a packet.
    ///
    /// - Parameters:
    ///   - time: its presentation time.
    ///   - isDamaged: whether the decoder says that parts of it are wrong; pictures decoded after it are wrong, too.
    /// - Returns: how many earlier pictures will not come, and whether this one is damaged or depends on a loss.
    mutating func take(_ time: Duration, isDamaged: Bool) -> (omitted: Int, isDamaged: Bool) {
        var result = (omitted: 0, isDamaged: isDamaged)
        var kept = 0
        var isAfter = false
        for entry in entries.indices {
            if entries[entry].time == time {
                result.isDamaged = result.isDamaged || entries[entry].isDamaged
                isAfter = true
            } else if entries[entry].time < time {
                result.omitted += 1
            } else {
                entries[kept] = entries[entry]
                if isAfter, isDamaged { entries[kept].isDamaged = true }
                kept += 1
            }
        }
        entries.removeLast(entries.count - kept)
        return result
    }

    /// Notes that the picture of the last packet is damaged, if it comes at all.
    mutating func spoilLast() {
        if !entries.isEmpty { entries[entries.count - 1].isDamaged = true }
    }

    /// Notes that no more pictures come.
    ///
    /// - Returns: how many of the awaited pictures will not come.
    mutating func end() -> Int {
        defer { entries.removeAll(keepingCapacity: true) }
        return entries.count
    }
}
