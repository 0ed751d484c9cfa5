import Glibc
import VideoWall

/// How one axis of a frame becomes an axis of a picture: the rules of the shaders, which are in `pixel.glsl`,
/// `scale.direct.glsl` and `scale.across.frag.glsl`.
package struct AxisScaling: Hashable {
    /// The number of pixels in the picture.
    var count = 0
    /// The source position of the first pixel's outer edge, in luma samples.
    var origin: Double
    /// From one pixel to the next, in luma samples; negative against the direction in memory.
    var step = 0.0
    /// The number of luma samples.
    var length: Int
    /// The first and the last luma sample that are shown.
    var first: Int
    var last: Int
    /// The binary logarithm of luma samples per chroma sample.
    var shift: Int
    /// Luma samples to add for the chroma siting.
    var chromaShift: Double
    var method: ScalingMethod
    /// Whether positions beyond the visible part read its outermost samples, with chroma at the centres of these.
    var isBounded: Bool

    /// The number of chroma samples.
    var chromaLength: Int { (length + (1 << shift) - 1) >> shift }

    /// The taps of luma, or of any component that is not subsampled.
    package func luma() -> AxisTaps {
        AxisTaps(count, length: length) { lumaSamples($0).map { WeightedSample(index: $0.index, weight: $0.weight) } }
    }

    /// The taps of chroma.
    func chroma() -> AxisTaps {
        AxisTaps(count, length: chromaLength) { pixel in
            switch method {
            case .nearest: return [WeightedSample(index: nearestChroma(center(pixel)), weight: 1)]
            // The position itself, where luma is the nearest sample or the mean of two.
            case .aligned, .direct: return chromaSamples(isBounded ? clamped(center(pixel)) : center(pixel), 1)
            case .kernel:
                return lumaSamples(pixel).flatMap { chromaSamples(Double($0.index) + 0.5, $0.weight) }
            }
        }
    }

    /// The taps of chroma at each luma sample.
    func chromaOfSamples() -> AxisTaps {
        AxisTaps(length, length: chromaLength) { sample in
            let place = Double(min(max(sample, first), last)) + 0.5
            return method == .nearest
                ? [WeightedSample(index: nearestChroma(place), weight: 1)] : chromaSamples(place, 1)
        }
    }

    private func center(_ pixel: Int) -> Double {
        origin + (Double(pixel) + 0.5) * step - method.tieBias
    }

    /// Within the centres of the outermost samples that are shown.
    private func clamped(_ place: Double) -> Double { min(max(place, Double(first) + 0.5), Double(last) + 0.5) }

    private func nearest(_ place: Double) -> Int { min(max(Int(place.rounded(.down)), first), last) }

    private func nearestChroma(_ place: Double) -> Int {
        let index = Int((place / Double(1 << shift)).rounded(.down))
        return min(max(index, first >> shift), last >> shift)
    }

    /// Two samples around a position, weighted by distance.
    private func pair(_ place: Double, _ low: Int, _ high: Int, _ weight: Double) -> [WeightedSample] {
        let within = min(max(place, Double(low) + 0.5), Double(high) + 0.5) - 0.5
        let index = min(Int(within), max(low, high - 1))
        let second = within - Double(index)
        guard second > 0 else { return [WeightedSample(index: index, weight: weight)] }
        return [
            WeightedSample(index: index, weight: weight * (1 - second)),
            WeightedSample(index: index + 1, weight: weight * second),
        ]
    }

    private func chromaSamples(_ place: Double, _ weight: Double) -> [WeightedSample] {
        pair((place + chromaShift) / Double(1 << shift), first >> shift, last >> shift, weight)
    }

    private func lumaSamples(_ pixel: Int) -> [WeightedSample] {
        let center = center(pixel)
        switch method {
        case .nearest, .aligned: return [WeightedSample(index: nearest(center), weight: 1)]
        case .direct: return pair(center, first, last, 1)
        case .kernel(let kernel):
            let reduction = kernel.reduction(step)
            let reach = Double(kernel.radius) * reduction
            var samples: [WeightedSample] = []
            var place = (center - reach - 0.5).rounded(.up) + 0.5
            while place < center + reach {
                let weight = kernel.weight(abs(place - center) / reduction)
                if weight != 0 { samples.append(WeightedSample(index: nearest(place), weight: weight)) }
                place += 1
            }
            return samples
        }
    }
}

extension ScalingMethod.Kernel {
    /// The weight at a distance in samples; `kernels.glsl` has the sources.
    fileprivate func weight(_ x: Double) -> Double {
        switch self {
        case .bilinear, .tent, .pairedTent: max(0, 1 - x)
        case .catmullRom: Self.cubic(x, b: 0, c: 0.5)
        case .mitchell: Self.cubic(x, b: 1.0 / 3, c: 1.0 / 3)
        case .lanczos: x < 1e-4 ? 1 : x < 3 ? 3 * sin(.pi * x) * sin(.pi * x / 3) / (.pi * .pi * x * x) : 0
        }
    }

    private static func cubic(_ x: Double, b: Double, c: Double) -> Double {
        if x < 1 {
            let (cube, square) = (12 - 9 * b - 6 * c, -18 + 12 * b + 6 * c)
            return (cube * x + square) * x * x / 6 + (1 - b / 3)
        }
        guard x < 2 else { return 0 }
        let (cube, square, line) = (-b - 6 * c, 6 * b + 30 * c, -12 * b - 48 * c)
        return ((cube * x + square) * x + line) * x / 6 + (8 * b + 24 * c) / 6
    }
}
