import MediaIO
import Testing

/// The rule for what a stream does not say of its colours, row by row.
@Suite struct ColorTagsTests {
    typealias Row = (
        format: PixelFormat, size: VideoSize, tags: ColorTags, expected: ColorSpace, chroma: ChromaLocation
    )

    static let sd = VideoSize(width: 720, height: 480)
    static let pal = VideoSize(width: 720, height: 576)
    static let hd = VideoSize(width: 1280, height: 720)

    static let rows: [Row] = [
        // No tags.
        (.i420, sd, ColorTags(), ColorSpace(matrix: .bt601, range: .limited, primaries: .bt601Lines525), .left),
        (.i420, pal, ColorTags(), ColorSpace(matrix: .bt601, range: .limited, primaries: .bt601Lines625), .left),
        (.nv12, hd, ColorTags(), ColorSpace(matrix: .bt709, range: .limited), .left),
        (.p010, hd, ColorTags(), ColorSpace(matrix: .bt709, range: .limited), .left),
        (.bgra32, sd, ColorTags(), ColorSpace(matrix: .rgb, range: .full, transfer: .sRGB), .left),
        (.rggb8, sd, ColorTags(), ColorSpace(matrix: .rgb, range: .full, transfer: .sRGB), .left),
        (.rgba64f, hd, ColorTags(), ColorSpace(matrix: .rgb, range: .full, transfer: .linear), .left),
        (.gray8, hd, ColorTags(), ColorSpace(matrix: .rgb, range: .full), .left),
        // One part says something of others.
        (
            .p010, sd, ColorTags(transfer: .pq),
            ColorSpace(matrix: .bt2020, range: .limited, primaries: .bt2020, transfer: .pq), .topLeft
        ),
        (
            .p010, hd, ColorTags(primaries: .bt2020),
            ColorSpace(matrix: .bt2020, range: .limited, primaries: .bt2020), .topLeft
        ),
        (
            .i420, sd, ColorTags(range: .full), ColorSpace(matrix: .bt601, range: .full, primaries: .bt601Lines525),
            .center
        ),
        // A possible tag takes precedence.
        (
            .i422, hd, ColorTags(matrix: .fcc, primaries: .adobe, transfer: .gamma28, chromaLocation: .bottom),
            ColorSpace(matrix: .fcc, range: .limited, primaries: .adobe, transfer: .gamma28), .bottom
        ),
        (.i444, hd, ColorTags(matrix: .rgb), ColorSpace(matrix: .rgb, range: .limited), .left),
        (.i420, hd, ColorTags(matrix: .rgb), ColorSpace(matrix: .bt709, range: .limited), .left),
        (.rgb24, hd, ColorTags(matrix: .bt601), ColorSpace(matrix: .rgb, range: .full, transfer: .sRGB), .left),
        (.bgra32, hd, ColorTags(range: .limited), ColorSpace(matrix: .rgb, range: .limited, transfer: .sRGB), .left),
        (.rgb565, hd, ColorTags(range: .limited), ColorSpace(matrix: .rgb, range: .full, transfer: .sRGB), .left),
        (.v210, hd, ColorTags(range: .full), ColorSpace(matrix: .bt709, range: .limited), .left),
    ]

    @Test(arguments: rows.indices) func theRuleHolds(_ index: Int) {
        let row = Self.rows[index]
        #expect(row.tags.colorSpace(of: row.format, size: row.size) == row.expected)
        #expect(row.tags.chromaLocation(of: row.format) == row.chroma)
    }

    @Test func whatIsTakenIsExplained() {
        let rows = ColorTags(matrix: .rgb, range: .full).explanation(of: .v210, size: Self.sd)
        #expect(rows.map(\.part) == ["matrix", "range", "primaries", "transfer", "chroma"])
        #expect(rows.map(\.said) == ["rgb", "full", nil, nil, nil])
        #expect(rows.map(\.taken) == ["bt601", "limited", "bt601Lines525", "bt709", "left"])
        #expect(rows[0].reason.contains("subsampled"))
        #expect(rows[1].reason.contains("v210"))
        for format in PixelFormat.allCases {
            let space = ColorTags().colorSpace(of: format, size: Self.hd)
            let taken = ColorTags().explanation(of: format, size: Self.hd).map(\.taken)
            #expect(
                taken.prefix(4) == [
                    space.matrix.rawValue, space.range.rawValue, space.primaries.rawValue, space.transfer.rawValue,
                ])
        }
    }

    @Test func cropIsWhatLiesInThePicture() throws {
        let buffer = try PixelBuffer(format: .i420, size: VideoSize(width: 10, height: 8)) { _ in }
        func visible(_ crop: Rectangle?) -> Rectangle {
            VideoFrame(buffer, attributes: FrameAttributes(crop: crop)).visibleRectangle
        }
        let all = Rectangle(x: 0, y: 0, width: 10, height: 8)
        #expect(visible(nil) == all)
        #expect(visible(Rectangle(x: 2, y: 1, width: 3, height: 4)) == Rectangle(x: 2, y: 1, width: 3, height: 4))
        #expect(visible(Rectangle(x: 7, y: -3, width: 9, height: 5)) == Rectangle(x: 7, y: 0, width: 3, height: 2))
        for nothing in [
            Rectangle(x: 10, y: 0, width: 1, height: 1), Rectangle(x: -5, y: 0, width: 5, height: 8),
            Rectangle(x: 0, y: 0, width: 0, height: 8), Rectangle(x: 0, y: 0, width: -4, height: 8),
            Rectangle(x: .max, y: .max, width: .max, height: .max),
        ] { #expect(visible(nothing) == all) }
        #expect(visible(Rectangle(x: -5, y: -5, width: .max, height: .max)) == all)
    }
}
