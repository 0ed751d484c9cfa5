/// Reads the bits of a unit of H.264, without the bytes that keep start codes out of it: ITU-T H.264, 7.3.1 and 7.2.
///
/// Behind the end, all bits are 0 and ``isOver`` is true.
///
/// **Cost:** allocates nothing.
struct UnitBits {
    private let bytes: Slice<UnsafeRawBufferPointer>
    private var place: Int
    private var zeroBytes = 0
    private var current: UInt8 = 0
    private var remaining = 0
    /// Whether more was read than there is.
    private(set) var isOver = false

    /// - Parameter bytes: the unit's bytes behind its header.
    init(_ bytes: Slice<UnsafeRawBufferPointer>) { (self.bytes, place) = (bytes, bytes.startIndex) }

    /// The next bit: u(1).
    mutating func flag() -> Bool { number(1) == 1 }

    /// The number in so many of the next bits, at most 32: u(n).
    mutating func number(_ count: Int) -> Int {
        var value = 0
        for _ in 0..<count {
            if remaining == 0 { nextByte() }
            remaining -= 1
            value = value << 1 | Int(current >> remaining & 1)
        }
        return value
    }

    /// The next number of variable length: ue(v), clause 9.1.
    mutating func unsigned() -> Int {
        var zeros = 0
        while !flag() {
            zeros += 1
            guard zeros <= 32, !isOver else {
                isOver = true
                return 0
            }
        }
        return 1 << zeros - 1 + number(zeros)
    }

    /// The next number of variable length that has a sign: se(v), clause 9.1.1.
    mutating func signed() -> Int {
        let code = unsigned()
        return code & 1 == 1 ? (code + 1) / 2 : -(code / 2)
    }

    private mutating func nextByte() {
        (current, remaining) = (0, 8)
        if zeroBytes >= 2, place < bytes.endIndex, bytes[place] == 3 { (place, zeroBytes) = (place + 1, 0) }
        guard place < bytes.endIndex else { return isOver = true }
        current = bytes[place]
        place += 1
        zeroBytes = current == 0 ? zeroBytes + 1 : 0
    }
}
