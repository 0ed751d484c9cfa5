extension PixelFormat {
    /// The layout of the samples: the table of formats.
    public var layout: PixelLayout {
        switch self {
        case .i420: .planar(8, 1, 1)
        case .yv12: .planar(8, 1, 1, chroma: (2, 1))
        case .i422: .planar(8, 1, 0)
        case .i444: .planar(8, 0, 0)
        case .i440: .planar(8, 0, 1)
        case .i411: .planar(8, 2, 0)
        case .yuv9: .planar(8, 2, 2)
        case .i420a: .planar(8, 1, 1, alpha: true)
        case .i422a: .planar(8, 1, 0, alpha: true)
        case .i444a: .planar(8, 0, 0, alpha: true)
        case .nv12: .semiPlanar(8, 1, 1)
        case .nv21: .semiPlanar(8, 1, 1, crFirst: true)
        case .nv16: .semiPlanar(8, 1, 0)
        case .nv61: .semiPlanar(8, 1, 0, crFirst: true)
        case .nv24: .semiPlanar(8, 0, 0)
        case .nv42: .semiPlanar(8, 0, 0, crFirst: true)
        case .i009: .planar(9, 1, 1)
        case .i010: .planar(10, 1, 1)
        case .i012: .planar(12, 1, 1)
        case .i014: .planar(14, 1, 1)
        case .i016: .planar(16, 1, 1)
        case .i209: .planar(9, 1, 0)
        case .i210: .planar(10, 1, 0)
        case .i212: .planar(12, 1, 0)
        case .i214: .planar(14, 1, 0)
        case .i216: .planar(16, 1, 0)
        case .i409: .planar(9, 0, 0)
        case .i410: .planar(10, 0, 0)
        case .i412: .planar(12, 0, 0)
        case .i414: .planar(14, 0, 0)
        case .i416: .planar(16, 0, 0)
        case .i440p10: .planar(10, 0, 1)
        case .i440p12: .planar(12, 0, 1)
        case .i010a: .planar(10, 1, 1, alpha: true)
        case .i016a: .planar(16, 1, 1, alpha: true)
        case .i210a: .planar(10, 1, 0, alpha: true)
        case .i212a: .planar(12, 1, 0, alpha: true)
        case .i216a: .planar(16, 1, 0, alpha: true)
        case .i410a: .planar(10, 0, 0, alpha: true)
        case .i412a: .planar(12, 0, 0, alpha: true)
        case .i416a: .planar(16, 0, 0, alpha: true)
        case .p010: .semiPlanar(10, 1, 1, shift: 6)
        case .p012: .semiPlanar(12, 1, 1, shift: 4)
        case .p016: .semiPlanar(16, 1, 1)
        case .p210: .semiPlanar(10, 1, 0, shift: 6)
        case .p216: .semiPlanar(16, 1, 0)
        case .p410: .semiPlanar(10, 0, 0, shift: 6)
        case .p416: .semiPlanar(16, 0, 0)
        case .nv20: .semiPlanar(10, 1, 0)
        case .gray8: .gray(8)
        case .gray10: .gray(10)
        case .gray12: .gray(12)
        case .gray16: .gray(16)
        case .yuyv: .packed422(8, luma: 0, cb: 1, cr: 3)
        case .uyvy: .packed422(8, luma: 1, cb: 0, cr: 2)
        case .yvyu: .packed422(8, luma: 0, cb: 3, cr: 1)
        case .vyuy: .packed422(8, luma: 1, cb: 2, cr: 0)
        case .ayuv: .packed(.yCbCr, word: 1, [1, 2, 3, 0])
        case .vuya: .packed(.yCbCr, word: 1, [2, 1, 0, 3])
        case .vuyx: .packed(.yCbCr, word: 1, [2, 1, 0, nil])
        case .y210: .packed422(10, luma: 0, cb: 1, cr: 3, shift: 6)
        case .y410: .bits(.yCbCr, bytes: 4, [(10, 10), (0, 10), (20, 10), (30, 2)])
        case .v210: .v210
        case .gbrp: .planarRGB(8)
        case .gbrap: .planarRGB(8, alpha: true)
        case .gbrp10: .planarRGB(10)
        case .gbrp12: .planarRGB(12)
        case .gbrp16: .planarRGB(16)
        case .bgra32: .packed(.rgb, word: 1, [2, 1, 0, 3])
        case .rgba32: .packed(.rgb, word: 1, [0, 1, 2, 3])
        case .argb32: .packed(.rgb, word: 1, [1, 2, 3, 0])
        case .abgr32: .packed(.rgb, word: 1, [3, 2, 1, 0])
        case .bgrx32: .packed(.rgb, word: 1, [2, 1, 0, nil])
        case .rgbx32: .packed(.rgb, word: 1, [0, 1, 2, nil])
        case .xrgb32: .packed(.rgb, word: 1, [1, 2, 3, nil])
        case .xbgr32: .packed(.rgb, word: 1, [3, 2, 1, nil])
        case .bgr24: .packed(.rgb, word: 1, words: 3, [2, 1, 0, nil])
        case .rgb24: .packed(.rgb, word: 1, words: 3, [0, 1, 2, nil])
        case .rgb565: .bits(.rgb, bytes: 2, [(11, 5), (5, 6), (0, 5), nil])
        case .xrgb1555: .bits(.rgb, bytes: 2, [(10, 5), (5, 5), (0, 5), nil])
        case .x2rgb10: .bits(.rgb, bytes: 4, [(20, 10), (10, 10), (0, 10), nil])
        case .x2bgr10: .bits(.rgb, bytes: 4, [(0, 10), (10, 10), (20, 10), nil])
        case .rgba64: .packed(.rgb, word: 2, [0, 1, 2, 3])
        case .rgba64f: .packed(.rgb, word: 2, [0, 1, 2, 3], isFloat: true)
        case .rggb8: .bayer(redColumn: 0, redRow: 0)
        case .bggr8: .bayer(redColumn: 1, redRow: 1)
        case .gbrg8: .bayer(redColumn: 0, redRow: 1)
        case .grbg8: .bayer(redColumn: 1, redRow: 0)
        }
    }
}

extension PixelLayout {
    private typealias Components = InlineArray<4, ComponentDescription?>

    private static func sample(
        _ plane: Int, _ depth: Int, offset: Int = 0, step: Int? = nil, shift: Int = 0
    ) -> ComponentDescription {
        let word = depth + shift > 8 ? 2 : 1
        return ComponentDescription(
            plane: plane, offset: offset * word, step: (step ?? 1) * word, wordBytes: word, shift: shift, depth: depth)
    }

    fileprivate static func planar(
        _ depth: Int, _ horizontal: Int, _ vertical: Int, chroma: (cb: Int, cr: Int) = (1, 2), alpha: Bool = false
    ) -> PixelLayout {
        let bytes = depth > 8 ? 2 : 1
        let small = PlaneDescription(bytes, horizontalShift: horizontal, verticalShift: vertical)
        return PixelLayout(
            model: .yCbCr, planes: PlaneList(PlaneDescription(bytes), small, third: small, alpha: alpha), depth: depth,
            isFloat: false,
            components: [
                sample(0, depth), sample(chroma.cb, depth), sample(chroma.cr, depth), alpha ? sample(3, depth) : nil,
            ],
            horizontalShift: horizontal, verticalShift: vertical)
    }

    fileprivate static func semiPlanar(
        _ depth: Int, _ horizontal: Int, _ vertical: Int, crFirst: Bool = false, shift: Int = 0
    ) -> PixelLayout {
        let bytes = depth > 8 ? 2 : 1
        return PixelLayout(
            model: .yCbCr,
            planes: PlaneList(
                PlaneDescription(bytes),
                PlaneDescription(2 * bytes, horizontalShift: horizontal, verticalShift: vertical)),
            depth: depth, isFloat: false,
            components: [
                sample(0, depth, shift: shift),
                sample(1, depth, offset: crFirst ? 1 : 0, step: 2, shift: shift),
                sample(1, depth, offset: crFirst ? 0 : 1, step: 2, shift: shift), nil,
            ],
            horizontalShift: horizontal, verticalShift: vertical)
    }

    fileprivate static func gray(_ depth: Int) -> PixelLayout {
        PixelLayout(
            model: .gray, planes: PlaneList(PlaneDescription(depth > 8 ? 2 : 1)), depth: depth, isFloat: false,
            components: [sample(0, depth), nil, nil, nil], horizontalShift: 0, verticalShift: 0)
    }

    fileprivate static func packed422(
        _ depth: Int, luma: Int, cb: Int, cr: Int, shift: Int = 0
    ) -> PixelLayout {
        PixelLayout(
            model: .yCbCr, planes: PlaneList(PlaneDescription(depth > 8 ? 8 : 4, blockWidth: 2)), depth: depth,
            isFloat: false,
            components: [
                sample(0, depth, offset: luma, step: 2, shift: shift),
                sample(0, depth, offset: cb, step: 4, shift: shift),
                sample(0, depth, offset: cr, step: 4, shift: shift), nil,
            ],
            horizontalShift: 1, verticalShift: 0)
    }

    /// Describes components in words of their own; `order` gives the word of each.
    fileprivate static func packed(
        _ model: Model, word: Int, words: Int = 4, _ order: InlineArray<4, Int?>, isFloat: Bool = false
    ) -> PixelLayout {
        PixelLayout(
            model: model, planes: PlaneList(PlaneDescription(word * words)), depth: 8 * word, isFloat: isFloat,
            components: Components { index in order[index].map { sample(0, 8 * word, offset: $0, step: words) } },
            horizontalShift: 0, verticalShift: 0)
    }

    /// Describes components that share a word; `bits` gives the lowest bit and the number of bits of each.
    fileprivate static func bits(
        _ model: Model, bytes: Int, _ bits: InlineArray<4, (shift: Int, depth: Int)?>
    ) -> PixelLayout {
        PixelLayout(
            model: model, planes: PlaneList(PlaneDescription(bytes)),
            depth: max(bits[0]?.depth ?? 0, bits[1]?.depth ?? 0), isFloat: false,
            components: Components { index in
                bits[index].map {
                    ComponentDescription(
                        plane: 0, offset: 0, step: bytes, wordBytes: bytes, shift: $0.shift, depth: $0.depth)
                }
            },
            horizontalShift: 0, verticalShift: 0)
    }

    fileprivate static func planarRGB(_ depth: Int, alpha: Bool = false) -> PixelLayout {
        let plane = PlaneDescription(depth > 8 ? 2 : 1)
        return PixelLayout(
            model: .rgb, planes: PlaneList(plane, plane, third: plane, alpha: alpha), depth: depth, isFloat: false,
            components: [sample(2, depth), sample(0, depth), sample(1, depth), alpha ? sample(3, depth) : nil],
            horizontalShift: 0, verticalShift: 0)
    }

    fileprivate static var v210: PixelLayout {
        PixelLayout(
            model: .yCbCr, planes: PlaneList(PlaneDescription(16, blockWidth: 6)), depth: 10, isFloat: false,
            components: [nil, nil, nil, nil], horizontalShift: 1, verticalShift: 0, packing: .v210)
    }

    fileprivate static func bayer(redColumn: Int, redRow: Int) -> PixelLayout {
        PixelLayout(
            model: .bayer, planes: PlaneList(PlaneDescription(1)), depth: 8, isFloat: false,
            components: [sample(0, 8), nil, nil, nil], horizontalShift: 0, verticalShift: 0,
            packing: .bayer(redColumn: redColumn, redRow: redRow))
    }
}
