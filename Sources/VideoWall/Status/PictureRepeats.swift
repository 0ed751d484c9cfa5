import MediaIO

/// Notices that a source delivers the same picture again and again.
///
/// Once a second at most, the newest frame is compared with the last one that was looked at, by a hash of every fourth row
/// of its first plane. A frame that is not in memory, such as a texture, is never the same.
///
/// **Cost:** once a second, about 0.05 ms for a frame of 1920x1080; allocates nothing.
struct PictureRepeats {
    private var hash: UInt64?
    private var lookedAt: MonotonicTime?
    /// When the picture was first seen.
    private(set) var since: MonotonicTime?
    /// The longest time, in seconds, for which the source has repeated a picture, which it slowly forgets.
    private var longest = 0.0
    private var hasMoved = false

    private static let pause = Duration.seconds(1)
    /// After a longer time without frames, as of a hidden tile, nobody knows what the source has sent meanwhile.
    private static let longestGap = Duration.seconds(5)
    /// A repetition of an hour is forgotten in about as long.
    private static let memory = 0.9997

    /// Notes a new frame.
    mutating func note(_ frame: VideoFrame, at arrival: MonotonicTime) {
        guard lookedAt.map({ arrival - $0 >= Self.pause }) ?? true else { return }
        let new = Self.hash(of: frame)
        defer { (hash, lookedAt) = (new, arrival) }
        let isGap = lookedAt.map { arrival - $0 > Self.longestGap } ?? false
        guard let new, new == hash, since != nil, !isGap else {
            if let since, let lookedAt, hash != nil, !isGap {
                longest = max(longest * Self.memory, (lookedAt - since) / .seconds(1))
                hasMoved = true
            }
            since = arrival
            return
        }
    }

    /// Forgets everything, as after another connection.
    mutating func forget() { self = PictureRepeats() }

    /// From when on the picture counts as frozen; `nil` if it does not as far as is known.
    func frozenTime(after least: Duration) -> MonotonicTime? {
        guard hasMoved, let since, let lookedAt, lookedAt > since else { return nil }
        let time = since + max(least, .seconds(3 * longest))
        return time <= lookedAt ? time : nil
    }

    private static func hash(of frame: VideoFrame) -> UInt64? {
        guard case .planes(let buffer) = frame.image else { return nil }
        let (size, description) = (buffer.size, buffer.format.planes[0])
        return buffer.withPlane(0) { plane in
            // Two lanes, because each step waits for the one before it in its lane.
            var (first, second): (UInt64, UInt64) = (0xcbf2_9ce4_8422_2325, 0x9e37_79b9_7f4a_7c15)
            var index = 0
            while index < description.height(size) {
                let row = plane.row(index, description, size)
                var place = 0
                while place + 16 <= row.count {
                    first = mixed(first, row.loadUnaligned(fromByteOffset: place, as: UInt64.self))
                    second = mixed(second, row.loadUnaligned(fromByteOffset: place + 8, as: UInt64.self))
                    place += 16
                }
                while place < row.count {
                    first = mixed(first, UInt64(row[place]))
                    place += 1
                }
                index += 4
            }
            return mixed(first, second)
        }
    }

    /// A step of the hash FNV-1a, with whole words; the high half is folded in, since a product carries only upwards.
    private static func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let product = (hash ^ word) &* 0x9e37_79b9_7f4a_7c15
        return product ^ (product >> 32)
    }
}
