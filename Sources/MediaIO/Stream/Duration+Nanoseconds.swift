extension Duration {
    /// Whole nanoseconds, rounded towards zero, and clamped to some 285 years: the unit of the decoders of packets.
    package var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return min(max(seconds, -9_000_000_000), 9_000_000_000) * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
