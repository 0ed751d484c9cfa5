internal import Synchronization

/// The memory that the rings of several streams share.
///
/// When they need more than they may, the largest ring releases its oldest packets first: so streams with many bits are
/// looked back at for less time than others, and none is left without.
///
/// **Thread:** any.
public final class PacketRings: Sendable {
    private struct Weak: Sendable {
        weak let ring: PacketRing?
    }

    /// The most memory that all rings together use, in bytes; 0 for no ring.
    public let byteCount: Int
    /// How far each goes back at most, and further only up to a key frame.
    public let duration: Duration
    private let rings = Monitor<[Weak]>([])
    private let used = Atomic(0)

    /// Describes rings.
    ///
    /// - Parameters:
    ///   - byteCount: the most memory that all together use.
    ///   - duration: how far each goes back.
    public init(byteCount: Int, duration: Duration) { (self.byteCount, self.duration) = (byteCount, duration) }

    /// Makes a ring that is empty.
    public func makeRing() -> PacketRing {
        let ring = PacketRing(self)
        rings.withLock { rings in
            rings.removeAll { $0.ring == nil }
            rings.append(Weak(ring: ring))
        }
        return ring
    }

    /// The memory that all rings together use, in bytes.
    public var usedByteCount: Int { used.load(ordering: .relaxed) }

    /// Notes that a ring uses more memory, or less, and makes room.
    func note(_ change: Int) {
        guard used.add(change, ordering: .relaxed).newValue > byteCount, change > 0 else { return }
        // A little more than needed: otherwise each packet would look for the largest ring.
        let wanted = byteCount - byteCount / 64
        // A ring that is released in here must not find the list locked.
        let rings = rings.withLock { $0.compactMap(\.ring) }
        while usedByteCount > wanted, let largest = rings.max(by: { $0.byteCount < $1.byteCount }) {
            guard largest.removeOldest() else { return }
        }
    }

    /// Notes that a ring has made room.
    func noteRoom(_ byteCount: Int) { used.subtract(byteCount, ordering: .relaxed) }
}
