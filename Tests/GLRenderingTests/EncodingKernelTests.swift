import CVitrailKernels
import FrameConversion
import Glibc
import MediaIO
import TestSupport
import Testing

/// The loops from R, G and B to Y, Cb and Cr, and from NV12 and I420 to R, G and B, with each set of instructions.
@Suite(.renderTurn, .serialized) struct EncodingKernelTests {
    private static var sets: [Int64] {
        let all = vitrail_instruction_sets()
        return (0..<63).map { Int64(1) << $0 }.filter { all & $0 != 0 }
    }

    /// Memory that ends with a page which must not be touched, and begins with one unless it is larger than it must be.
    private final class GuardedMemory: @unchecked Sendable {
        // Unchecked because of the pointer: one thread uses it.
        private let base: UnsafeMutableRawPointer
        private let length: Int
        let bytes: UnsafeMutablePointer<UInt8>

        init(_ count: Int, atEnd: Bool) throws {
            let page = 4096
            let room = (max(1, count) + page - 1) / page * page
            length = room + 2 * page
            let map = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            base = try #require(map == MAP_FAILED ? nil : map)
            mprotect(base, page, PROT_NONE)
            mprotect(base + page + room, page, PROT_NONE)
            bytes = (base + page + (atEnd ? room - count : 0)).assumingMemoryBound(to: UInt8.self)
        }

        deinit { munmap(base, length) }
    }

    /// A byte order of R, G and B.
    struct Order: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: Int32
        let places: (Int32, Int32, Int32)
        let opacity: Int32
        var testDescription: String { name }

        static let all = [
            Order(name: "bgra", bytes: 4, places: (2, 1, 0), opacity: 3),
            Order(name: "rgba", bytes: 4, places: (0, 1, 2), opacity: 3),
            Order(name: "argb", bytes: 4, places: (1, 2, 3), opacity: 0),
            Order(name: "abgr", bytes: 4, places: (3, 2, 1), opacity: 0),
            Order(name: "bgrx", bytes: 4, places: (2, 1, 0), opacity: -1),
            Order(name: "rgb24", bytes: 3, places: (0, 1, 2), opacity: -1),
            Order(name: "bgr24", bytes: 3, places: (2, 1, 0), opacity: -1),
        ]
    }

    static let spaces = [ColorSpace.Matrix.bt601, .bt709, .bt2020, .ycgco, .rgb].flatMap { matrix in
        [ColorSpace.Range.limited, .full].map { ColorSpace(matrix: matrix, range: $0) }
    }

    @Test(arguments: Order.all) func agreesWithTheReference(_ order: Order) throws {
        defer { vitrail_use_instruction_sets(0) }
        var random = SeededGenerator(seed: 6)
        let sizes = [(1, 1), (2, 2), (3, 1), (7, 3), (15, 2), (16, 2), (17, 5), (33, 2), (66, 4)]
        for set in Self.sets {
            vitrail_use_instruction_sets(set)
            for (index, (width, height)) in sizes.enumerated() {
                let space = Self.spaces[(index + Int(set.trailingZeroBitCount)) % Self.spaces.count]
                for (across, down, step) in [(1, 1, 1), (1, 1, 2), (1, 0, 1), (0, 0, 1), (0, 0, 2), (0, 1, 1)] {
                    try check(
                        order, space, width, height, across, down, step, isTranslucent: index % 2 == 0, &random,
                        String(cString: vitrail_instruction_set_name(set)))
                }
            }
        }
    }

    @Test(arguments: Self.spaces) func everySpaceIsExact(_ space: ColorSpace) throws {
        var random = SeededGenerator(seed: 7)
        for order in Order.all { try check(order, space, 64, 32, 1, 1, 2, isTranslucent: true, &random, "best") }
    }

    private func check(
        _ order: Order, _ space: ColorSpace, _ width: Int, _ height: Int, _ across: Int, _ down: Int, _ step: Int,
        isTranslucent: Bool, _ random: inout SeededGenerator, _ name: String
    ) throws {
        // Rows that end the memory, or with padding.
        for atEnd in [true, false] {
            let stride = width * Int(order.bytes) + (atEnd ? 0 : 5)
            let source = try GuardedMemory(stride * (height - 1) + width * Int(order.bytes), atEnd: atEnd)
            for y in 0..<height {
                for x in 0..<width {
                    for byte in 0..<Int(order.bytes) {
                        let isOpacity = byte == Int(order.opacity)
                        source.bytes[y * stride + x * Int(order.bytes) + byte] =
                            isOpacity && !isTranslucent ? 255 : UInt8.random(in: 0...255, using: &random)
                    }
                }
            }
            let (columns, rows) = ((width + across) >> across, (height + down) >> down)
            let luma = try GuardedMemory(width * height, atEnd: atEnd)
            let first = try GuardedMemory(columns * rows * step, atEnd: atEnd)
            let second = try GuardedMemory(columns * rows, atEnd: atEnd)
            let transform = YCbCrTransform.encoding(space)
            var pixels = VitrailPixels()
            pixels.first = UnsafePointer(source.bytes)
            (pixels.bytesPerRow, pixels.bytesPerPixel, pixels.opacity) = (stride, order.bytes, order.opacity)
            (pixels.width, pixels.height) = (Int32(width), Int32(height))
            (pixels.red, pixels.green, pixels.blue) = order.places
            var encoding = VitrailEncoding()
            encoding.planes = (luma.bytes, first.bytes, step == 2 ? first.bytes + 1 : second.bytes)
            encoding.strides = (width, columns * step, columns * step)
            encoding.chromaStep = Int32(step)
            (encoding.halvesColumns, encoding.halvesRows) = (across == 1, down == 1)
            let (m, o) = (transform.matrix, transform.offset)
            encoding.weights = (
                Float(m.0.x), Float(m.0.y), Float(m.0.z), Float(o.x * 255), Float(m.1.x), Float(m.1.y), Float(m.1.z),
                Float(o.y * 255), Float(m.2.x), Float(m.2.y), Float(m.2.z), Float(o.z * 255)
            )
            vitrail_encode(&pixels, &encoding, 0, Int32(height))

            func color(_ x: Int, _ y: Int) -> SIMD3<Double> {
                let pixel = source.bytes + min(y, height - 1) * stride + min(x, width - 1) * Int(order.bytes)
                let color = SIMD3(
                    Double(pixel[Int(order.places.0)]), Double(pixel[Int(order.places.1)]),
                    Double(pixel[Int(order.places.2)]))
                guard order.opacity >= 0 else { return color / 255 }
                // Over black, in eight bits.
                let opacity = Double(pixel[Int(order.opacity)]) / 255
                return (color * opacity).rounded(.toNearestOrAwayFromZero) / 255
            }
            func expected(_ value: Double) -> Double { min(255, max(0, value * 255)) }
            var error = LargestError()
            for y in 0..<height {
                for x in 0..<width {
                    error.add(Double(luma.bytes[y * width + x]) - expected(transform(color(x, y)).x))
                }
            }
            for row in 0..<rows {
                for column in 0..<columns {
                    var sum = SIMD3<Double>.zero
                    for y in 0..<(1 << down) {
                        for x in 0..<(1 << across) { sum += color(column << across + x, row << down + y) }
                    }
                    let chroma = transform(sum / Double(1 << (across + down)))
                    let place = (row * columns + column) * step
                    error.add(Double(first.bytes[place]) - expected(chroma.y))
                    error.add(Double((step == 2 ? first.bytes + 1 : second.bytes)[place]) - expected(chroma.z))
                }
            }
            #expect(error.value < 0.55, "\(name), \(space), \(width)x\(height), \(across) \(down) \(step)")
        }
    }

    @Test(arguments: Self.spaces) func tenBitsAreExact(_ space: ColorSpace) throws {
        defer { vitrail_use_instruction_sets(0) }
        var random = SeededGenerator(seed: 8)
        let transform = YCbCrTransform.encoding(space, depth: 10)
        let sizes = [(1, 1), (2, 2), (3, 1), (7, 3), (15, 2), (16, 2), (17, 5), (33, 2), (66, 4)]
        for set in Self.sets {
            vitrail_use_instruction_sets(set)
            for (width, height) in sizes {
                let (columns, rows) = ((width + 1) / 2, (height + 1) / 2)
                let source = try GuardedMemory(4 * width * height, atEnd: true)
                let luma = try GuardedMemory(2 * width * height, atEnd: true)
                let (first, second) = (
                    try GuardedMemory(2 * columns * rows, atEnd: true),
                    try GuardedMemory(2 * columns * rows, atEnd: true)
                )
                func words(_ memory: GuardedMemory) -> UnsafeMutablePointer<UInt16> {
                    UnsafeMutableRawPointer(memory.bytes).assumingMemoryBound(to: UInt16.self)
                }
                let pixels = UnsafeMutableRawPointer(source.bytes).assumingMemoryBound(to: UInt32.self)
                for place in 0..<width * height { pixels[place] = UInt32.random(in: 0...UInt32.max, using: &random) }
                var encoding = VitrailDeepEncoding()
                (encoding.first, encoding.bytesPerRow) = (UnsafePointer(source.bytes), 4 * width)
                (encoding.width, encoding.height) = (Int32(width), Int32(height))
                encoding.planes = (words(luma), words(first), words(second))
                encoding.strides = (2 * width, 2 * columns, 2 * columns)
                let (m, o) = (transform.matrix, transform.offset * 1023)
                encoding.weights = (
                    Float(m.0.x), Float(m.0.y), Float(m.0.z), Float(o.x), Float(m.1.x), Float(m.1.y), Float(m.1.z),
                    Float(o.y), Float(m.2.x), Float(m.2.y), Float(m.2.z), Float(o.z)
                )
                vitrail_encode_deep(&encoding, 0, Int32(height))

                func color(_ x: Int, _ y: Int) -> SIMD3<Double> {
                    let word = pixels[min(y, height - 1) * width + min(x, width - 1)]
                    return SIMD3(Double(word & 1023), Double(word >> 10 & 1023), Double(word >> 20 & 1023)) / 1023
                }
                func expected(_ value: Double) -> Double { min(1023, max(0, value * 1023)) }
                var error = LargestError()
                for y in 0..<height {
                    for x in 0..<width {
                        error.add(Double(words(luma)[y * width + x]) - expected(transform(color(x, y)).x))
                    }
                }
                for y in 0..<rows {
                    for x in 0..<columns {
                        let sum =
                            color(2 * x, 2 * y) + color(2 * x + 1, 2 * y) + color(2 * x, 2 * y + 1)
                            + color(2 * x + 1, 2 * y + 1)
                        let chroma = transform(sum / 4)
                        error.add(Double(words(first)[y * columns + x]) - expected(chroma.y))
                        error.add(Double(words(second)[y * columns + x]) - expected(chroma.z))
                    }
                }
                #expect(
                    error.value < 0.51,
                    "\(String(cString: vitrail_instruction_set_name(set))), \(space), \(width)x\(height)")
            }
        }
    }

    /// NV12, NV21 and I420, of which chroma lies on or between the columns, are drawn from and to memory without slack.
    @Test(arguments: [PixelFormat.nv12, .nv21, .i420, .nv16], [ChromaLocation.left, .center, .topLeft])
    func halvedChromaIsInterpolated(_ format: PixelFormat, _ location: ChromaLocation) throws {
        defer { vitrail_use_instruction_sets(0) }
        let space = ColorSpace(matrix: .bt709, range: .limited)
        let reference = ReferenceConverter(matrix: .bt709, range: .limited, depth: 8)
        for set in Self.sets {
            vitrail_use_instruction_sets(set)
            for (width, height) in [(1, 1), (2, 2), (5, 4), (31, 3), (64, 4), (67, 7)] {
                let size = VideoSize(width: width, height: height)
                let picture = TestPicture.noise(format, size)
                var memory: [GuardedMemory] = []
                let planes = try picture.planes.map { rows in
                    let guarded = try GuardedMemory(rows.joined().count, atEnd: true)
                    memory.append(guarded)
                    for (index, byte) in rows.joined().enumerated() { guarded.bytes[index] = byte }
                    return PixelBuffer.Plane(
                        bytes: UnsafeRawBufferPointer(start: guarded.bytes, count: rows.joined().count),
                        bytesPerRow: rows[0].count)
                }
                let buffer = try withExtendedLifetime(memory) {
                    try PixelBuffer(lending: planes, format: format, size: size) { [memory] in _ = memory.count }
                }
                let frame = VideoFrame(
                    buffer, attributes: FrameAttributes(colorSpace: space, chromaLocation: location))
                for target in [PixelFormat.bgra32, .rgba32] {
                    let probe = SampleProbe(try FormatConverter(to: target).convert(frame).pixelBuffer)
                    var error = LargestError()
                    for y in 0..<height {
                        for x in 0..<width {
                            let codes = chroma(picture, format, location, x, y)
                            let expected = reference.rgb(
                                y: Double(picture.value("Y", x, y)), cb: codes.0, cr: codes.1)
                            for (value, other) in zip(probe.codes(x, y), expected) {
                                error.add(Double(value) - min(255, max(0, other)))
                            }
                        }
                    }
                    let name = String(cString: vitrail_instruction_set_name(set))
                    #expect(error.value < 0.6, "\(name), \(target), \(size)")
                }
            }
        }
    }

    private func chroma(
        _ picture: TestPicture, _ format: PixelFormat, _ location: ChromaLocation, _ x: Int, _ y: Int
    ) -> (Double, Double) {
        let (columns, rows) = format.sharing
        func taps(_ luma: Int, _ shared: Int, _ place: Double, _ length: Int) -> (Int, Int, Double) {
            let count = (length + shared - 1) / shared
            let position = (Double(luma) - place * Double(shared - 1)) / Double(shared)
            let clamped = min(max(position, 0), Double(count - 1))
            return (Int(clamped), min(Int(clamped) + 1, count - 1), clamped - clamped.rounded(.down))
        }
        let across = taps(x, columns, location.place.x, picture.size.width)
        let down = taps(y, rows, location.place.y, picture.size.height)
        func value(_ letter: Character) -> Double {
            func row(_ y: Int) -> Double {
                Double(picture.value(letter, across.0, y)) * (1 - across.2)
                    + Double(picture.value(letter, across.1, y)) * across.2
            }
            return row(down.0) * (1 - down.2) + row(down.1) * down.2
        }
        return (value("U"), value("V"))
    }
}
