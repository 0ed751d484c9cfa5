/// The samples of a row or a column that each pixel of a picture needs, and their weights.
///
/// Every pixel has `taps` samples from `bases[pixel]` on, all inside the plane; those that it does not need have the
/// weight 0.
package struct AxisTaps {
    let taps: Int
    package private(set) var bases: [Int32]
    private(set) var weights: [Float]

    /// The number of pixels.
    var count: Int { bases.count }

    /// Lists samples.
    ///
    /// - Parameters:
    ///   - count: the number of pixels.
    ///   - length: the number of samples, at least 1.
    ///   - samples: the indexes and weights of a pixel's samples, in any order; each index may come more than once.
    init(_ count: Int, length: Int, _ samples: (Int) -> [WeightedSample]) {
        let all = (0..<count).map(samples)
        var most = 1
        for list in all {
            let (low, high) = Self.reach(list)
            most = max(most, high - low + 1)
        }
        taps = most
        bases = []
        weights = [Float](repeating: 0, count: count * most)
        bases.reserveCapacity(count)
        for (pixel, list) in all.enumerated() {
            let base = min(Self.reach(list).low, length - most)
            let total = list.reduce(0) { $0 + $1.weight }
            bases.append(Int32(base))
            for sample in list where sample.weight != 0 {
                weights[pixel * most + sample.index - base] += Float(sample.weight / total)
            }
        }
    }

    private static func reach(_ list: [WeightedSample]) -> (low: Int, high: Int) {
        var (low, high) = (Int.max, Int.min)
        for sample in list where sample.weight != 0 {
            low = min(low, sample.index)
            high = max(high, sample.index)
        }
        return (low, high)
    }

    /// The weight of sample `bases[pixel] + tap`.
    func weight(_ pixel: Int, _ tap: Int) -> Float { weights[pixel * taps + tap] }

    /// Where a pixel's one sample, or the mean of its two, lies among the samples.
    func place(_ pixel: Int) -> Double {
        Double(bases[pixel]) + (taps == 2 ? Double(weight(pixel, 1)) : 0)
    }

    /// Whether each pixel is the sample with its own number.
    var isIdentity: Bool {
        taps == 1 && bases.indices.allSatisfy { bases[$0] == Int32($0) && weights[$0] == 1 }
    }
}

/// A sample and its weight.
struct WeightedSample {
    var index: Int
    var weight: Double
}
