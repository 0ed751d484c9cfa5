import MediaIO

/// The layout of formats in memory, independent of the library's table, for tests to fill buffers.
enum Packing {
    /// A plane a letter, in that order.
    case planes(String, bits: Int, _ horizontal: Int, _ vertical: Int)
    /// Y, then the two letters side by side; in the high bits of 16 or not.
    case twoPlanes(String, bits: Int, _ horizontal: Int, _ vertical: Int, isHigh: Bool = false)
    /// Words a letter for two pixels; in the high bits of 16 or not.
    case pairs(String, bits: Int)
    /// Words a letter for a pixel.
    case words(String, bits: Int)
    /// One little-endian word a pixel; letters and their bits from the highest.
    case fields([(Character, Int)])
    case halfFloats
    case v210
    /// The colours of the upper left four pixels.
    case bayer(String)
}

extension PixelFormat {
    var packing: Packing {
        switch self {
        case .i420: .planes("YUV", bits: 8, 2, 2)
        case .yv12: .planes("YVU", bits: 8, 2, 2)
        case .i422: .planes("YUV", bits: 8, 2, 1)
        case .i444: .planes("YUV", bits: 8, 1, 1)
        case .i440: .planes("YUV", bits: 8, 1, 2)
        case .i411: .planes("YUV", bits: 8, 4, 1)
        case .yuv9: .planes("YUV", bits: 8, 4, 4)
        case .i420a: .planes("YUVA", bits: 8, 2, 2)
        case .i422a: .planes("YUVA", bits: 8, 2, 1)
        case .i444a: .planes("YUVA", bits: 8, 1, 1)
        case .nv12: .twoPlanes("UV", bits: 8, 2, 2)
        case .nv21: .twoPlanes("VU", bits: 8, 2, 2)
        case .nv16: .twoPlanes("UV", bits: 8, 2, 1)
        case .nv61: .twoPlanes("VU", bits: 8, 2, 1)
        case .nv24: .twoPlanes("UV", bits: 8, 1, 1)
        case .nv42: .twoPlanes("VU", bits: 8, 1, 1)
        case .i009: .planes("YUV", bits: 9, 2, 2)
        case .i010: .planes("YUV", bits: 10, 2, 2)
        case .i012: .planes("YUV", bits: 12, 2, 2)
        case .i014: .planes("YUV", bits: 14, 2, 2)
        case .i016: .planes("YUV", bits: 16, 2, 2)
        case .i209: .planes("YUV", bits: 9, 2, 1)
        case .i210: .planes("YUV", bits: 10, 2, 1)
        case .i212: .planes("YUV", bits: 12, 2, 1)
        case .i214: .planes("YUV", bits: 14, 2, 1)
        case .i216: .planes("YUV", bits: 16, 2, 1)
        case .i409: .planes("YUV", bits: 9, 1, 1)
        case .i410: .planes("YUV", bits: 10, 1, 1)
        case .i412: .planes("YUV", bits: 12, 1, 1)
        case .i414: .planes("YUV", bits: 14, 1, 1)
        case .i416: .planes("YUV", bits: 16, 1, 1)
        case .i010a: .planes("YUVA", bits: 10, 2, 2)
        case .i210a: .planes("YUVA", bits: 10, 2, 1)
        case .i410a: .planes("YUVA", bits: 10, 1, 1)
        case .i412a: .planes("YUVA", bits: 12, 1, 1)
        case .p010: .twoPlanes("UV", bits: 10, 2, 2, isHigh: true)
        case .p012: .twoPlanes("UV", bits: 12, 2, 2, isHigh: true)
        case .p016: .twoPlanes("UV", bits: 16, 2, 2)
        case .p210: .twoPlanes("UV", bits: 10, 2, 1, isHigh: true)
        case .p216: .twoPlanes("UV", bits: 16, 2, 1)
        case .p410: .twoPlanes("UV", bits: 10, 1, 1, isHigh: true)
        case .p416: .twoPlanes("UV", bits: 16, 1, 1)
        case .nv20: .twoPlanes("UV", bits: 10, 2, 1)
        case .gray8: .planes("Y", bits: 8, 1, 1)
        case .gray10: .planes("Y", bits: 10, 1, 1)
        case .gray12: .planes("Y", bits: 12, 1, 1)
        case .gray16: .planes("Y", bits: 16, 1, 1)
        case .yuyv: .pairs("YUYV", bits: 8)
        case .uyvy: .pairs("UYVY", bits: 8)
        case .yvyu: .pairs("YVYU", bits: 8)
        case .vyuy: .pairs("VYUY", bits: 8)
        case .y210: .pairs("YUYV", bits: 10)
        case .ayuv: .words("AYUV", bits: 8)
        case .vuya: .words("VUYA", bits: 8)
        case .vuyx: .words("VUYX", bits: 8)
        case .y410: .fields([("A", 2), ("V", 10), ("Y", 10), ("U", 10)])
        case .v210: .v210
        case .gbrp: .planes("GBR", bits: 8, 1, 1)
        case .gbrap: .planes("GBRA", bits: 8, 1, 1)
        case .gbrp10: .planes("GBR", bits: 10, 1, 1)
        case .gbrp12: .planes("GBR", bits: 12, 1, 1)
        case .gbrp16: .planes("GBR", bits: 16, 1, 1)
        case .bgra32: .words("BGRA", bits: 8)
        case .rgba32: .words("RGBA", bits: 8)
        case .argb32: .words("ARGB", bits: 8)
        case .abgr32: .words("ABGR", bits: 8)
        case .bgrx32: .words("BGRX", bits: 8)
        case .rgbx32: .words("RGBX", bits: 8)
        case .xrgb32: .words("XRGB", bits: 8)
        case .xbgr32: .words("XBGR", bits: 8)
        case .bgr24: .words("BGR", bits: 8)
        case .rgb24: .words("RGB", bits: 8)
        case .rgb565: .fields([("R", 5), ("G", 6), ("B", 5)])
        case .xrgb1555: .fields([("X", 1), ("R", 5), ("G", 5), ("B", 5)])
        case .x2rgb10: .fields([("X", 2), ("R", 10), ("G", 10), ("B", 10)])
        case .x2bgr10: .fields([("X", 2), ("B", 10), ("G", 10), ("R", 10)])
        case .rgba64: .words("RGBA", bits: 16)
        case .rgba64f: .halfFloats
        case .rggb8: .bayer("RGGB")
        case .bggr8: .bayer("BGGR")
        case .gbrg8: .bayer("GBRG")
        case .grbg8: .bayer("GRBG")
        }
    }

    /// How many columns and rows share a chroma sample.
    var sharing: (columns: Int, rows: Int) {
        switch packing {
        case .planes(_, _, let columns, let rows), .twoPlanes(_, _, let columns, let rows, _): (columns, rows)
        case .pairs, .v210: (2, 1)
        case .words, .fields, .halfFloats, .bayer: (1, 1)
        }
    }

    /// The bits of a letter's component.
    func bits(_ letter: Character) -> Int {
        switch packing {
        case .planes(_, let bits, _, _), .twoPlanes(_, let bits, _, _, _), .pairs(_, let bits), .words(_, let bits):
            bits
        case .fields(let fields): fields.first { $0.0 == letter }?.1 ?? 0
        case .v210: 10
        case .halfFloats: 16
        case .bayer: 8
        }
    }
}

/// Chosen samples in any format.
///
/// `value` gives the code value of a letter (Y, U, V, A, R, G, B) at a sample position of its own
/// grid; what carries nothing is filled with noise.
struct TestPicture {
    let format: PixelFormat
    let size: VideoSize
    let value: (_ letter: Character, _ x: Int, _ y: Int) -> Int

    /// Noise, the same for the same arguments.
    static func noise(_ format: PixelFormat, _ size: VideoSize) -> TestPicture {
        TestPicture(format: format, size: size) { letter, x, y in
            hash(x, y, UInt64(letter.asciiValue ?? 0)) & ((1 << format.bits(letter)) - 1)
        }
    }

    private static func hash(_ x: Int, _ y: Int, _ seed: UInt64) -> Int {
        var value =
            UInt64(x) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(y) &* 0xC2B2_AE3D_27D4_EB4F ^ seed &* 0x1656_67B1_9E37_79F9
        value = (value ^ (value >> 31)) &* 0xD6E8_FEB8_6659_FD93
        return Int(value >> 40)
    }

    /// The rows of each plane, as short as they can be.
    var planes: [[[UInt8]]] {
        func little(_ value: Int, _ bytes: Int) -> [UInt8] {
            (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        func rows(_ count: Int, _ row: (Int) -> [UInt8]) -> [[UInt8]] { (0..<count).map(row) }
        let (w, h) = (size.width, size.height)
        switch format.packing {
        case .planes(let letters, let bits, let columns, let lines):
            return letters.map { letter in
                let (across, down) = "UV".contains(letter) ? (columns, lines) : (1, 1)
                return rows((h + down - 1) / down) { y in
                    (0..<(w + across - 1) / across).flatMap { little(value(letter, $0, y), bits > 8 ? 2 : 1) }
                }
            }
        case .twoPlanes(let letters, let bits, let columns, let lines, let isHigh):
            let (bytes, shift) = (bits > 8 ? 2 : 1, isHigh ? 16 - bits : 0)
            return [
                rows(h) { y in (0..<w).flatMap { little(value("Y", $0, y) << shift, bytes) } },
                rows((h + lines - 1) / lines) { y in
                    (0..<(w + columns - 1) / columns).flatMap { x in
                        letters.flatMap { little(value($0, x, y) << shift, bytes) }
                    }
                },
            ]
        case .pairs(let letters, let bits):
            let (bytes, shift) = (bits > 8 ? 2 : 1, bits > 8 ? 16 - bits : 0)
            return [
                rows(h) { y in
                    (0..<(w + 1) / 2).flatMap { pair in
                        var luma = 2 * pair
                        return letters.flatMap { letter in
                            defer { if letter == "Y" { luma += 1 } }
                            return little(value(letter, letter == "Y" ? luma : pair, y) << shift, bytes)
                        }
                    }
                }
            ]
        case .words(let letters, let bits):
            return [rows(h) { y in (0..<w).flatMap { x in letters.flatMap { little(value($0, x, y), bits / 8) } } }]
        case .fields(let fields):
            let total = fields.reduce(0) { $0 + $1.1 }
            return [
                rows(h) { y in
                    (0..<w).flatMap { x in
                        little(fields.reduce(0) { $0 << $1.1 | (value($1.0, x, y) & ((1 << $1.1) - 1)) }, total / 8)
                    }
                }
            ]
        case .halfFloats:
            return [
                rows(h) { y in
                    (0..<w).flatMap { x in
                        "RGBA".flatMap { little(Int(Self.half(Double(value($0, x, y)) / 65_535)), 2) }
                    }
                }
            ]
        case .v210:
            return [
                rows(h) { y in
                    (0..<(w + 5) / 6).flatMap { group in
                        let samples = (0..<12).map { index in
                            switch index % 4 {
                            case 0: value("U", 3 * group + index / 4, y)
                            case 2: value("V", 3 * group + index / 4, y)
                            default: value("Y", 6 * group + index / 2, y)
                            }
                        }
                        return stride(from: 0, to: 12, by: 3).flatMap {
                            little(samples[$0] | samples[$0 + 1] << 10 | samples[$0 + 2] << 20, 4)
                        }
                    }
                }
            ]
        case .bayer(let letters):
            let order = Array(letters)
            return [rows(h) { y in (0..<w).map { x in UInt8(value(order[y % 2 * 2 + x % 2], x, y)) } }]
        }
    }

    /// The bits of the nearest binary16 of a number in 0…1.
    static func half(_ value: Double) -> UInt16 {
        guard value > 0 else { return 0 }
        let exponent = max(-14, value.exponent)
        let fraction = Int(
            (value / Double(sign: .plus, exponent: exponent, significand: 1) * 1024).rounded(.toNearestOrEven))
        // A fraction of 2048 or below 1024 carries over to the next exponent, or is a subnormal number, by itself.
        return UInt16((exponent + 14) << 10 + fraction)
    }

    /// The pixels in memory of their own.
    ///
    /// - Parameters:
    ///   - padding: bytes by which each row is longer than it must be, filled with noise.
    ///   - isBottomUp: whether the last row comes first.
    /// - Returns: a buffer that lends that memory.
    /// - Throws: ``StreamError``.
    func buffer(padding: Int = 0, isBottomUp: Bool = false) throws -> PixelBuffer {
        let lent = planes.map { rows in
            let filler = (0..<padding).map { UInt8(truncatingIfNeeded: 0xA5 &+ 7 &* $0) }
            let bytes = (isBottomUp ? rows.reversed() : rows).flatMap { $0 + filler }
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count - padding, alignment: 1)
            memory.copyBytes(from: bytes.dropLast(padding))
            let stride = rows[0].count + padding
            return PixelBuffer.Plane(bytes: UnsafeRawBufferPointer(memory), bytesPerRow: isBottomUp ? -stride : stride)
        }
        return try PixelBuffer(lending: lent, format: format, size: size) {
            for plane in lent { plane.bytes.deallocate() }
        }
    }

    /// Red, green and blue, 0…255 and not rounded, of a pixel whose chroma is not interpolated; not for Bayer.
    func expected(_ x: Int, _ y: Int, _ matrix: ColorSpace.Matrix, _ range: ColorSpace.Range) -> [Double] {
        func code(_ letter: Character, _ x: Int, _ y: Int) -> Double { Double(value(letter, x, y)) }
        let letters = Set("YUVRGBA".filter { format.has($0) })
        var color: [Double]
        if letters.contains("R") {
            color = "RGB".map { letter in
                // A field of five bits is a share of 31, whatever the range is called.
                let bits = format.bits(letter)
                let code = code(letter, x, y)
                let level =
                    bits >= 8 && range == .limited
                    ? ReferenceConverter(matrix: matrix, range: range, depth: bits).level(code)
                    : code / Double((1 << bits) - 1)
                return min(255, max(0, level * 255))
            }
        } else {
            let converter = ReferenceConverter(matrix: matrix, range: range, depth: format.bits("Y"))
            let (columns, rows) = format.sharing
            color =
                letters.contains("U")
                ? converter.rgb(
                    y: code("Y", x, y), cb: code("U", x / columns, y / rows), cr: code("V", x / columns, y / rows))
                : Array(repeating: min(255, max(0, converter.level(code("Y", x, y)) * 255)), count: 3)
        }
        if letters.contains("A") {
            let opacity = code("A", x, y) / Double((1 << format.bits("A")) - 1)
            color = color.map { $0 * opacity }
        }
        return color
    }
}

extension PixelFormat {
    /// Whether a letter is among the components.
    func has(_ letter: Character) -> Bool {
        switch packing {
        case .planes(let letters, _, _, _), .pairs(let letters, _), .words(let letters, _), .bayer(let letters):
            letters.contains(letter)
        case .twoPlanes(let letters, _, _, _, _): letter == "Y" || letters.contains(letter)
        case .fields(let fields): fields.contains { $0.0 == letter }
        case .halfFloats: "RGBA".contains(letter)
        case .v210: "YUV".contains(letter)
        }
    }

    var isBayer: Bool { if case .bayer = packing { true } else { false } }
}
