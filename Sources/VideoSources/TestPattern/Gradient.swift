import MediaIO

/// Red and green rise and fall over the width, a third of a period apart, and drift to the left; blue rises downwards.
struct Gradient {
    /// The size of the frame.
    let size: VideoSize
    /// The width that sets the speed: that of the unreduced frame.
    let fullWidth: Int
    /// The number of columns until red and green repeat.
    ///
    /// It is even, as the steps are, so that luma and chroma move together, and long enough for the steps.
    var period: Int { Self.period(size.width) }

    private static func period(_ width: Int) -> Int { max(64, width + width & 1) }

    /// The number of columns by which the colours of frame `index` have moved: less than a period.
    func drift(_ index: Int) -> Int {
        let full = Self.period(fullWidth)
        return index % full * max(2, full / 256 & ~1) % full * period / full & ~1
    }

    /// Red and green of a column before the drift.
    func color(column: Int) -> SIMD3<Double> { SIMD3(wave(column), wave(column + period / 3), 0) }

    /// The blue of a row.
    func blue(row: Int) -> Double { Double(row) / Double(max(1, size.height - 1)) }

    private func wave(_ position: Int) -> Double {
        1 - abs(2 * Double(position % period) / Double(period) - 1)
    }
}

extension Gradient {
    /// The gradient as rows of colours.
    struct Rows: PatternRows {
        private let gradient: Gradient
        private let columns: [SIMD3<Double>]

        init(_ gradient: Gradient) {
            let size = gradient.size
            self.gradient = gradient
            self.columns = (0..<size.width + gradient.period).map(gradient.color)
        }

        func paint(_ y: Int, of index: Int, into row: UnsafeMutableBufferPointer<SIMD3<Double>>) {
            let (drift, blue) = (gradient.drift(index), SIMD3(0, 0, gradient.blue(row: y)))
            for x in row.indices { row[x] = columns[drift + x] + blue }
        }
    }
}
