import MediaIO

/// Triples of code values, laid out as pictures of one format and size.
///
/// Samples of chroma are numbered: V changes fastest, then U, then Y, of which each sample takes as many values as there are
/// pixels that share it. So a subsampled format shows all triples, too.
struct CodeLattice {
    /// The size of every picture; each driver takes it.
    static let size = VideoSize(width: 1024, height: 1024)

    /// The format of the pictures: YCbCr without opacity, each sample in one or two bytes of its own.
    let format: PixelFormat
    /// The code values of Y.
    let luma: [Int]
    /// The code values of U, and of V.
    let chroma: [Int]
    /// Columns of pixels that share a chroma sample.
    let columns: Int
    /// Rows of pixels that share a chroma sample.
    let rows: Int

    /// Chooses code values.
    ///
    /// - Parameters:
    ///   - format: of the pictures.
    ///   - step: from a code value of Y to the next; the last one is always there. Of U and V as well at 8 bits, eight times
    ///     as many at 10 bits.
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

    /// How many triples there are.
    var tripleCount: Int { luma.count * chroma.count * chroma.count }

    /// How many pictures hold them all.
    var pictureCount: Int { (groups * chroma.count * chroma.count + samplesPerPicture - 1) / samplesPerPicture }

    /// Chroma samples in a row of a picture.
    var samplesPerRow: Int { Self.size.width / columns }

    /// Calls `body` for each chroma sample of a picture.
    ///
    /// - Parameters:
    ///   - picture: which one.
    ///   - body: takes the number of the sample in the picture, the index of the first of its values of Y in ``luma``, the
    ///     indices of U and of V in ``chroma``.
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

    /// Makes a picture; what is no triple is 0.
    ///
    /// - Throws: ``StreamError`` where there is no memory.
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
