import MediaIO

/// Triples of code values, laid out as frames of one format and size.
///
/// Chroma samples are numbered: V changes fastest, then U, then Y. Each chroma sample is combined with as many values
/// of Y as there are pixels that share it, so a subsampled format contains all triples, too.
struct CodeLattice {
    /// The size of every frame, which every driver supports.
    static let size = VideoSize(width: 1024, height: 1024)

    /// The format of the frames: YCbCr without alpha, each sample in one or two bytes of its own.
    let format: PixelFormat
    /// The code values of Y.
    let luma: [Int]
    /// The code values of U, and of V.
    let chroma: [Int]
    /// The number of columns of pixels that share a chroma sample.
    let columns: Int
    /// The number of rows of pixels that share a chroma sample.
    let rows: Int

    /// Chooses code values.
    ///
    /// - Parameters:
    ///   - format: the format of the frames.
    ///   - step: the step from one value of Y to the next; the last value is always included. U and V have the same
    ///     step at 8 bits and eight times that step at 10 bits.
    init(_ format: PixelFormat, step: Int) {
        func values(_ step: Int) -> [Int] {
            let last = 1 << format.layout.depth - 1
            return Array(stride(from: 0, to: last, by: step)) + [last]
        }
        self.format = format
        luma = values(step)
        chroma = values(format.layout.depth > 8 ? 8 * step : step)
        columns = 1 << format.layout.horizontalShift
        rows = 1 << format.layout.verticalShift
    }

    /// The number of triples.
    var tripleCount: Int { luma.count * chroma.count * chroma.count }

    /// The number of frames that hold them all.
    var pictureCount: Int { (groups * chroma.count * chroma.count + samplesPerPicture - 1) / samplesPerPicture }

    /// The number of chroma samples in a row of a frame.
    var samplesPerRow: Int { Self.size.width / columns }

    /// Calls `body` for each chroma sample of a frame.
    ///
    /// - Parameters:
    ///   - picture: which one.
    ///   - body: takes the number of the sample in the frame, the index in ``luma`` of its first value of Y, and the
    ///     indices in ``chroma`` of U and of V.
    @inline(__always)
    func forEachSample(of picture: Int, _ body: (_ sample: Int, _ y: Int, _ u: Int, _ v: Int) -> Void) {
        let start = picture * samplesPerPicture
        let side = chroma.count
        let end = min(samplesPerPicture, groups * side * side - start)
        let sharing = columns * rows
        var (y, u, v) = (start / (side * side) * sharing, start / side % side, start % side)
        var sample = 0
        while sample < end {
            body(sample, y, u, v)
            sample += 1
            v += 1
            if v == side {
                v = 0
                u += 1
                if u == side {
                    u = 0
                    y += sharing
                }
            }
        }
    }

    /// Makes a frame; samples beyond the last triple are 0.
    ///
    /// - Throws: ``StreamError`` if memory runs out.
    func picture(_ index: Int, _ pool: PixelBufferPool) throws(StreamError) -> PixelBuffer {
        let components = format.layout.components
        return try pool.makeBuffer(format: format, size: Self.size) { planes in
            for plane in 0..<planes.count {
                planes.withPlane(plane) { $0.update(repeating: 0) }
            }
            for axis in 0..<3 {
                guard let component = components[axis] else { continue }
                let bytesPerRow = planes.bytesPerRow(component.plane)
                planes.withPlaneBytes(component.plane) { fill($0, bytesPerRow, component, axis, index) }
            }
        }
    }

    private func fill(
        _ bytes: UnsafeMutableRawBufferPointer, _ bytesPerRow: Int, _ component: ComponentDescription, _ axis: Int,
        _ picture: Int
    ) {
        func set(_ x: Int, _ y: Int, _ value: Int) {
            let place = y * bytesPerRow + x * component.step + component.offset
            let word = value << component.shift
            if component.wordBytes == 1 {
                bytes[place] = UInt8(word)
            } else {
                bytes.storeBytes(of: UInt16(word).littleEndian, toByteOffset: place, as: UInt16.self)
            }
        }
        forEachSample(of: picture) { sample, y, u, v in
            let (column, row) = (sample % samplesPerRow, sample / samplesPerRow)
            guard axis == 0 else { return set(column, row, chroma[axis == 1 ? u : v]) }
            for index in 0..<min(columns * rows, luma.count - y) {
                set(column * columns + index % columns, row * rows + index / columns, luma[y + index])
            }
        }
    }

    private var samplesPerPicture: Int { samplesPerRow * (Self.size.height / rows) }
    private var groups: Int { (luma.count + columns * rows - 1) / (columns * rows) }
}
