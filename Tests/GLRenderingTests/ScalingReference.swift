import Foundation
import MediaIO
import VideoWall

/// Scaling by plain arithmetic in `Double`, one axis after the other, written to be obvious.
struct ScalingReference {
    let filter: ScalingFilter
    /// Whether the averaged values are light.
    var isLinearLight = false

    /// Scales rows of pixels; a pixel has any number of components.
    func scaled(_ rows: [[[Double]]], to size: VideoSize) -> [[[Double]]] {
        let across = Double(rows[0].count) / Double(size.width)
        let down = Double(rows.count) / Double(size.height)
        let isReduced = max(across, down) > 1
        let wide = rows.map { row in
            (0..<size.width).map { x in weighted(row, center: (Double(x) + 0.5) * across, ratio: across, isReduced) }
        }
        return (0..<size.height).map { y in
            (0..<size.width).map { x in
                weighted(wide.map { $0[x] }, center: (Double(y) + 0.5) * down, ratio: down, isReduced)
            }
        }
    }

    /// The weighted mean of a line of samples around a place, where sample i lies at i + 0.5 and the outermost go on for ever.
    func weighted(_ line: [[Double]], center: Double, ratio: Double, _ isReduced: Bool = false) -> [Double] {
        if filter == .nearest { return line[min(line.count - 1, Int(center))] }
        // Four samples are four samples, however many there are.
        let isNarrow = !isLinearLight && (filter == .bilinear || filter == .automatic && !isReduced)
        let width = isNarrow ? 1 : max(1, ratio)
        var sum = [Double](repeating: 0, count: line[0].count)
        var total = 0.0
        for index in Int(center - 3 * width) - 2...Int(center + 3 * width) + 2 {
            let weight = kernel(abs(Double(index) + 0.5 - center) / width)
            for (part, value) in line[min(line.count - 1, max(0, index))].enumerated() { sum[part] += weight * value }
            total += weight
        }
        return sum.map { $0 / total }
    }

    /// The textbook's polynomials, multiplied out.
    private func kernel(_ x: Double) -> Double {
        func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(.pi * x) / (.pi * x) }
        switch filter {
        case .nearest, .automatic, .bilinear: return max(0, 1 - x)
        case .catmullRom:
            if x < 1 { return 1.5 * x * x * x - 2.5 * x * x + 1 }
            return x < 2 ? -0.5 * x * x * x + 2.5 * x * x - 4 * x + 2 : 0
        case .mitchell:
            if x < 1 { return 7.0 / 6 * x * x * x - 2 * x * x + 8.0 / 9 }
            return x < 2 ? -7.0 / 18 * x * x * x + 2 * x * x - 10.0 / 3 * x + 16.0 / 9 : 0
        case .lanczos: return x < 3 ? sinc(x) * sinc(x / 3) : 0
        }
    }

    /// IEC 61966-2-1.
    static func light(_ code: Double) -> Double { code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4) }

    /// The inverse.
    static func code(_ light: Double) -> Double {
        let light = min(1, max(0, light))
        return light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
}
