public import MediaIO

/// Reads the samples of one pixel of any format.
///
/// Written down a second time, without the table of formats, so that the table is tested too.
public struct SampleProbe {
    private let format: PixelFormat
    /// Each row of each plane.
    private let planes: [[[UInt8]]]

    /// Reads a buffer.
    public init(_ buffer: PixelBuffer) {
        format = buffer.format
        planes = buffer.format.planes.enumerated().map { index, plane in
            (0..<plane.height(buffer.size)).map { row in
                buffer.withRow(row, ofPlane: index) { $0.withUnsafeBytes { Array($0) } }
            }
        }
    }

    /// Y, Cb, Cr or R, G, B as far as the format has them, then A; of floating-point formats the bits.
    public func codes(_ x: Int, _ y: Int) -> [Int] {
        switch format {
        case .i420: planar8(x, y, 1, 1)
        case .yv12: planar8(x, y, 1, 1, [0, 2, 1])
        case .i422: planar8(x, y, 1, 0)
        case .i444: planar8(x, y, 0, 0)
        case .i440: planar8(x, y, 0, 1)
        case .i411: planar8(x, y, 2, 0)
        case .yuv9: planar8(x, y, 2, 2)
        case .i420a: planar8(x, y, 1, 1, [0, 1, 2, 3])
        case .i422a: planar8(x, y, 1, 0, [0, 1, 2, 3])
        case .i444a: planar8(x, y, 0, 0, [0, 1, 2, 3])
        case .nv12: [byte(0, x, y), byte(1, x / 2 * 2, y / 2), byte(1, x / 2 * 2 + 1, y / 2)]
        case .nv21: [byte(0, x, y), byte(1, x / 2 * 2 + 1, y / 2), byte(1, x / 2 * 2, y / 2)]
        case .nv16: [byte(0, x, y), byte(1, x / 2 * 2, y), byte(1, x / 2 * 2 + 1, y)]
        case .nv61: [byte(0, x, y), byte(1, x / 2 * 2 + 1, y), byte(1, x / 2 * 2, y)]
        case .nv24: [byte(0, x, y), byte(1, x * 2, y), byte(1, x * 2 + 1, y)]
        case .nv42: [byte(0, x, y), byte(1, x * 2 + 1, y), byte(1, x * 2, y)]
        case .i009, .i010, .i012, .i014, .i016: planar16(x, y, 1, 1)
        case .i209, .i210, .i212, .i214, .i216: planar16(x, y, 1, 0)
        case .i409, .i410, .i412, .i414, .i416: planar16(x, y, 0, 0)
        case .i440p10, .i440p12: planar16(x, y, 0, 1)
        case .i010a, .i016a: planar16(x, y, 1, 1, [0, 1, 2, 3])
        case .i210a, .i212a, .i216a: planar16(x, y, 1, 0, [0, 1, 2, 3])
        case .i410a, .i412a, .i416a: planar16(x, y, 0, 0, [0, 1, 2, 3])
        case .p010: [word(0, x, y), word(1, x / 2 * 2, y / 2), word(1, x / 2 * 2 + 1, y / 2)].map { $0 / 64 }
        case .p012: [word(0, x, y), word(1, x / 2 * 2, y / 2), word(1, x / 2 * 2 + 1, y / 2)].map { $0 / 16 }
        case .p016: [word(0, x, y), word(1, x / 2 * 2, y / 2), word(1, x / 2 * 2 + 1, y / 2)]
        case .p210: [word(0, x, y), word(1, x / 2 * 2, y), word(1, x / 2 * 2 + 1, y)].map { $0 / 64 }
        case .p216, .nv20: [word(0, x, y), word(1, x / 2 * 2, y), word(1, x / 2 * 2 + 1, y)]
        case .p410: [word(0, x, y), word(1, x * 2, y), word(1, x * 2 + 1, y)].map { $0 / 64 }
        case .p416: [word(0, x, y), word(1, x * 2, y), word(1, x * 2 + 1, y)]
        case .gray8, .rggb8, .bggr8, .gbrg8, .grbg8: [byte(0, x, y)]
        case .gray10, .gray12, .gray16: [word(0, x, y)]
        case .yuyv: [byte(0, x * 2, y), byte(0, x / 2 * 4 + 1, y), byte(0, x / 2 * 4 + 3, y)]
        case .uyvy: [byte(0, x * 2 + 1, y), byte(0, x / 2 * 4, y), byte(0, x / 2 * 4 + 2, y)]
        case .yvyu: [byte(0, x * 2, y), byte(0, x / 2 * 4 + 3, y), byte(0, x / 2 * 4 + 1, y)]
        case .vyuy: [byte(0, x * 2 + 1, y), byte(0, x / 2 * 4 + 2, y), byte(0, x / 2 * 4, y)]
        case .y210: [word(0, x * 2, y), word(0, x / 2 * 4 + 1, y), word(0, x / 2 * 4 + 3, y)].map { $0 / 64 }
        case .v210: v210(x, y)
        case .y410: bits(dword(x, y), [(10, 10), (0, 10), (20, 10), (30, 2)])
        case .ayuv, .argb32: [1, 2, 3, 0].map { byte(0, x * 4 + $0, y) }
        case .vuya, .bgra32: [2, 1, 0, 3].map { byte(0, x * 4 + $0, y) }
        case .vuyx, .bgrx32: [2, 1, 0].map { byte(0, x * 4 + $0, y) }
        case .rgba32: [0, 1, 2, 3].map { byte(0, x * 4 + $0, y) }
        case .abgr32: [3, 2, 1, 0].map { byte(0, x * 4 + $0, y) }
        case .rgbx32: [0, 1, 2].map { byte(0, x * 4 + $0, y) }
        case .xrgb32: [1, 2, 3].map { byte(0, x * 4 + $0, y) }
        case .xbgr32: [3, 2, 1].map { byte(0, x * 4 + $0, y) }
        case .bgr24: [2, 1, 0].map { byte(0, x * 3 + $0, y) }
        case .rgb24: [0, 1, 2].map { byte(0, x * 3 + $0, y) }
        case .rgb565: bits(word(0, x, y), [(11, 5), (5, 6), (0, 5)])
        case .xrgb1555: bits(word(0, x, y), [(10, 5), (5, 5), (0, 5)])
        case .x2rgb10: bits(dword(x, y), [(20, 10), (10, 10), (0, 10)])
        case .x2bgr10: bits(dword(x, y), [(0, 10), (10, 10), (20, 10)])
        case .rgba64, .rgba64f: (0..<4).map { word(0, x * 4 + $0, y) }
        case .gbrp: [2, 0, 1].map { byte($0, x, y) }
        case .gbrap: [2, 0, 1, 3].map { byte($0, x, y) }
        case .gbrp10, .gbrp12, .gbrp16: [2, 0, 1].map { word($0, x, y) }
        }
    }

    private func planar8(_ x: Int, _ y: Int, _ h: Int, _ v: Int, _ planes: [Int] = [0, 1, 2]) -> [Int] {
        planes.enumerated().map { index, plane in
            index == 1 || index == 2 ? byte(plane, x >> h, y >> v) : byte(plane, x, y)
        }
    }

    private func planar16(_ x: Int, _ y: Int, _ h: Int, _ v: Int, _ planes: [Int] = [0, 1, 2]) -> [Int] {
        planes.enumerated().map { index, plane in
            index == 1 || index == 2 ? word(plane, x >> h, y >> v) : word(plane, x, y)
        }
    }

    /// Twelve samples of six pixels, three to a word.
    private func v210(_ x: Int, _ y: Int) -> [Int] {
        let (block, pixel) = x.quotientAndRemainder(dividingBy: 6)
        func sample(_ index: Int) -> Int { dword(block * 4 + index / 3, y) >> (index % 3 * 10) & 1023 }
        return [
            sample([1, 3, 5, 7, 9, 11][pixel]), sample([0, 0, 4, 4, 8, 8][pixel]), sample([2, 2, 6, 6, 10, 10][pixel]),
        ]
    }

    private func bits(_ word: Int, _ places: [(Int, Int)]) -> [Int] { places.map { word >> $0 & (1 << $1 - 1) } }

    private func byte(_ plane: Int, _ offset: Int, _ row: Int) -> Int {
        Int(planes[plane][row][offset])
    }

    private func word(_ plane: Int, _ index: Int, _ row: Int) -> Int {
        byte(plane, index * 2, row) | byte(plane, index * 2 + 1, row) << 8
    }

    private func dword(_ index: Int, _ row: Int) -> Int { word(0, index * 2, row) | word(0, index * 2 + 1, row) << 16 }
}
