import MediaIO

/// The layout of formats in memory, independent of the library's table, for tests to fill buffers.
enum Packing {
    /// One plane for each letter, in that order.
    case planes(String, bits: Int, _ horizontal: Int, _ vertical: Int)
    /// Y, then the two letters side by side; in the high bits of 16 or not.
    case twoPlanes(String, bits: Int, _ horizontal: Int, _ vertical: Int, isHigh: Bool = false)
    /// Words a letter for two pixels; in the high bits of 16 or not.
    case pairs(String, bits: Int)
    /// One word for each letter, for one pixel.
    case words(String, bits: Int)
    /// One little-endian word for each pixel; the letters and their bits, from the highest bit down.
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
        case .i440p10: .planes("YUV", bits: 10, 1, 2)
        case .i440p12: .planes("YUV", bits: 12, 1, 2)
        case .i010a: .planes("YUVA", bits: 10, 2, 2)
        case .i016a: .planes("YUVA", bits: 16, 2, 2)
        case .i210a: .planes("YUVA", bits: 10, 2, 1)
        case .i212a: .planes("YUVA", bits: 12, 2, 1)
        case .i216a: .planes("YUVA", bits: 16, 2, 1)
        case .i410a: .planes("YUVA", bits: 10, 1, 1)
        case .i412a: .planes("YUVA", bits: 12, 1, 1)
        case .i416a: .planes("YUVA", bits: 16, 1, 1)
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
