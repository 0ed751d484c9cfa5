import FrameConversion
import MediaIO
import TestSupport
import Testing

/// Frames in other formats than a sink takes are converted, checked against plain arithmetic.
struct FormatConverterTests {
    /// The formats of the SDKs.
    static let sdkFormats: [PixelFormat] = [
        .i420, .nv12, .nv21, .i422, .bgra32, .rgba32, .argb32, .abgr32, .bgr24, .rgb24, .yuyv, .uyvy,
    ]
    static let others: [PixelFormat] = [
        .i444, .i420a, .i010, .p010, .p416, .y210, .ayuv, .yuv9, .i440, .gray8, .gray16, .rgb565, .x2rgb10, .rgba64,
        .rgba64f, .gbrp, .gbrp12, .xrgb32, .vuyx, .y410,
    ]
    /// Each format of the SDKs to and from every format.
    static let pairs =
        sdkFormats.flatMap { one in (sdkFormats + others).map { (one, $0) } }
        + others.flatMap { one in sdkFormats.map { (one, $0) } }
    static let size = VideoSize(width: 21, height: 13)
    static let space = ColorSpace(matrix: .bt601, range: .limited)

    /// The code values of one colour in a format: Y, U, V or R, G, B, and A.
    static func code(_ letter: Character, _ color: [Double], _ format: PixelFormat, _ space: ColorSpace) -> Double {
        let bits = format.bits(letter)
        let most = Double(1 << bits - 1)
        if let index = "RGB".firstIndex(of: letter) {
            return color["RGB".distance(from: "RGB".startIndex, to: index)] * most
        }
        if letter == "A" { return most }
        let (kr, kb) = space.matrix == .bt709 ? (0.2126, 0.0722) : (0.299, 0.114)
        let luma = kr * color[0] + (1 - kr - kb) * color[1] + kb * color[2]
        let eighth = Double(1 << (bits - 8))
        let isFull = space.range == .full
        func difference(_ value: Double) -> Double {
            128 * eighth + value * (isFull ? most : 224 * eighth)
        }
        return switch letter {
        case "Y": isFull ? luma * most : (16 + 219 * luma) * eighth
        case "U": difference((color[2] - luma) / (2 * (1 - kb)))
        default: difference((color[0] - luma) / (2 * (1 - kr)))
        }
    }

    static func colorSpace(_ format: PixelFormat) -> ColorSpace {
        ColorTags().colorSpace(of: format, size: size)
    }

    /// A colour that is the same everywhere has known codes in any format.
    @Test(arguments: pairs) func colorsStayTheSame(
        _ from: PixelFormat, _ to: PixelFormat
    ) throws {
        let converter = try FormatConverter(to: to)
        var worst = 0.0
        for color in [[0.2, 0.4, 0.6], [1, 1, 1], [0, 0, 0], [0.9, 0.3, 0.1], [0.5, 0.5, 0.5]] {
            let isGray = !from.has("U") && !from.has("R") || !to.has("U") && !to.has("R")
            let shown = isGray ? [color[1], color[1], color[1]] : color
            let space = Self.colorSpace(from)
            let picture = TestPicture(format: from, size: Self.size) { letter, _, _ in
                if from == .rgba64f, let index = Array("RGBA").firstIndex(of: letter) {
                    return Int(((shown + [1])[index] * 65_535).rounded())
                }
                return Int(Self.code(letter, shown, from, space).rounded())
            }
            let frame = VideoFrame(
                try picture.buffer(padding: 5),
                // Floating-point numbers are light, unless they are said to be code values.
                attributes: FrameAttributes(
                    colorTags: ColorTags(transfer: from.has("R") ? .sRGB : nil), rotation: .clockwise90, mirror: .both),
                presentationTime: .seconds(3))
            let result = try converter.convert(frame)
            #expect(result.attributes.rotation == .clockwise90 && result.attributes.mirror == .both)
            #expect(result.presentationTime == .seconds(3))
            #expect(result.image.format == to && result.image.size == Self.size)
            let probe = SampleProbe(try result.pixelBuffer)
            // What the frame's own tags say of it.
            let target = result.colorSpace
            let letters: [Character] = to.has("R") ? Array("RGBA") : to.has("U") ? Array("YUVA") : ["Y"]
            // A step of the coarser of both formats, besides rounding.
            let coarsest = ["Y", "R", "B"].filter { from.has($0) }.map { from.bits($0) }.min() ?? 8
            for (x, y) in [(0, 0), (20, 12), (11, 7)] {
                let codes = probe.codes(x, y)
                for (index, found) in codes.enumerated() {
                    let letter = letters[index]
                    if to == .rgba64f {
                        let value = Double(Float16(bitPattern: UInt16(found)))
                        let steps = Double(1 << min(coarsest, 8) - 1)
                        worst = max(worst, abs(value - (shown + [1])[index]) * steps)
                        continue
                    }
                    let expected = Self.code(letter, shown, to, target)
                    let step = max(1, Double(1 << max(0, to.bits(letter) - min(coarsest, 8))))
                    worst = max(worst, abs(Double(found) - expected) / step)
                }
            }
        }
        // YCbCr of the coarser format is rounded in three components, which RGB adds up.
        #expect(worst <= (to.has("R") && from.has("U") ? 2 : 1), "\(worst)")
    }

    /// Conversions that only rearrange samples lose nothing.
    @Test(
        arguments: [
            [.i420, .nv12, .nv21, .yv12], [.i422, .yuyv, .uyvy, .yvyu, .nv16, .nv61],
            [.bgra32, .rgba32, .argb32, .abgr32], [.bgr24, .rgb24, .rgbx32, .gbrp], [.i444, .nv24, .vuyx],
            [.i010, .p010], [.x2rgb10, .x2bgr10, .gbrp10],
        ] as [[PixelFormat]]) func arrangementsAreExact(_ formats: [PixelFormat]) throws
    {
        for from in formats {
            for to in formats {
                let source = try TestPicture.noise(from, Self.size).buffer(padding: 3, isBottomUp: from == .bgra32)
                let frame = try FormatConverter(to: to).convert(VideoFrame(source))
                #expect(Self.codes(try frame.pixelBuffer) == Self.codes(source), "\(from) to \(to)")
                #expect((try frame.pixelBuffer === source) == (from == to))
            }
        }
    }

    static func codes(_ buffer: PixelBuffer) -> [Int] {
        let probe = SampleProbe(buffer)
        return (0..<buffer.size.height).flatMap { y in (0..<buffer.size.width).flatMap { probe.codes($0, y).prefix(3) }
        }
    }

    @Test(arguments: [PixelFormat.i444, .gbrp, .ayuv], [PixelFormat.bgra32, .rgb24, .abgr32])
    func everyPixelIsConverted(_ from: PixelFormat, _ to: PixelFormat) throws {
        let noise = TestPicture.noise(from, Self.size)
        let picture = TestPicture(format: from, size: Self.size) { letter, x, y in
            letter == "A" ? 255 : noise.value(letter, x, y)
        }
        let frame = VideoFrame(try picture.buffer(), attributes: FrameAttributes(colorSpace: Self.space))
        let probe = SampleProbe(try FormatConverter(to: to).convert(frame).pixelBuffer)
        var error = LargestError()
        for y in 0..<Self.size.height {
            for x in 0..<Self.size.width {
                let expected = picture.expected(x, y, .bt601, from.has("R") ? .full : .limited)
                for index in 0..<3 { error.add(Double(probe.codes(x, y)[index]) - expected[index]) }
            }
        }
        #expect(error.value <= 1)
    }

    /// Chroma is the mean of its pixels, also at the right and lower edge.
    @Test(
        arguments: [
            (.i420, 2, 2), (.nv12, 2, 2), (.nv21, 2, 2), (.i422, 2, 1), (.yuyv, 2, 1), (.uyvy, 2, 1), (.i444, 1, 1),
            (.p010, 2, 2), (.i411, 4, 1), (.yuv9, 4, 4),
        ] as [(PixelFormat, Int, Int)]) func chromaIsAMean(_ to: PixelFormat, _ columns: Int, _ rows: Int) throws
    {
        let picture = TestPicture.noise(.rgb24, Self.size)
        let result = try FormatConverter(to: to).convert(VideoFrame(try picture.buffer()))
        let probe = SampleProbe(try result.pixelBuffer)
        let step = Double(1 << (to.bits("Y") - 8))
        var error = LargestError()
        for y in 0..<Self.size.height {
            for x in 0..<Self.size.width {
                func color(_ x: Int, _ y: Int) -> [Double] {
                    let place = (min(x, Self.size.width - 1), min(y, Self.size.height - 1))
                    return "RGB".map { Double(picture.value($0, place.0, place.1)) / 255 }
                }
                var sum = [0.0, 0, 0]
                for row in 0..<rows {
                    for column in 0..<columns {
                        let other = color(x / columns * columns + column, y / rows * rows + row)
                        for index in 0..<3 { sum[index] += other[index] / Double(rows * columns) }
                    }
                }
                let codes = probe.codes(x, y)
                error.add((Double(codes[0]) - Self.code("Y", color(x, y), to, result.colorSpace)) / step)
                error.add((Double(codes[1]) - Self.code("U", sum, to, result.colorSpace)) / step)
                error.add((Double(codes[2]) - Self.code("V", sum, to, result.colorSpace)) / step)
            }
        }
        #expect(error.value <= 1)
    }

    /// A ramp stays where it is, whatever the place of the chroma samples.
    @Test(
        arguments: [(.i444, .i420), (.i422, .i420), (.i420, .i444), (.i420, .yuyv), (.nv12, .i422), (.i422, .nv12)]
            as [(PixelFormat, PixelFormat)], ChromaLocation.allCases)
    func chromaStaysInPlace(_ formats: (PixelFormat, PixelFormat), _ location: ChromaLocation) throws {
        let (from, to) = formats
        let size = VideoSize(width: 64, height: 40)
        func ramp(_ x: Double, _ y: Double) -> Double { 20 + 2 * x + 1.5 * y }
        func place(_ format: PixelFormat, _ x: Int, _ y: Int) -> (Double, Double) {
            let (columns, rows) = format.sharing
            return (
                Double(x * columns) + location.place.x * Double(columns - 1),
                Double(y * rows) + location.place.y * Double(rows - 1)
            )
        }
        let picture = TestPicture(format: from, size: size) { letter, x, y in
            let (column, row) = place(from, x, y)
            return letter == "Y" ? 100 : Int(ramp(column, row).rounded())
        }
        let frame = VideoFrame(
            try picture.buffer(), attributes: FrameAttributes(colorSpace: Self.space, chromaLocation: location))
        let result = try FormatConverter(to: to).convert(frame)
        #expect(result.attributes == frame.attributes)
        let probe = SampleProbe(try result.pixelBuffer)
        let (columns, rows) = to.sharing
        var error = LargestError()
        // The outermost samples have no neighbour to be interpolated with.
        for y in stride(from: 4, to: size.height - 4, by: rows) {
            for x in stride(from: 4, to: size.width - 4, by: columns) {
                let (column, row) = place(to, x / columns, y / rows)
                for index in 1...2 { error.add(Double(probe.codes(x, y)[index]) - ramp(column, row)) }
            }
        }
        #expect(error.value <= 1)
    }

    @Test func steadyStateReusesItsMemory() throws {
        let converter = try FormatConverter(to: .bgra32)
        let source = VideoFrame(try TestPicture.noise(.i420, Self.size).buffer())
        var buffers: Set<ObjectIdentifier> = []
        for _ in 0..<9 { buffers.insert(ObjectIdentifier(try converter.convert(source).pixelBuffer)) }
        #expect(buffers.count == 1)
    }

    @Test(arguments: [PixelFormat.v210, .rggb8]) func camerasFormatsAreRefused(_ format: PixelFormat) throws {
        let error = #expect(throws: StreamError.self) { try FormatConverter(to: format) }
        #expect(error?.code == .unsupported)
        // They can be converted from.
        let frame = VideoFrame(try TestPicture.noise(format, Self.size).buffer())
        #expect(try FormatConverter(to: .nv12).convert(frame).image.format == .nv12)
    }

    @Test func texturesAreRefused() throws {
        let texture = try TextureImage(
            names: [1], format: .rgba32, size: Self.size, fence: nil, shareGroup: ObjectIdentifier(PixelBufferPool()),
            release: {})
        #expect(throws: StreamError.self) { try FormatConverter(to: .i420).convert(VideoFrame(.texture(texture))) }
    }
}
