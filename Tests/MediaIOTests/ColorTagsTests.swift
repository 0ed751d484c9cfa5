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
    static let small = "fewer than 1280 columns, at most 576 rows"

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
            .left
        ),
        (
            .p010, hd, ColorTags(range: .full, primaries: .bt2020),
            ColorSpace(matrix: .bt2020, range: .full, primaries: .bt2020), .topLeft
        ),
        // A possible tag takes precedence.
        (
            .i422, hd, ColorTags(matrix: .fcc, primaries: .adobe, transfer: .gamma28, chromaLocation: .bottom),
            ColorSpace(matrix: .fcc, range: .limited, primaries: .adobe, transfer: .gamma28), .bottom
        ),
        (.i444, hd, ColorTags(matrix: .rgb), ColorSpace(matrix: .rgb, range: .limited), .left),
        // A person may set what cannot be right.
        (.i420, hd, ColorTags(matrix: .rgb), ColorSpace(matrix: .rgb, range: .limited), .left),
        (.rgb24, hd, ColorTags(matrix: .bt601), ColorSpace(matrix: .rgb, range: .full, transfer: .sRGB), .left),
        (.bgra32, hd, ColorTags(range: .limited), ColorSpace(matrix: .rgb, range: .limited, transfer: .sRGB), .left),
        (.rgb565, hd, ColorTags(range: .limited), ColorSpace(matrix: .rgb, range: .full, transfer: .sRGB), .left),
        (.v210, hd, ColorTags(range: .full), ColorSpace(matrix: .bt709, range: .full), .left),
        (.v210, hd, ColorTags(), ColorSpace(matrix: .bt709, range: .limited), .left),
    ]

    @Test(arguments: rows.indices) func theRuleHolds(_ index: Int) {
        let row = Self.rows[index]
        #expect(row.tags.colorSpace(of: row.format, size: row.size) == row.expected)
        #expect(row.tags.chromaLocation(of: row.format) == row.chroma)
    }

    @Test func whatIsSetTakesPrecedencePartByPart() {
        let own = ColorTags(matrix: .fcc, range: .full, primaries: .adobe, transfer: .gamma28, chromaLocation: .bottom)
        let other = ColorTags(
            matrix: .bt709, range: .limited, primaries: .dciP3, transfer: .pq, chromaLocation: .top)
        #expect(own.overridden(by: ColorTags()) == own)
        #expect(ColorTags().overridden(by: own) == own)
        #expect(own.overridden(by: other) == other)
        for part in ColorTags.Part.allCases {
            let one = other.only(part)
            let result = own.overridden(by: one)
            for kept in ColorTags.Part.allCases {
                #expect(result.name(of: kept) == (kept == part ? other : own).name(of: kept))
            }
        }
    }

    /// Format, tags, notes, part, what is said of it, and why its value is taken.
    typealias Why = (
        format: PixelFormat, tags: ColorTags, notes: [ColorTags.Part: ColorTags.Note], part: ColorTags.Part,
        said: String?, reason: String
    )

    static let typed = ColorTags.Note.set(insteadOf: nil, by: "typed")

    static let reasons: [Why] = [
        (.i420, ColorTags(matrix: .fcc), [:], .matrix, "fcc", "tagged by the stream"),
        (.i420, ColorTags(matrix: .fcc), [.matrix: .inferred], .matrix, nil, "inferred by the decoder"),
        (
            .i420, ColorTags(chromaLocation: .left), [.chroma: .perhapsInferred], .chroma, "left",
            "tagged, or inferred by the decoder"
        ),
        (.i420, ColorTags(range: .full), [.range: .implied], .range, nil, "implied by the name of the format"),
        (.i420, ColorTags(range: .full), [.range: typed], .range, nil, "typed"),
        (
            .i420, ColorTags(range: .full), [.range: .set(insteadOf: "limited", by: "typed")], .range, "limited",
            "typed"
        ),
        (
            .i420, ColorTags(), [.matrix: .unusable("ictcp", because: "no equivalent")], .matrix,
            "ictcp (no equivalent)", small
        ),
        (
            .i420, ColorTags(matrix: .bt2020), [.matrix: .approximated("bt2020c")], .matrix, "bt2020c",
            "the closest to the tag"
        ),
        (.i420, ColorTags(), [:], .matrix, nil, "untagged; \(small)"),
        (.i420, ColorTags(), [.chroma: .ambiguous("left")], .chroma, "left or none", "as in MPEG-2 and H.264"),
        (
            .i420, ColorTags(primaries: .bt2020), [.chroma: .ambiguous("left")], .chroma, "left or none",
            "the stream's other tags say BT.2020, PQ or HLG"
        ),
        (
            .i420, ColorTags(matrix: .bt601), [.matrix: .overruled("bt709")], .matrix, "bt709",
            "inferred by the decoder, instead of the container's tag"
        ),
        (.i420, ColorTags(transfer: .pq), [:], .matrix, nil, "the stream's other tags say BT.2020, PQ or HLG"),
        (
            .i420, ColorTags(transfer: .pq), [.transfer: typed], .matrix, nil,
            "other values typed say BT.2020, PQ or HLG"
        ),
        (
            .i420, ColorTags(transfer: .pq), [.transfer: typed], .chroma, nil,
            "other values typed say BT.2020, PQ or HLG"
        ),
        (
            .i420, ColorTags(primaries: .bt2020, transfer: .pq), [.transfer: typed], .matrix, nil,
            "the stream's other tags say BT.2020, PQ or HLG"
        ),
        // What the draw ignores is not called used.
        (
            .rgb565, ColorTags(range: .limited), [.range: typed], .range, nil,
            "typed, but not used: limited range needs 8 bits or more"
        ),
        (
            .rgb24, ColorTags(matrix: .bt709), [.matrix: typed], .matrix, nil,
            "typed, but not used: the format has no Cb and Cr"
        ),
        (
            .rggb8, ColorTags(matrix: .bt709), [.matrix: typed], .matrix, nil,
            "typed, but not used: the format has no Cb and Cr"
        ),
        (.rgb24, ColorTags(matrix: .bt709), [:], .matrix, "bt709", "not used: the format has no Cb and Cr"),
        (
            .i444, ColorTags(chromaLocation: .top), [.chroma: typed], .chroma, nil,
            "typed, but not used: the format has no subsampled chroma"
        ),
    ]

    @Test(arguments: reasons.indices) func theReasonIsTrue(_ index: Int) {
        let row = Self.reasons[index]
        let rows = row.tags.explanation(of: row.format, size: Self.sd, notes: row.notes)
        #expect(rows.map(\.part) == ColorTags.Part.allCases)
        let one = rows.first { $0.part == row.part }
        #expect(one?.said == row.said)
        #expect(one?.reason == row.reason)
    }

    @Test(arguments: PixelFormat.allCases) func onlyYCbCrIsCalledYCbCr(_ format: PixelFormat) {
        let rows = ColorTags().explanation(of: format, size: Self.sd)
        #expect(rows.contains { $0.reason.contains("YCbCr") } == (format.layout.model == .yCbCr))
    }

    @Test func whatIsTakenIsWhatIsExplained() {
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

extension ColorTags {
    /// These tags without all parts but one.
    func only(_ part: Part) -> ColorTags {
        switch part {
        case .matrix: ColorTags(matrix: matrix)
        case .range: ColorTags(range: range)
        case .primaries: ColorTags(primaries: primaries)
        case .transfer: ColorTags(transfer: transfer)
        case .chroma: ColorTags(chromaLocation: chromaLocation)
        }
    }
}
