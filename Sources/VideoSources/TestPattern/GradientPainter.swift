import MediaIO

/// Red and green rise and fall over the width, out of step, and drift to the left; blue rises from top to bottom.
///
/// Each code value is the sum of a part of its column and a part of its row, both made once in 16.16 fixed point.
struct GradientPainter: PatternPainter {
    private struct Ramp {
        let columns: [Int32]
        let rows: [Int32]
    }

    private let size: VideoSize
    /// Y, Cb and Cr; those of chroma have a value for every second column and row.
    private let ramps: [Ramp]
    private let period: Int
    private let step: Int
    private let descriptions: [PlaneDescription]

    init(size: VideoSize, format: PixelFormat, codes: CodeValues) {
        // Even, as are the steps, so that luma and chroma move together; never so short that nothing moves.
        let period = max(64, size.width + size.width & 1)
        func wave(_ position: Int) -> Double {
            let phase = Double(position % period) / Double(period)
            return 1 - abs(2 * phase - 1)
        }
        let (zero, blue) = (codes.exact(SIMD3(0, 0, 0)), codes.exact(SIMD3(0, 0, 1)))
        self.ramps = (0..<3).map { component in
            let shift = component == 0 ? 0 : 1
            let columns = stride(from: 0, to: size.width + period, by: 1 << shift).map { x in
                // Half a code value is added here, once, so that cutting off the fraction rounds.
                let color = SIMD3(wave(x), wave(x + period / 3), 0)
                return Int32((codes.exact(color)[component] + 0.5) * 65_536)
            }
            let rows = stride(from: 0, to: size.height, by: 1 << shift).map { y in
                let part = Double(y) / Double(max(1, size.height - 1))
                return Int32((part * (blue[component] - zero[component]) * 65_536).rounded())
            }
            return Ramp(columns: columns, rows: rows)
        }
        self.size = size
        self.period = period
        self.step = max(2, period / 256 & ~1)
        self.descriptions = format.planes
    }

    func paint(_ index: Int, into planes: borrowing WritablePlanes) {
        let drift = index % period * step % period
        for plane in descriptions.indices {
            let description = descriptions[plane]
            let (width, height) = (description.width(size), description.height(size))
            for part in 0..<description.components {
                let ramp = ramps[plane + part]
                ramp.columns.withUnsafeBufferPointer { columns in
                    let first = UnsafeBufferPointer(rebasing: columns[(drift >> description.horizontalShift)...])
                    for row in 0..<height {
                        planes.withRow(row, ofPlane: plane) { target in
                            write(first, ramp.rows[row], width, target, part, description.components)
                        }
                    }
                }
            }
        }
    }

    private func write(
        _ columns: UnsafeBufferPointer<Int32>, _ row: Int32, _ width: Int, _ target: UnsafeMutableRawBufferPointer,
        _ first: Int, _ step: Int
    ) {
        let bytes = target.assumingMemoryBound(to: UInt8.self)
        // Two loops, because the compiler turns the first into vector code only when it sees that the step is one.
        if step == 1 {
            for x in 0..<width { bytes[x] = UInt8(truncatingIfNeeded: (columns[x] &+ row) >> 16) }
        } else {
            for x in 0..<width { bytes[first + x * step] = UInt8(truncatingIfNeeded: (columns[x] &+ row) >> 16) }
        }
    }
}
