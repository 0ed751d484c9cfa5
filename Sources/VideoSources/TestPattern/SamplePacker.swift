import MediaIO

/// Writes rows of R'G'B' as the samples of any format.
///
/// A subsampled component has the colour of the upper left pixel of those that share it. Alpha is opaque, unused bits
/// are 0, and if a row ends within a block of pixels, its last pixel fills the block.
struct SamplePacker {
    private let layout: PixelLayout
    private let size: VideoSize
    /// Y, Cb, Cr, A or R, G, B, A; fewer for gray and Bayer formats.
    private let codes: [SampleCode]

    init(format: PixelFormat, size: VideoSize, colorSpace: ColorSpace) {
        self.layout = format.layout
        self.size = size
        self.codes = SampleCode.all(of: format, size, colorSpace)
    }

    /// Writes row `y` of the frame, into subsampled planes only if they have a row for it.
    ///
    /// **Cost:** every row of every frame; allocates nothing.
    ///
    /// - Parameters:
    ///   - colors: a colour for each pixel of the row.
    ///   - y: the row, counted from the top.
    ///   - planes: the planes to write, of this packer's format and size.
    func pack(_ colors: UnsafeBufferPointer<SIMD3<Double>>, row y: Int, into planes: borrowing WritablePlanes) {
        for plane in 0..<planes.count {
            let shift = layout.planes[plane].verticalShift
            guard y & (1 << shift - 1) == 0 else { continue }
            planes.withRowBytes(y >> shift, ofPlane: plane) { target in
                switch layout.packing {
                case .regular: packComponents(colors, target, plane)
                case .v210: packV210(colors, target)
                case .bayer(let column, let row): packBayer(colors, target, y, red: (column, row))
                }
            }
        }
    }

    private func packComponents(
        _ colors: UnsafeBufferPointer<SIMD3<Double>>, _ target: UnsafeMutableRawBufferPointer, _ plane: Int
    ) {
        // Components that share a word are combined one after the other.
        _ = target.initializeMemory(as: UInt8.self, repeating: 0)
        for index in 0..<4 {
            guard let place = layout.components[index], place.plane == plane else { continue }
            let shift = index == 1 || index == 2 ? layout.horizontalShift : 0
            let code = codes[index]
            switch place.wordBytes {
            case _ where layout.isFloat: write(colors, target, place, shift) { code.half($0) }
            case 1: write(colors, target, place, shift) { UInt8(truncatingIfNeeded: code($0)) << place.shift }
            case 2: write(colors, target, place, shift) { UInt16(truncatingIfNeeded: code($0)) << place.shift }
            default: write(colors, target, place, shift) { UInt32(truncatingIfNeeded: code($0)) << place.shift }
            }
        }
    }

    @inline(__always)
    private func write<Word: FixedWidthInteger & BitwiseCopyable>(
        _ colors: UnsafeBufferPointer<SIMD3<Double>>, _ target: UnsafeMutableRawBufferPointer,
        _ place: ComponentDescription, _ shift: Int, _ word: (SIMD3<Double>) -> Word
    ) {
        for index in 0..<target.count / place.step {
            let offset = place.offset + index * place.step
            let others = target.loadUnaligned(fromByteOffset: offset, as: Word.self)
            let sample = word(colors[min(index << shift, colors.count - 1)])
            target.storeBytes(
                of: (Word(littleEndian: others) | sample).littleEndian, toByteOffset: offset, as: Word.self)
        }
    }

    /// Packs v210: six pixels are twelve samples, beginning with Cb Y Cr Y, three per word from the low bits upwards.
    private func packV210(_ colors: UnsafeBufferPointer<SIMD3<Double>>, _ target: UnsafeMutableRawBufferPointer) {
        for index in 0..<target.count / 4 {
            var word: UInt32 = 0
            for part in 0..<3 {
                let (block, sample) = (index / 4, index % 4 * 3 + part)
                let (component, pixel) =
                    sample % 2 == 1 ? (0, sample / 2) : (sample % 4 == 0 ? 1 : 2, sample / 4 * 2)
                let color = colors[min(block * 6 + pixel, colors.count - 1)]
                word |= UInt32(truncatingIfNeeded: codes[component](color)) << (10 * part)
            }
            target.storeBytes(of: word.littleEndian, toByteOffset: index * 4, as: UInt32.self)
        }
    }

    /// Packs Bayer samples; `red` is the column and row of red in the upper left 2 × 2 block, with blue opposite.
    private func packBayer(
        _ colors: UnsafeBufferPointer<SIMD3<Double>>, _ target: UnsafeMutableRawBufferPointer, _ y: Int,
        red: (x: Int, y: Int)
    ) {
        let isRedRow = y & 1 == red.y
        for x in target.indices {
            let isRedColumn = x & 1 == red.x
            let component = isRedRow && isRedColumn ? 0 : isRedRow || isRedColumn ? 1 : 2
            target[x] = UInt8(truncatingIfNeeded: codes[component](colors[x]))
        }
    }
}
