import MediaIO

/// ``Gradient`` in I420 and NV12.
///
/// Each code value is the sum of a value per column and a value per row, both computed once in 16.16 fixed point.
struct GradientPainter: PatternPainter {
    private struct Ramp {
        let columns: [Int32]
        let rows: [Int32]
    }

    private let gradient: Gradient
    /// Y, Cb and Cr; chroma has a value for every second column and row.
    private let ramps: [Ramp]
    private let descriptions: PlaneList

    init(_ gradient: Gradient, format: PixelFormat, codes: CodeValues) {
        let size = gradient.size
        let (zero, blue) = (codes.exact(SIMD3(0, 0, 0)), codes.exact(SIMD3(0, 0, 1)))
        self.ramps = (0..<3).map { component in
            let shift = component == 0 ? 0 : 1
            let columns = stride(from: 0, to: size.width + gradient.period, by: 1 << shift).map { x in
                // Half a code value is added here, once, so that truncation rounds.
                return Int32((codes.exact(gradient.color(column: x))[component] + 0.5) * 65_536)
            }
            let rows = stride(from: 0, to: size.height, by: 1 << shift).map { y in
                return Int32((gradient.blue(row: y) * (blue[component] - zero[component]) * 65_536).rounded())
            }
            return Ramp(columns: columns, rows: rows)
        }
        self.gradient = gradient
        self.descriptions = format.planes
    }

    func paint(_ index: Int, into planes: borrowing WritablePlanes) {
        let drift = gradient.drift(index)
        for plane in descriptions.indices {
            let description = descriptions[plane]
            let (width, height) = (description.width(gradient.size), description.height(gradient.size))
            for part in 0..<description.blockBytes {
                let ramp = ramps[plane + part]
                ramp.columns.withUnsafeBufferPointer { columns in
                    let first = UnsafeBufferPointer(rebasing: columns[(drift >> description.horizontalShift)...])
                    for row in 0..<height {
                        planes.withRowBytes(row, ofPlane: plane) { target in
                            write(first, ramp.rows[row], width, target, part, description.blockBytes)
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
        // Two loops, because the compiler vectorizes the first only if it knows that the step is one.
        if step == 1 {
            for x in 0..<width { bytes[x] = UInt8(truncatingIfNeeded: (columns[x] &+ row) >> 16) }
        } else {
            for x in 0..<width { bytes[first + x * step] = UInt8(truncatingIfNeeded: (columns[x] &+ row) >> 16) }
        }
    }
}
