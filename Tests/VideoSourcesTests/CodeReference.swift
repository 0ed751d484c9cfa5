import MediaIO

/// What a colour's code values must be, after ITU-T H.273, clause 8.3, written to be obvious.
struct CodeReference {
    let format: PixelFormat
    let space: ColorSpace

    /// Bits of Y, Cb and Cr, or of R, G and B.
    let depths: [Int]
    private let subsampling: String

    init(format: PixelFormat, space: ColorSpace) {
        self.format = format
        self.space = space
        self.depths = Self.depths(of: format)
        self.subsampling = format.subsampling
    }

    /// Without a default, so that a new format must be added.
    private static func depths(of format: PixelFormat) -> [Int] {
        switch format {
        case .rgb565: [5, 6, 5]
        case .xrgb1555: [5, 5, 5]
        case .i420, .yv12, .i422, .i444, .i440, .i411, .yuv9, .i420a, .i422a, .i444a, .nv12, .nv21, .nv16, .nv61, .nv24,
            .nv42, .gray8, .yuyv, .uyvy, .yvyu, .vyuy, .ayuv, .vuya, .vuyx, .gbrp, .gbrap, .bgra32, .rgba32, .argb32,
            .abgr32, .bgrx32, .rgbx32, .xrgb32, .xbgr32, .bgr24, .rgb24, .rggb8, .bggr8, .gbrg8, .grbg8:
            [8, 8, 8]
        case .i009, .i209, .i409: [9, 9, 9]
        case .i010, .i210, .i410, .i440p10, .i010a, .i210a, .i410a, .p010, .p210, .p410, .nv20, .gray10, .y210, .y410,
            .v210, .gbrp10, .x2rgb10, .x2bgr10:
            [10, 10, 10]
        case .i012, .i212, .i412, .i440p12, .i212a, .i412a, .p012, .gray12, .gbrp12: [12, 12, 12]
        case .i014, .i214, .i414: [14, 14, 14]
        case .i016, .i216, .i416, .i016a, .i216a, .i416a, .p016, .p216, .p416, .gray16, .gbrp16, .rgba64, .rgba64f:
            [16, 16, 16]
        }
    }

    /// The exact values, not rounded: of Y, Cb, Cr, or R, G, B, or Y alone; of the pixel's own colour in Bayer formats.
    ///
    /// - Parameters:
    ///   - color: R', G', B'.
    ///   - chroma: R', G', B' where the pixel's chroma is taken from.
    ///   - column: of the pixel, for Bayer formats.
    ///   - row: of the pixel.
    /// - Returns: 1 or 3 values.
    func values(_ color: SIMD3<Double>, chroma: SIMD3<Double>, _ column: Int, _ row: Int) -> [Double] {
        let rgb = (0..<3).map { luma(color[$0], depths[$0]) }
        switch format {
        case .rggb8: return [rgb[[[0, 1], [1, 2]][row % 2][column % 2]]]
        case .bggr8: return [rgb[[[2, 1], [1, 0]][row % 2][column % 2]]]
        case .gbrg8: return [rgb[[[1, 2], [0, 1]][row % 2][column % 2]]]
        case .grbg8: return [rgb[[[1, 0], [2, 1]][row % 2][column % 2]]]
        case .gray8, .gray10, .gray12, .gray16: return [yCbCr(color)[0]]
        case _ where subsampling == "RGB": return rgb
        default: return [yCbCr(color)[0]] + yCbCr(chroma)[1...]
        }
    }

    private func yCbCr(_ color: SIMD3<Double>) -> [Double] {
        let depth = depths[0]
        func difference(_ value: Double) -> Double {
            let middle = Double(1 << (depth - 1))
            // The differences of YCgCo are those of R, G and B as they are coded, which have 219 steps.
            let steps = space.matrix == .ycgco ? 219.0 : 224
            return space.range == .limited
                ? steps * Double(1 << (depth - 8)) * value + middle : Double(1 << depth - 1) * value + middle
        }
        let (kr, kb): (Double, Double)
        switch space.matrix {
        case .bt601: (kr, kb) = (0.299, 0.114)
        case .bt709: (kr, kb) = (0.2126, 0.0722)
        case .bt2020: (kr, kb) = (0.2627, 0.0593)
        case .smpte240m: (kr, kb) = (0.212, 0.087)
        case .fcc: (kr, kb) = (0.30, 0.11)
        case .rgb: return [luma(color.y, depth), luma(color.z, depth), luma(color.x, depth)]
        case .ycgco:
            return [
                luma(0.5 * color.y + 0.25 * (color.x + color.z), depth),
                difference(0.5 * color.y - 0.25 * (color.x + color.z)), difference(0.5 * (color.x - color.z)),
            ]
        }
        let y = kr * color.x + (1 - kr - kb) * color.y + kb * color.z
        return [luma(y, depth), difference((color.z - y) / (2 * (1 - kb))), difference((color.x - y) / (2 * (1 - kr)))]
    }

    private func luma(_ value: Double, _ depth: Int) -> Double {
        if format == .rgba64f { return space.range == .limited ? (219 * value + 16) * 256 / 65_535 : value }
        return space.range == .limited
            ? (219 * value + 16) * Double(1 << depth) / 256 : Double(1 << depth - 1) * value
    }

    /// Whether `code` is what `value` rounds to, give or take `slack`; halfway between two, both are right.
    func isRight(_ code: Int, _ value: Double, component: Int, slack: Double = 0) -> Bool {
        if format == .rgba64f {
            let half = Double(Float16(bitPattern: UInt16(code)))
            return abs(half - value) <= abs(value) / 2048 + 1e-8
        }
        let most = Double(1 << depths[component] - 1)
        let clamped = format == .v210 ? min(1019, max(4, value)) : min(most, max(0, value))
        return abs(Double(code) - clamped) <= 0.5 + 1e-7 + slack
    }

    /// Where the pixel's chroma is taken from: the first pixel of those that share it.
    func chromaPlace(_ x: Int, _ y: Int) -> (x: Int, y: Int) {
        switch subsampling {
        case "4:2:2": (x / 2 * 2, y)
        case "4:2:0": (x / 2 * 2, y / 2 * 2)
        case "4:4:0": (x, y / 2 * 2)
        case "4:1:1": (x / 4 * 4, y)
        case "4:1:0": (x / 4 * 4, y / 4 * 4)
        default: (x, y)
        }
    }
}
