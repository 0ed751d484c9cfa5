/// Random numbers that are the same in every run: xorshift64* (Vigna, 2016).
public struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// Starts a sequence; 0 is taken as 1, because the generator would stay there.
    public init(seed: UInt64) { state = max(1, seed) }

    /// The next number of the sequence.
    public mutating func next() -> UInt64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 0x2545_F491_4F6C_DD1D
    }
}
