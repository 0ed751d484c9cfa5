import MediaIO

/// Scales the chroma of YCbCr frames to another subsampling, linearly, from one chroma location to another.
struct ChromaResampling {
    /// The sample before a place, and the weight of the next one, out of 256.
    private struct Tap {
        let first: Int
        let second: Int
        let weight: Int
    }

    private let across: [Tap]
    private let down: [Tap]

    /// Places the samples of one format among those of another.
    ///
    /// - Parameters:
    ///   - size: the size of the frame.
    ///   - from: the layout of the source, and where its chroma is.
    ///   - to: the layout of the target, and where its chroma is.
    init(_ size: VideoSize, from: (PixelLayout, ChromaLocation), to: (PixelLayout, ChromaLocation)) {
        across = Self.taps(
            size.width, (from.0.horizontalShift, from.1.place.x), (to.0.horizontalShift, to.1.place.x))
        down = Self.taps(size.height, (from.0.verticalShift, from.1.place.y), (to.0.verticalShift, to.1.place.y))
    }

    private static func taps(
        _ length: Int, _ from: (shift: Int, place: Double), _ to: (shift: Int, place: Double)
    ) -> [Tap] {
        let count = (length + (1 << from.shift) - 1) >> from.shift
        return (0..<(length + (1 << to.shift) - 1) >> to.shift).map { index in
            let luma = Double(index << to.shift) + to.place * Double(1 << to.shift - 1)
            let place = (luma - from.place * Double(1 << from.shift - 1)) / Double(1 << from.shift)
            let clamped = min(max(place, 0), Double(count - 1))
            let first = Int(clamped)
            return Tap(
                first: first, second: min(first + 1, count - 1),
                weight: Int(((clamped - Double(first)) * 256).rounded()))
        }
    }

    /// Writes Cb and Cr.
    func scale(_ source: PixelBuffer, to target: borrowing WritablePlanes) {
        let (from, to) = (source.format.layout, target.format.layout)
        for index in 1...2 {
            guard let read = from.components[index], let write = to.components[index] else { continue }
            let plane = from.planes[read.plane]
            source.withPlane(read.plane) { memory in
                for row in down.indices {
                    let rows = (
                        SampleRow(memory.row(down[row].first, plane, source.size), read),
                        SampleRow(memory.row(down[row].second, plane, source.size), read)
                    )
                    guard let above = rows.0, let below = rows.1 else { continue }
                    target.withRowBytes(row, ofPlane: write.plane) { bytes in
                        guard let written = SampleRow(UnsafeRawBufferPointer(bytes), write) else { return }
                        scaleRow(above, below, down[row].weight, written, (read.depth, write.depth))
                    }
                }
            }
        }
    }

    private func scaleRow(
        _ above: SampleRow, _ below: SampleRow, _ weight: Int, _ target: SampleRow, _ depth: (from: Int, to: Int)
    ) {
        let most = 1 << depth.to - 1
        // 16 fractional bits, to the depth of the target.
        let shift = 16 + depth.from - depth.to
        let half = 1 << (shift - 1)
        for x in across.indices {
            let tap = across[x]
            let upper = above.load(tap.first) * (256 - tap.weight) + above.load(tap.second) * tap.weight
            let lower = below.load(tap.first) * (256 - tap.weight) + below.load(tap.second) * tap.weight
            target.store(min((upper * (256 - weight) + lower * weight + half) >> shift, most), x)
        }
    }
}
