import MediaIO
import Synchronization
import TestSupport
import Testing

/// What memory can be a buffer, and for how long it is held.
struct PixelBufferTests {
    /// Memory of its own for planes of these lengths and strides.
    final class Memory: Sendable {
        private let addresses: [UInt]
        private let lengths: [Int]
        private let strides: [Int]
        let releases = Atomic(0)

        init(_ planes: [(length: Int, bytesPerRow: Int)]) {
            lengths = planes.map(\.length)
            strides = planes.map(\.bytesPerRow)
            addresses = planes.map {
                let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, $0.length), alignment: 16)
                _ = memory.initializeMemory(as: UInt8.self, repeating: 7)
                return UInt(bitPattern: memory.baseAddress)
            }
        }

        deinit {
            for address in addresses { UnsafeMutableRawPointer(bitPattern: address)?.deallocate() }
        }

        var planes: [PixelBuffer.Plane] {
            addresses.indices.map { index in
                PixelBuffer.Plane(
                    bytes: UnsafeRawBufferPointer(
                        start: UnsafeRawPointer(bitPattern: addresses[index]), count: lengths[index]),
                    bytesPerRow: strides[index])
            }
        }

        func lend(_ format: PixelFormat, _ size: VideoSize) throws(StreamError) -> PixelBuffer {
            try PixelBuffer(lending: planes, format: format, size: size) {
                self.releases.add(1, ordering: .sequentiallyConsistent)
            }
        }
    }

    struct Case: CustomTestStringConvertible {
        let name: String
        let size: VideoSize
        let planes: [(length: Int, bytesPerRow: Int)]
        let code: StreamError.Code?
        let word: String
        var testDescription: String { name }

        init(
            _ name: String, _ width: Int, _ height: Int, _ planes: [(Int, Int)], _ code: StreamError.Code? = nil,
            _ word: String = ""
        ) {
            self.name = name
            self.size = VideoSize(width: width, height: height)
            self.planes = planes.map { (length: $0.0, bytesPerRow: $0.1) }
            self.code = code
            self.word = word
        }
    }

    /// All I420.
    @Test(arguments: [
        Case("packed", 3, 2, [(6, 3), (2, 2), (2, 2)]),
        Case("padded, last row without padding", 3, 2, [(67, 64), (2, 64), (2, 64)]),
        Case("longer than needed", 3, 2, [(100, 3), (50, 2), (50, 2)]),
        Case("largest stride", 1, 1, [(1, 1 << 30), (1, 1 << 30), (1, 1 << 30)]),
        Case("luma one short", 3, 2, [(5, 3), (2, 2), (2, 2)], .tooShort, "Plane 0"),
        Case("padded luma one short", 3, 2, [(66, 64), (2, 2), (2, 2)], .tooShort, "67 bytes"),
        Case("last plane one short", 3, 2, [(6, 3), (2, 2), (1, 2)], .tooShort, "Plane 2"),
        Case("empty plane", 3, 2, [(6, 3), (0, 2), (2, 2)], .tooShort, "Plane 1"),
        Case("stride below the row", 3, 2, [(6, 2), (2, 2), (2, 2)], .bytesPerRow, "at least 3"),
        Case("chroma width rounded down", 3, 2, [(6, 3), (2, 1), (2, 1)], .bytesPerRow, "Plane 1"),
        Case("zero stride", 3, 2, [(6, 0), (2, 2), (2, 2)], .bytesPerRow, "Plane 0"),
        Case("last row first", 3, 2, [(6, -3), (2, -2), (2, 2)]),
        Case("last row first, padded", 3, 2, [(67, -64), (2, -2), (2, 2)]),
        Case("last row first, one short", 3, 2, [(66, -64), (2, 2), (2, 2)], .tooShort, "67 bytes"),
        Case("negative stride below the row", 3, 2, [(6, -2), (2, 2), (2, 2)], .bytesPerRow, "-2"),
        Case("stride that overflows", 3, 2, [(6, .max), (2, 2), (2, 2)], .bytesPerRow, "Plane 0"),
        Case("most negative stride", 3, 2, [(6, .min), (2, 2), (2, 2)], .bytesPerRow, "Plane 0"),
        Case("two planes", 3, 2, [(6, 3), (2, 2)], .planeCount, "3 planes, but 2 were given"),
        Case("four planes", 3, 2, [(6, 3), (2, 2), (2, 2), (2, 2)], .planeCount, "4 were given"),
        Case("no plane", 3, 2, [], .planeCount, "0 were given"),
        Case("no width", 0, 2, [(6, 3), (2, 2), (2, 2)], .sizeOutOfRange, "0x2"),
        Case("no height", 3, 0, [(6, 3), (2, 2), (2, 2)], .sizeOutOfRange, "3x0"),
        Case("negative", -3, -2, [(6, 3), (2, 2), (2, 2)], .sizeOutOfRange, "-3x-2"),
        Case("too wide", 65_537, 1, [(6, 3), (2, 2), (2, 2)], .sizeOutOfRange, "65536"),
        Case("overflow", .max, .max, [(6, 3), (2, 2), (2, 2)], .sizeOutOfRange, "65536"),
        Case("most negative", .min, .min, [(6, 3), (2, 2), (2, 2)], .sizeOutOfRange, "65536"),
    ]) func geometryIsValidatedOnce(_ test: Case) throws {
        let memory = Memory(test.planes)
        var error: StreamError?
        do throws(StreamError) {
            let buffer = try memory.lend(.i420, test.size)
            #expect(buffer.packedBytes.count == PixelFormat.i420.packedByteCount(test.size))
        } catch let failure {
            error = failure
        }
        #expect(error?.code == test.code)
        if let error { #expect(error.description.contains(test.word), "\(error)") }
        // Lent memory is given back once; memory that was refused was never taken.
        #expect(memory.releases.load(ordering: .sequentiallyConsistent) == (test.code == nil ? 1 : 0))

        let copied = try? PixelBuffer(copying: memory.planes, format: .i420, size: test.size)
        #expect((copied != nil) == (test.code == nil))
    }

    struct Layout: CustomTestStringConvertible {
        let format: PixelFormat
        let width: Int
        let planes: [(length: Int, bytesPerRow: Int)]
        let code: StreamError.Code
        let words: String
        var testDescription: String { "\(format) \(width)x4 \(words)" }

        init(_ format: PixelFormat, _ width: Int, _ planes: [(Int, Int)], _ code: StreamError.Code, _ words: String) {
            (self.format, self.width, self.code, self.words) = (format, width, code, words)
            self.planes = planes.map { (length: $0.0, bytesPerRow: $0.1) }
        }
    }

    /// Layouts of other formats, by numbers; a picture has four rows.
    @Test(arguments: [
        Layout(.nv12, 5, [(20, 5), (10, 5)], .bytesPerRow, "Plane 1"),
        Layout(.nv12, 5, [(20, 5), (11, 6)], .tooShort, "Plane 1"),
        Layout(.nv12, 4, [(16, 4), (4, 2), (4, 2)], .planeCount, "3 were given"),
        Layout(.p010, 4, [(32, 8), (8, 4)], .bytesPerRow, "Plane 1"),
        Layout(.p010, 4, [(16, 4), (16, 8)], .bytesPerRow, "at least 8"),
        Layout(.i010, 4, [(32, 8), (8, 4), (8, 2)], .bytesPerRow, "Plane 2"),
        Layout(.yuyv, 5, [(40, 10)], .bytesPerRow, "at least 12"),
        Layout(.yuyv, 4, [(31, 8)], .tooShort, "needs 32 bytes"),
        Layout(.yuyv, 4, [(32, 8), (16, 4)], .planeCount, "2 were given"),
        Layout(.rgb24, 5, [(56, 14)], .bytesPerRow, "at least 15"),
        Layout(.bgra32, 5, [(79, 20)], .tooShort, "needs 80 bytes"),
        Layout(.v210, 6, [(60, 15)], .bytesPerRow, "at least 16"),
        Layout(.v210, 7, [(64, 16)], .bytesPerRow, "Plane 0"),
        Layout(.v210, 6, [(63, 16)], .tooShort, "needs 64 bytes"),
        Layout(.gbrap, 4, [(16, 4), (16, 4), (16, 4), (4, 2)], .bytesPerRow, "Plane 3"),
        Layout(.i010a, 4, [(32, 8), (8, 4), (8, 4), (16, 8)], .tooShort, "Plane 3"),
        Layout(.rggb8, 5, [(16, 4)], .bytesPerRow, "at least 5"),
    ]) func aLayoutThatDoesNotFitIsRefused(_ test: Layout) throws {
        let memory = Memory(test.planes)
        let error = #expect(throws: StreamError.self) {
            try memory.lend(test.format, VideoSize(width: test.width, height: 4))
        }
        #expect(error?.code == test.code)
        #expect(error?.description.contains(test.words) == true, "\(String(describing: error))")
        #expect(memory.releases.load(ordering: .sequentiallyConsistent) == 0)
    }

    /// What fits exactly is taken, and a byte less of anything is refused.
    @Test(arguments: PixelFormat.allCases) func aByteLessIsRefused(_ format: PixelFormat) throws {
        let size = VideoSize(width: 7, height: 5)
        let exact = format.planes.map { (length: $0.rowBytes(size) * $0.height(size), bytesPerRow: $0.rowBytes(size)) }
        _ = try Memory(exact).lend(format, size)
        func code(_ planes: [(length: Int, bytesPerRow: Int)]) -> StreamError.Code? {
            do throws(StreamError) {
                _ = try Memory(planes).lend(format, size)
                return nil
            } catch { return error.code }
        }
        for index in exact.indices {
            var planes = exact
            planes[index].length -= 1
            #expect(code(planes) == .tooShort)
            planes = exact
            planes[index].bytesPerRow -= 1
            #expect(code(planes) == .bytesPerRow)
        }
        #expect(code(exact.dropLast()) == .planeCount)
        #expect(code(exact + [exact[0]]) == .planeCount)
    }

    /// A picture of 4 × 2 pixels.
    @Test(arguments: [
        ("half the width", (length: 4, bytesPerRow: 2), StreamError.Code.bytesPerRow, "at least 4 bytes per row"),
        ("half the height", (length: 4, bytesPerRow: 4), .tooShort, "needs 8 bytes at 4 per row, but 4"),
        ("none", (length: 0, bytesPerRow: 4), .tooShort, "needs 8 bytes at 4 per row, but 0"),
    ]) func anAlphaPlaneOfAnotherSizeIsRefused(
        _ name: String, _ alpha: (length: Int, bytesPerRow: Int), _ code: StreamError.Code, _ words: String
    ) throws {
        let color = [(length: 8, bytesPerRow: 4), (length: 2, bytesPerRow: 2), (length: 2, bytesPerRow: 2)]
        let memory = Memory(color + [alpha])
        let error = #expect(throws: StreamError.self) {
            try memory.lend(.i420a, VideoSize(width: 4, height: 2))
        }
        #expect(error?.code == code)
        #expect(error?.description.hasPrefix("Plane 3 (alpha) of i420a 4x2") == true)
        #expect(error?.description.contains(words) == true)
        _ = try Memory(color + [(length: 8, bytesPerRow: 4)]).lend(.i420a, VideoSize(width: 4, height: 2))
    }

    @Test func releaseComesWithTheLastReference() throws {
        let memory = Memory([(length: 4, bytesPerRow: 2), (length: 2, bytesPerRow: 2)])
        var buffer: PixelBuffer? = try memory.lend(.nv12, VideoSize(width: 2, height: 2))
        var frames = try (0..<5).map { VideoFrame(try #require(buffer), presentationTime: .seconds($0)) }
        buffer = nil
        while !frames.isEmpty {
            #expect(memory.releases.load(ordering: .sequentiallyConsistent) == 0)
            frames.removeLast()
        }
        #expect(memory.releases.load(ordering: .sequentiallyConsistent) == 1)
    }

    @Test func lentMemoryIsNotCopied() throws {
        let memory = Memory([(length: 4, bytesPerRow: 2), (length: 2, bytesPerRow: 2)])
        let buffer = try memory.lend(.nv12, VideoSize(width: 2, height: 2))
        for (index, plane) in memory.planes.enumerated() {
            buffer.withPlane(index) {
                #expect($0.bytes.baseAddress == plane.bytes.baseAddress)
                #expect($0.bytesPerRow == plane.bytesPerRow)
            }
        }
    }

    @Test(arguments: PixelFormat.allCases, [(1, 1), (3, 2), (35, 23), (128, 4)]) func ownMemoryIsAlignedAndCopied(
        _ format: PixelFormat, _ side: (Int, Int)
    ) throws {
        let size = VideoSize(width: side.0, height: side.1)
        let bytes = (0..<format.packedByteCount(size)).map { UInt8(truncatingIfNeeded: $0) }
        let buffer = try PixelBuffer(packed: bytes, format: format, size: size)
        #expect(buffer.packedBytes == bytes)
        var planes: [PixelBuffer.Plane] = []
        for index in 0..<buffer.planeCount {
            buffer.withPlane(index) {
                #expect($0.bytesPerRow % 64 == 0)
                #expect(UInt(bitPattern: $0.bytes.baseAddress) % 64 == 0)
                #expect($0.bytes.count == $0.bytesPerRow * format.planes[index].height(size))
                planes.append($0)
            }
        }
        let copy = try withExtendedLifetime(buffer) { try PixelBuffer(copying: planes, format: format, size: size) }
        #expect(copy.packedBytes == bytes)
    }

    @Test func writablePlanesLendWholePlanes() throws {
        let size = VideoSize(width: 35, height: 23)
        let buffer = try PixelBuffer(format: .nv12, size: size) { planes in
            #expect(planes.format == .nv12)
            #expect(planes.size == size)
            #expect(planes.count == 2)
            for index in 0..<2 {
                planes.withPlane(index) { bytes in
                    #expect(bytes.count == planes.bytesPerRow(index) * (index == 0 ? 23 : 12))
                    bytes.update(repeating: UInt8(index + 1))
                }
                planes.withRow(1, ofPlane: index) { $0[3] = 9 }
            }
        }
        let bytes = buffer.packedBytes
        #expect(bytes.filter { $0 == 9 }.count == 2)
        #expect(bytes[35 + 3] == 9)
        #expect(bytes[35 * 23 + 36 + 3] == 9)
    }

    @Test(arguments: [(0, 1), (1, 0), (-1, 1), (65_537, 1), (Int.max, Int.max)]) func impossibleSizesAreRefused(
        _ width: Int, _ height: Int
    ) {
        let error = #expect(throws: StreamError.self) {
            try PixelBuffer(format: .i420, size: VideoSize(width: width, height: height)) { _ in
                Issue.record("Nothing is to be written.")
            }
        }
        #expect(error?.code == .sizeOutOfRange)
    }
}
