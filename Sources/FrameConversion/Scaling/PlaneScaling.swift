import MediaIO
import VideoWall

/// One axis of a frame that is scaled, in luma samples.
struct ScaledAxis: Equatable {
    /// The length of the target.
    var target: Int
    /// The part of the target that has the picture; the rest is bars.
    var part: Range<Int>
    /// The length of the source.
    var source: Int
    /// The samples of the source that may be read.
    var visible: ClosedRange<Int>
    /// Where the picture begins in the source, and how much of it there is for each sample of the target.
    var origin: Double
    var step: Double

    /// The samples of the target's part that has the picture, for components with a sample for each 2ˢ of luma.
    func part(shift: Int) -> Range<Int> { part.lowerBound >> shift..<(part.upperBound + (1 << shift) - 1) >> shift }

    /// The taps of components with a sample for each 2ˢ of luma, which is at `place` (0…1) among these.
    func taps(shift: Int, place: Double) -> AxisTaps {
        let block = Double(1 << shift)
        let siting = place * (block - 1)
        // From the outer edge of the part's first sample in the target to the position in the source's samples.
        let luma = origin + (siting + 0.5 - block / 2) * step
        let scaling = AxisScaling(
            count: part(shift: shift).count, origin: (luma - 0.5 - siting) / block + 0.5, step: step,
            length: (source + (1 << shift) - 1) >> shift, first: visible.lowerBound >> shift,
            last: visible.upperBound >> shift, shift: 0, chromaShift: 0, method: .kernel(.tent), isBounded: true)
        return scaling.luma()
    }
}

/// Scales components that have the same grid of samples: luma, or chroma.
///
/// **Thread:** one at a time.
final class PlaneScaling {
    private let across: AxisTaps
    private let down: AxisTaps
    private let columns: Range<Int>
    private let rows: Range<Int>
    private let width: Int
    /// The columns of the source that are read, and their weighted sums over some rows.
    private let read: Range<Int>
    private let sums: UnsafeMutablePointer<Float>

    /// Makes the tables.
    ///
    /// - Parameters:
    ///   - x: how columns are scaled.
    ///   - y: how rows are scaled.
    ///   - shift: the binary logarithms of luma columns and rows for each sample.
    ///   - place: where the sample is among these.
    init(_ x: ScaledAxis, _ y: ScaledAxis, shift: (x: Int, y: Int), place: SIMD2<Double>) {
        across = x.taps(shift: shift.x, place: place.x)
        down = y.taps(shift: shift.y, place: place.y)
        columns = x.part(shift: shift.x)
        rows = y.part(shift: shift.y)
        width = (x.target + (1 << shift.x) - 1) >> shift.x
        let first = Int(across.bases.min() ?? 0)
        read = first..<Int(across.bases.max() ?? 0) + across.taps
        sums = .allocate(capacity: read.count)
    }

    deinit { sums.deallocate() }

    /// Scales one component.
    ///
    /// - Parameters:
    ///   - source: the frame.
    ///   - target: gets the samples; bits of words that samples share are 0 before.
    ///   - index: of the component.
    ///   - black: its value in bars.
    func scale(_ source: PixelBuffer, to target: borrowing WritablePlanes, component index: Int, black: Int) {
        let layout = source.format.layout
        guard let component = layout.components[index] else { return }
        let plane = layout.planes[component.plane]
        source.withPlane(component.plane) { memory in
            for row in 0..<plane.height(target.size) {
                target.withRowBytes(row, ofPlane: component.plane) { bytes in
                    guard let written = SampleRow(UnsafeRawBufferPointer(bytes), component) else { return }
                    guard rows.contains(row) else { return fill(written, 0..<width, black) }
                    fill(written, 0..<columns.lowerBound, black)
                    fill(written, columns.upperBound..<width, black)
                    let place = row - rows.lowerBound
                    sums.update(repeating: 0, count: read.count)
                    for tap in 0..<down.taps where down.weight(place, tap) != 0 {
                        let samples = memory.row(Int(down.bases[place]) + tap, plane, source.size)
                        add(samples, component, down.weight(place, tap))
                    }
                    write(written, component)
                }
            }
        }
    }

    private func fill(_ row: SampleRow, _ columns: Range<Int>, _ value: Int) {
        for x in columns { row.store(value, x) }
    }

    /// Adds a weighted row of the source to the sums.
    private func add(_ bytes: UnsafeRawBufferPointer, _ component: ComponentDescription, _ weight: Float) {
        guard let base = bytes.baseAddress, let samples = SampleRow(bytes, component) else { return }
        guard component.wordBytes == 1, component.depth == 8 else {
            for x in read { sums[x - read.lowerBound] += weight * Float(samples.load(x)) }
            return
        }
        let first = base.assumingMemoryBound(to: UInt8.self) + component.offset + read.lowerBound * component.step
        let count = read.count
        // Constant steps let the compiler use vectors.
        switch component.step {
        case 1: for x in 0..<count { sums[x] += weight * Float(first[x]) }
        case 2: for x in 0..<count { sums[x] += weight * Float(first[2 * x]) }
        case 4: for x in 0..<count { sums[x] += weight * Float(first[4 * x]) }
        default: for x in 0..<count { sums[x] += weight * Float(first[x * component.step]) }
        }
    }

    /// Sums columns, and writes them.
    private func write(_ row: SampleRow, _ component: ComponentDescription) {
        let most = Float(1 << component.depth - 1)
        let (taps, first, start) = (across.taps, read.lowerBound, columns.lowerBound)
        across.bases.withUnsafeBufferPointer { bases in
            across.weights.withUnsafeBufferPointer { weights in
                for x in 0..<columns.count {
                    let base = Int(bases[x]) - first
                    var sum: Float = 0.5
                    for tap in 0..<taps { sum += weights[x * taps + tap] * sums[base + tap] }
                    row.store(Int(min(sum, most)), start + x)
                }
            }
        }
    }
}
