/// Taps in 16-bit integers; those of a pixel have exactly the sum 1.
struct FixedTaps {
    let taps: Int
    /// The fractional bits of the weights: as many as fit.
    let bits: Int
    let bases: [Int32]
    private(set) var weights: [Int16]

    /// Rounds weights.
    ///
    /// - Parameters:
    ///   - axis: the taps.
    ///   - multiple: the number of taps of a pixel is rounded up to a multiple of this.
    ///   - mostBits: the most fractional bits.
    init(_ axis: AxisTaps, multiple: Int, mostBits: Int) {
        taps = (axis.taps + multiple - 1) / multiple * multiple
        let largest = axis.weights.reduce(0) { max($0, abs($1)) }
        var bits = mostBits
        // Rounding adds less than 1.
        while bits > 0, Double(largest) * Double(1 << bits) > 32_766 { bits -= 1 }
        (self.bits, bases) = (bits, axis.bases)
        weights = [Int16](repeating: 0, count: axis.count * taps)
        for pixel in 0..<axis.count {
            let total = (0..<axis.taps).reduce(0) { $0 + Double(axis.weight(pixel, $1)) }
            // The sum up to each tap is rounded, so that errors of neighbours cancel, and the last sum is exact.
            var (sum, rounded) = (0.0, 0)
            for tap in 0..<axis.taps where axis.weight(pixel, tap) != 0 {
                sum += Double(axis.weight(pixel, tap)) / total
                let next = Int((sum * Double(1 << bits)).rounded())
                weights[pixel * taps + tap] = Int16(next - rounded)
                rounded = next
            }
        }
    }
}

/// Two neighbouring rows for each row of a picture, and the weight of the second, with 32768 for 1.
struct TwoRows {
    private(set) var rows: [Int32] = []
    private(set) var weights: [Int16] = []

    /// Makes the tables; `nil` if a weight is negative.
    init?(_ axis: AxisTaps) {
        for pixel in 0..<axis.count {
            let second = axis.taps == 2 ? axis.weight(pixel, 1) : 0
            guard (0...1).contains(second) else { return nil }
            let weight = (second * 32_768).rounded()
            let isSecond = weight > 32_767
            rows.append(axis.bases[pixel] + (isSecond ? 1 : 0))
            weights.append(isSecond ? 0 : Int16(weight))
        }
    }
}

/// The tables of `VitrailAcrossPairs`.
struct PairTable {
    /// Windows of 16 samples for eight columns.
    let windows: Int
    private(set) var bases: [Int32] = []
    private(set) var shuffles: [UInt8]
    private(set) var weights: [Int16]

    /// Makes the tables; `nil` if there are more than two taps, or if they are too far apart.
    ///
    /// - Parameters:
    ///   - axis: the taps.
    ///   - width: the number of samples in a row.
    init?(_ axis: AxisTaps, width: Int) {
        guard axis.taps <= 2, let two = TwoRows(axis) else { return nil }
        let count = (axis.count + 15) / 16 * 16
        func sample(_ column: Int) -> Int { Int(two.rows[min(column, axis.count - 1)]) }
        func second(_ column: Int) -> Int {
            let weight = two.weights[min(column, axis.count - 1)]
            return sample(column) + (weight > 0 ? 1 : 0)
        }
        let groups = (0..<count / 8).map { group in
            let columns = group * 8..<group * 8 + 8
            return (low: columns.map(sample).min() ?? 0, high: columns.map(second).max() ?? 0)
        }
        windows = ((groups.map { $0.high - $0.low }.max() ?? 0) + 16) / 16
        guard windows <= 4 else { return nil }
        shuffles = [UInt8](repeating: 128, count: windows * count * 2)
        weights = (0..<count).map { $0 < axis.count ? two.weights[$0] : 0 }
        for (group, reach) in groups.enumerated() {
            // Windows end with the row, unless the row is shorter.
            let base = min(reach.low, max(0, width - 16 * windows))
            bases.append(Int32(base))
            for column in group * 8..<group * 8 + 8 {
                for (part, sample) in [sample(column), second(column)].enumerated() {
                    let place = sample - base
                    shuffles[place / 16 * count * 2 + column * 2 + part] = UInt8(place % 16)
                }
            }
        }
    }
}
