import MediaIO

/// The sign of a tile's state, drawn as outlines: each has a shape of its own, so that no colour is needed to tell them
/// apart.
///
/// All lengths are parts of the side of its square, from the upper left corner.
struct TileSign {
    /// A stroke of a sign.
    private enum Stroke {
        case line(SIMD2<Double>, SIMD2<Double>)
        case ring(SIMD2<Double>, Double)
        case disc(SIMD2<Double>, Double)

        /// The distance of a point from the middle of the stroke; of a disc, from its edge, negative inside of it.
        func distance(_ point: SIMD2<Double>) -> Double {
            switch self {
            case .line(let start, let end):
                let (along, to) = (end - start, point - start)
                let share = ((along * to).sum() / (along * along).sum()).clamped(to: 0...1)
                return Self.length(to - along * share)
            case .ring(let center, let radius): return abs(Self.length(point - center) - radius)
            case .disc(let center, let radius): return Self.length(point - center) - radius
            }
        }

        private static func length(_ vector: SIMD2<Double>) -> Double { (vector * vector).sum().squareRoot() }
    }

    private let strokes: [Stroke]

    /// The sign of a state; `step` is that of its movement, 0 to 2.
    init(_ state: TileState, step: Int = 0) {
        strokes =
            switch state {
            case .live: [.disc([0.5, 0.5], 0.34)]
            case .connecting: (0..<3).map { .disc([0.17 + 0.33 * Double($0), 0.5], $0 == step ? 0.15 : 0.08) }
            case .late: [.ring([0.5, 0.5], 0.4), .line([0.5, 0.5], [0.5, 0.24]), .line([0.5, 0.5], [0.68, 0.6])]
            case .stalled:
                Self.path([0.5, 0.1], [0.93, 0.86], [0.07, 0.86], [0.5, 0.1])
                    + [.line([0.5, 0.4], [0.5, 0.6]), .disc([0.5, 0.74], 0.05)]
            case .frozen:
                [
                    .line([0.5, 0.08], [0.5, 0.92]), .line([0.14, 0.29], [0.86, 0.71]),
                    .line([0.14, 0.71], [0.86, 0.29]),
                ]
            case .noSignal:
                Self.path([0.08, 0.2], [0.92, 0.2], [0.92, 0.72], [0.08, 0.72], [0.08, 0.2])
                    + [
                        .line([0.3, 0.9], [0.7, 0.9]), .line([0.34, 0.32], [0.66, 0.6]),
                        .line([0.66, 0.32], [0.34, 0.6]),
                    ]
            case .noVideo:
                Self.path([0.06, 0.28], [0.62, 0.28], [0.62, 0.72], [0.06, 0.72], [0.06, 0.28])
                    + Self.path([0.62, 0.46], [0.94, 0.32], [0.94, 0.68], [0.62, 0.54])
            case .offline: [.ring([0.5, 0.5], 0.4), .line([0.22, 0.78], [0.78, 0.22])]
            case .ended: Self.path([0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8], [0.2, 0.2])
            case .paused: [.line([0.34, 0.2], [0.34, 0.8]), .line([0.66, 0.2], [0.66, 0.8])]
            case .failed: [.line([0.2, 0.2], [0.8, 0.8]), .line([0.8, 0.2], [0.2, 0.8])]
            }
    }

    private static func path(_ points: SIMD2<Double>...) -> [Stroke] {
        zip(points, points.dropFirst()).map { .line($0, $1) }
    }

    /// Draws it.
    ///
    /// **Cost:** rare; about 1 ms for 100 pixels.
    /// - Parameter side: the width and height, in pixels, at least 1.
    /// - Returns: the image.
    func image(side: Int) -> CoverageImage {
        let half = max(0.75 / Double(side), 0.042)
        var bytes = [UInt8](repeating: 0, count: side * side)
        for row in 0..<side {
            for column in 0..<side {
                let point = (SIMD2(Double(column), Double(row)) + 0.5) / Double(side)
                var distance = Double.infinity
                for stroke in strokes {
                    let own = stroke.distance(point)
                    if case .disc = stroke {
                        distance = min(distance, own)
                    } else {
                        distance = min(distance, own - half)
                    }
                }
                // Half of a pixel whose centre is on the edge is covered.
                let coverage = (0.5 - distance * Double(side)).clamped(to: 0...1)
                bytes[row * side + column] = UInt8((coverage * 255).rounded())
            }
        }
        return CoverageImage(bytes, size: VideoSize(width: side, height: side), bytesPerRow: side)
    }
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
