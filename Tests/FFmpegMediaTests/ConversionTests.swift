import CVitrailFFmpeg
import MediaIO
import Testing

@testable import FFmpegMedia

/// Formats that have no name here, worked out by hand.
@Suite struct ConversionTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var width: Int
        var height = 1
        var raw: [UInt8]
        var format: PixelFormat
        var range = ColorSpace.Range.full
        var expected: [UInt8]
        var testDescription: String { "\(name) \(range)" }
    }

    /// 16-bit words in memory order.
    static func le(_ words: [Int]) -> [UInt8] { words.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] } }
    static func be(_ words: [Int]) -> [UInt8] { words.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] } }
    static func float(_ values: [Float]) -> [UInt8] {
        values.flatMap { f in withUnsafeBytes(of: f.bitPattern) { Array($0) } }
    }

    static let cases = [
        // Two pixels with the entries 2 and 1 of a palette of words A R G B.
        Case(
            name: "pal8", width: 2,
            raw: [2, 1] + [0, 0, 0, 0, 0x33, 0x22, 0x11, 0x80, 0xCC, 0xBB, 0xAA, 0xFF]
                + [UInt8](repeating: 0, count: 1012),
            format: .rgba32, expected: [0xAA, 0xBB, 0xCC, 0xFF, 0x11, 0x22, 0x33, 0x80]),
        Case(
            name: "monow", width: 10, raw: [0b1010_0000, 0b0100_0000], format: .gray8,
            expected: [0, 255, 0, 255, 255, 255, 255, 255, 255, 0]),
        Case(
            name: "monob", width: 10, raw: [0b1010_0000, 0b0100_0000], format: .gray8,
            expected: [255, 0, 255, 0, 0, 0, 0, 0, 0, 255]),
        // B with 2 bits, G and R with 3 each, from the highest on.
        Case(
            name: "bgr8", width: 3, raw: [0b1110_0000, 0b0001_1111, 0b0100_1001], format: .rgba32,
            expected: [0, 146, 255, 255, 255, 109, 0, 255, 36, 36, 85, 255]),
        // R and G with 3 bits each, B with 2, which is not what FFmpeg's own description says.
        Case(
            name: "rgb8", width: 4, raw: [0xE0, 0x1C, 0x03, 0x4A], format: .rgba32,
            expected: [255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 73, 73, 170, 255]),
        // 1, 2 and 1 bits, the first pixel in the high half of a byte, or one pixel in the low half.
        Case(
            name: "rgb4", width: 3, raw: [0x87, 0x20], format: .rgba32,
            expected: [255, 0, 0, 255, 0, 255, 255, 255, 0, 85, 0, 255]),
        Case(
            name: "bgr4", width: 3, raw: [0x87, 0x20], format: .rgba32,
            expected: [0, 0, 255, 255, 255, 255, 0, 255, 0, 85, 0, 255]),
        Case(
            name: "rgb4_byte", width: 3, raw: [8, 7, 2], format: .rgba32,
            expected: [255, 0, 0, 255, 0, 255, 255, 255, 0, 85, 0, 255]),
        Case(
            name: "bgr4_byte", width: 3, raw: [8, 7, 2], format: .rgba32,
            expected: [0, 0, 255, 255, 255, 255, 0, 255, 0, 85, 0, 255]),
        Case(
            name: "rgb565be", width: 2, raw: [0b1111_1000, 0b0000_0001, 0b0000_0111, 0b1110_0000], format: .rgba32,
            expected: [255, 0, 8, 255, 0, 255, 0, 255]),
        Case(
            name: "bgr555le", width: 1, raw: le([0b0_00001_11111_00010]), format: .rgba32, expected: [16, 255, 8, 255]),
        Case(name: "rgb444be", width: 1, raw: be([0x0_1_8_F]), format: .rgba32, expected: [0x11, 0x88, 0xFF, 255]),
        Case(name: "ya8", width: 2, raw: [7, 9, 250, 0], format: .rgba32, expected: [7, 7, 7, 9, 250, 250, 250, 0]),
        Case(
            name: "ya16be", width: 1, raw: be([0x1234, 0x5678]), format: .rgba64,
            expected: le([0x1234, 0x1234, 0x1234, 0x5678])),
        Case(
            name: "rgb48be", width: 1, raw: be([0x1234, 0x5678, 0x9ABC]), format: .rgba64,
            expected: le([0x1234, 0x5678, 0x9ABC, 0xFFFF])),
        Case(
            name: "bgra64le", width: 1, raw: le([0x1234, 0x5678, 0x9ABC, 0xDEF0]), format: .rgba64,
            expected: le([0x9ABC, 0x5678, 0x1234, 0xDEF0])),
        // Planes G, B, R, A: 1023 becomes 65535, and a limited range 64 times as much, opacity excepted.
        Case(
            name: "gbrap10be", width: 2, raw: be([0, 1023, 512, 1, 1023, 0, 1, 1023]), format: .rgba64,
            expected: le([65_535, 0, 32_800, 64, 0, 65_535, 64, 65_535])),
        Case(
            name: "gbrap10be", width: 2, raw: be([64, 940, 64, 940, 940, 64, 0, 1023]), format: .rgba64,
            range: .limited,
            expected: le([60_160, 4096, 4096, 0, 4096, 60_160, 60_160, 65_535])),
        Case(
            name: "gray9le", width: 4, raw: le([0, 255, 256, 511]), format: .gray10, expected: le([0, 510, 513, 1023])),
        Case(
            name: "gray9le", width: 3, raw: le([32, 470, 511]), format: .gray10, range: .limited,
            expected: le([64, 940, 1022])),
        Case(name: "gray14be", width: 2, raw: be([0, 16_383]), format: .gray16, expected: le([0, 65_535])),
        Case(
            name: "yuv420p10be", width: 3, height: 1, raw: be([1, 2, 1023, 512, 513, 0, 1023]), format: .i010,
            range: .limited, expected: le([1, 2, 1023, 512, 513, 0, 1023])),
        Case(
            name: "p010be", width: 2, raw: be([64 << 6, 940 << 6, 512 << 6, 1023 << 6]), format: .i010, range: .limited,
            expected: le([64, 940, 512, 1023])),
        Case(name: "gray12be", width: 1, raw: be([0xABC]), format: .gray12, expected: le([0xABC])),
        Case(
            name: "yuv440p10be", width: 2, height: 3, raw: be([1, 2, 3, 4, 5, 6, 10, 11, 12, 13, 20, 21, 22, 23]),
            format: .i440p10, range: .limited, expected: le([1, 2, 3, 4, 5, 6, 10, 11, 12, 13, 20, 21, 22, 23])),
        Case(
            name: "yuva422p12be", width: 3, raw: be([1, 2, 3, 10, 11, 20, 21, 4095, 0, 7]), format: .i212a,
            range: .limited, expected: le([1, 2, 3, 10, 11, 20, 21, 4095, 0, 7])),
        Case(
            name: "yuva420p16be", width: 3, raw: be([1, 2, 3, 10, 11, 20, 21, 65_535, 0, 7]), format: .i016a,
            range: .limited, expected: le([1, 2, 3, 10, 11, 20, 21, 65_535, 0, 7])),
        // The middle of chroma stays the middle: 256 of 512 is 512 of 1024.
        Case(
            name: "yuva444p9le", width: 3, raw: le([0, 256, 511, 0, 256, 511, 1, 255, 257, 0, 256, 511]),
            format: .i410a,
            expected: le([0, 513, 1023, 0, 512, 1022, 2, 510, 514, 0, 513, 1023])),
        Case(
            name: "ayuv64le", width: 1, raw: le([0xFFFF, 0x1001, 0x8002, 0xEB03]), format: .i416a, range: .limited,
            expected: le([0x1001, 0x8002, 0xEB03, 0xFFFF])),
        Case(name: "bayer_grbg16be", width: 2, raw: be([0x1234, 0x5678]), format: .grbg8, expected: [0x12, 0x56]),
        Case(name: "bayer_grbg16le", width: 2, raw: le([0x1234, 0x5678]), format: .grbg8, expected: [0x12, 0x56]),
        // G, B, R; half floats of 1, 0.5, −2 and the largest one.
        Case(
            name: "gbrapf32le", width: 1, raw: float([1, 0.5, -2, 1e9]), format: .rgba64f,
            expected: le([0xC000, 0x3C00, 0x3800, 0x7BFF])),
        Case(
            name: "rgbaf16be", width: 1, raw: be([0x3C00, 0xC000, 0x7E00, 0x7C00]), format: .rgba64f,
            expected: le([0x3C00, 0xC000, 0, 0x7BFF])),
        Case(
            name: "grayf32le", width: 2, raw: float([0.25, .nan]), format: .rgba64f,
            expected: le([0x3400, 0x3400, 0x3400, 0x3C00, 0, 0, 0, 0x3C00])),
    ]

    @Test(arguments: cases) func samplesAreKept(_ test: Case) throws {
        // FFmpeg 5.1 has no half floats.
        guard test.name != "rgbaf16be" || av_get_pix_fmt(test.name) != AV_PIX_FMT_NONE else { return }
        let known = try #require(DeliveredFormat.of(ffmpeg: av_get_pix_fmt(test.name).rawValue))
        #expect(known.format == test.format)
        #expect(!known.isLent)
        var converter = FrameConverter()
        for isBottomUp in [false, true] where test.name != "pal8" || !isBottomUp {
            let picture = try DecodedFrame.made(test.name, test.width, test.height, test.raw, isBottomUp: isBottomUp)
            #expect(try converter.convert(picture, to: test.format, test.range).samples == test.expected)
        }
    }

    /// Every format of FFmpeg's is lent, converted or refused by name, and no size makes the conversion read wild.
    ///
    /// Chroma keeps its columns and rows, which its siting is relative to.
    @Test func everyFormatIsHandled() throws {
        var refused: Set<String> = []
        var converter = FrameConverter()
        var next = av_pix_fmt_desc_next(nil)
        while let description = next {
            defer { next = av_pix_fmt_desc_next(description) }
            let name = String(cString: description.pointee.name)
            let number = av_pix_fmt_desc_get_id(description)
            guard let known = DeliveredFormat.of(ffmpeg: number.rawValue) else {
                let isHardware = Int32(description.pointee.flags) & AV_PIX_FMT_FLAG_HWACCEL != 0
                if !isHardware { refused.insert(name) }
                continue
            }
            #expect(known.format.layout.horizontalShift == Int(description.pointee.log2_chroma_w), "\(name)")
            #expect(known.format.layout.verticalShift == Int(description.pointee.log2_chroma_h), "\(name)")
            for size in [VideoSize(width: 1, height: 1), VideoSize(width: 7, height: 5)] where !known.isLent {
                let length = av_image_get_buffer_size(number, Int32(size.width), Int32(size.height), 1)
                let picture = try DecodedFrame.made(name, size.width, size.height, randomBytes(Int(length)))
                let buffer = try converter.convert(picture, to: known.format, .limited)
                #expect(buffer.size == size)
                #expect(buffer.samples.count == known.format.packedByteCount(size), "\(name)")
            }
        }
        #expect(refused == ["xyz12le", "xyz12be", "uyyvyy411"])
    }

    /// If limited range is not defined, the copy is in full range, whatever the tag.
    @Test(arguments: [
        ("pal8", true), ("monow", true), ("rgb444le", true), ("rgb565be", true), ("bgr8", true), ("ya8", false),
        ("rgb48be", false), ("gray9le", false), ("yuv420p10be", false), ("bayer_rggb16le", false),
    ]) func fewBitsAreFullRange(_ name: String, _ isFullRange: Bool) throws {
        let known = try #require(DeliveredFormat.of(ffmpeg: av_get_pix_fmt(name).rawValue))
        #expect(known.isFullRange == isFullRange)
    }

    /// Every byte against FFmpeg's own conversion, which takes 36 for a seventh of 255; it cannot read two pixels a byte.
    @Test(arguments: [("rgb8", 256, 3), ("bgr8", 256, 3), ("rgb4_byte", 16, 0), ("bgr4_byte", 16, 0)])
    func fewBitsInAByte(_ name: String, _ count: Int, _ tolerance: Int) throws {
        let folder = try ClipFolder()
        try folder.write((0..<count).map { UInt8($0) }, to: "a.raw")
        try folder.ffmpeg([
            "-f", "rawvideo", "-pixel_format", name, "-video_size", "\(count)x1", "-i", folder.file("a.raw"), "-c:v",
            "copy", folder.file("a.nut"),
        ])
        let reader = try folder.reader("a.nut")
        #expect(reader.info.format == .rgba32)
        let expected = try folder.decodedBytes("a.nut", pixelFormat: "rgba")
        let read = try readAll(reader).flatMap(\.packedBytes)
        try #require(read.count == 4 * count && expected.count == read.count)
        for (index, (ours, theirs)) in zip(read, expected).enumerated() {
            #expect(abs(Int(ours) - Int(theirs)) <= tolerance, "byte \(index / 4), component \(index % 4)")
        }
    }

    /// A palette from a real decoder, against FFmpeg's own conversion, which is exact for palettes.
    @Test func paletteOfPNG() throws {
        let folder = try ClipFolder()
        try folder.makeClip("a.png", size: "35x23", frames: 1, ["-pix_fmt", "pal8"])
        let reader = try folder.reader("a.png")
        #expect(reader.info.format == .rgba32)
        #expect(reader.info.colorSpace.range == .full)
        let expected = try folder.decodedBytes("a.png", pixelFormat: "rgba")
        #expect(try readAll(reader).flatMap(\.packedBytes) == expected)
    }

    /// Big-endian words from a real decoder: the same as FFmpeg's, which only swaps bytes.
    @Test(arguments: [("yuv422p10be", "yuv422p10le", PixelFormat.i210), ("gray16be", "gray16le", .gray16)])
    func bigEndianRawVideo(_ name: String, _ ours: String, _ format: PixelFormat) throws {
        let folder = try ClipFolder()
        try folder.makeClip("a.nut", size: "35x23", frames: 3, ["-c:v", "rawvideo", "-pix_fmt", name])
        let reader = try folder.reader("a.nut")
        #expect(reader.info.format == format)
        let expected = try folder.decodedBytes("a.nut", pixelFormat: ours)
        let frames = try readAll(reader)
        #expect(frames.count == 3)
        #expect(frames.flatMap(\.packedBytes) == expected)
        try reader.rewind()
        #expect(try readAll(reader).flatMap(\.packedBytes) == expected)
    }
}
