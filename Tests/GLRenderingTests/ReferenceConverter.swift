import MediaIO

/// The same pictures by plain arithmetic in `Double`, written to be obvious: the formulas of ITU-T H.273, clause 8.3 (with
/// their own numbers, not the library's), one pixel at a time.
///
/// It does not cover scaling; sizes of source and target are equal, and it places pixels by turning coordinates.
struct ReferenceConverter {
    var matrix: ColorSpace.Matrix
    var range: ColorSpace.Range
    var depth = 8

    /// R, G and B, 0…255 and not rounded, of one sample triple of code values.
    func rgb(y: Double, cb: Double, cr: Double) -> [Double] {
        switch matrix {
        case .rgb: return [level(cr), level(y), level(cb)].map(shown)
        case .ycgco:
            let (luma, cg, co) = (level(y), difference(cb), difference(cr))
            return [luma - cg + co, luma + cg, luma - cg - co].map(shown)
        default: break
        }
        let (kr, kg, kb) =
            switch matrix {
            case .bt709: (0.2126, 0.7152, 0.0722)
            case .bt2020: (0.2627, 0.6780, 0.0593)
            case .smpte240m: (0.212, 0.701, 0.087)
            case .fcc: (0.30, 0.59, 0.11)
            default: (0.299, 0.587, 0.114)
            }
        let (luma, blue, red) = (level(y), difference(cb), difference(cr))
        let r = luma + 2 * (1 - kr) * red
        let b = luma + 2 * (1 - kb) * blue
        let g = (luma - kr * r - kb * b) / kg
        return [r, g, b].map(shown)
    }

    /// 0…1 of a code value of Y, R, G or B.
    func level(_ code: Double) -> Double {
        let eighth = Double(1 << (depth - 8))
        return range == .limited ? (code - 16 * eighth) / (219 * eighth) : code / (Double(1 << depth) - 1)
    }

    /// −0.5…0.5 of a code value of Cb or Cr.
    private func difference(_ code: Double) -> Double {
        let eighth = Double(1 << (depth - 8))
        return range == .limited
            ? (code - 128 * eighth) / ((matrix == .ycgco ? 219 : 224) * eighth)
            : (code - 128 * eighth) / (Double(1 << depth) - 1)
    }

    private func shown(_ value: Double) -> Double { min(255, max(0, value * 255)) }
}

/// Planes filled with chosen samples, with rows further apart than need be.
struct SamplePicture {
    let format: PixelFormat
    let size: VideoSize
    let luma: (Int, Int) -> UInt8
    let cb: (Int, Int) -> UInt8
    let cr: (Int, Int) -> UInt8

    /// Random samples, the same for the same seed.
    static func random(_ format: PixelFormat, _ size: VideoSize, seed: UInt64 = 1) -> SamplePicture {
        func hash(_ x: Int, _ y: Int, _ plane: UInt64) -> UInt8 {
            var value = UInt64(x) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(y) &* 0xC2B2_AE3D_27D4_EB4F ^ (plane + 3 * seed)
            value = (value ^ (value >> 31)) &* 0xD6E8_FEB8_6659_FD93
            return UInt8(truncatingIfNeeded: value >> 40)
        }
        return SamplePicture(
            format: format, size: size, luma: { hash($0, $1, 0) }, cb: { hash($0, $1, 1) }, cr: { hash($0, $1, 2) })
    }

    /// The pixels in memory of their own, each row `padding` bytes longer than it must be; the padding is noise.
    func buffer(padding: Int = 0) throws -> PixelBuffer {
        var planes: [[UInt8]] = []
        var strides: [Int] = []
        for (index, plane) in format.planes.enumerated() {
            let stride = plane.rowBytes(size) + padding
            var bytes = [UInt8](repeating: 0xA5, count: stride * plane.height(size))
            for y in 0..<plane.height(size) {
                for x in 0..<plane.width(size) {
                    let samples =
                        index == 0
                        ? [luma(x, y)]
                        : format == .nv12
                            ? [cb(x, y), cr(x, y)]
                            : index == 1 ? [cb(x, y)] : [cr(x, y)]
                    for (part, sample) in samples.enumerated() {
                        bytes[y * stride + x * samples.count + part] = sample
                    }
                }
            }
            planes.append(bytes)
            strides.append(stride)
        }
        let lent = planes.enumerated().map { index, bytes in
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
            memory.copyBytes(from: bytes)
            return PixelBuffer.Plane(bytes: UnsafeRawBufferPointer(memory), bytesPerRow: strides[index])
        }
        return try PixelBuffer(lending: lent, format: format, size: size) {
            for plane in lent { plane.bytes.deallocate() }
        }
    }
}
