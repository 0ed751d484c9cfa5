import Glibc
import TestSupport
import Testing

@testable import MediaIO

/// Frames from a pointer and a layout, and back.
struct RawFrameTests {
    static let size = VideoSize(width: 3, height: 2)

    /// Memory whose last byte is followed by a page that cannot be read.
    struct GuardedMemory: ~Copyable {
        let bytes: UnsafeRawBufferPointer
        private let start: UnsafeMutableRawPointer
        private let pages: Int

        init(_ content: [UInt8]) throws {
            let page = Int(getpagesize())
            pages = (content.count + page - 1) / page * page + page
            guard let start = mmap(nil, pages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
                start != MAP_FAILED
            else { throw StreamError(.noMemory, "There is no memory for the test.") }
            self.start = start
            let first = start + (pages - page - content.count)
            content.withUnsafeBytes {
                if let base = $0.baseAddress { first.copyMemory(from: base, byteCount: $0.count) }
            }
            mprotect(start + (pages - page), page, PROT_NONE)
            bytes = UnsafeRawBufferPointer(start: first, count: content.count)
        }

        deinit { munmap(start, pages) }
    }

    @Test func planesFollowEachOtherByDefault() throws {
        let layout = try RawFrameLayout(.i420, size: Self.size)
        #expect((0..<3).map { layout[$0].offset } == [0, 6, 8])
        #expect((0..<3).map { layout[$0].bytesPerRow } == [3, 2, 2])
        #expect(layout.byteCount == 10)
        let padded = try RawFrameLayout(.nv12, size: Self.size, bytesPerRow: [8, 6])
        // The last row of the last plane needs no padding.
        #expect(padded[1].offset == 16 && padded.byteCount == 20)
    }

    @Test(arguments: PixelFormat.allCases) func memoryIsReadUpToItsEndAndNoFurther(_ format: PixelFormat) throws {
        let size = VideoSize(width: 37, height: 23)
        let content = (0..<format.packedByteCount(size)).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let whole = try GuardedMemory(content)
        let frame = try VideoFrame(copying: whole.bytes, format: format, size: size, rotation: .clockwise90)
        #expect(frame.planes.packedBytes == content)
        #expect(frame.attributes.rotation == .clockwise90)
        let short = try GuardedMemory(content.dropLast())
        let error = #expect(throws: StreamError.self) {
            try VideoFrame(copying: short.bytes, format: format, size: size)
        }
        #expect(error?.code == .tooShort)
    }

    @Test func planesMayBeAnywhere() throws {
        // Cr before Cb before Y, with gaps.
        let bytes: [UInt8] = [9, 10, 0, 0, 7, 8, 0, 1, 2, 3, 0, 4, 5, 6]
        let layout = try RawFrameLayout(
            .i420, size: Self.size,
            planes: [
                RawFrameLayout.Plane(offset: 7, bytesPerRow: 4), RawFrameLayout.Plane(offset: 4, bytesPerRow: 2),
                RawFrameLayout.Plane(offset: 0, bytesPerRow: 2),
            ])
        #expect(layout.byteCount == 14)
        let frame = try bytes.withUnsafeBytes { try VideoFrame(copying: $0, layout) }
        #expect(frame.planes.packedBytes == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    }

    @Test(
        arguments: [
            ("before the memory", [(-1, 3), (6, 2), (8, 2)], StreamError.Code.malformed, "offset -1"),
            ("far behind it", [(.max, 3), (6, 2), (8, 2)], .malformed, "offset \(Int.max)"),
            ("too narrow", [(0, 2), (6, 2), (8, 2)], .bytesPerRow, "Plane 0 of i420 3x2"),
            ("bottom-up", [(0, -3), (6, 2), (8, 2)], .bytesPerRow, "-3 were given"),
            ("too few", [(0, 3)], .planeCount, "1 were given"),
        ] as [(String, [(Int, Int)], StreamError.Code, String)]) func wrongLayoutsAreRefused(
            _ name: String, _ planes: [(Int, Int)], _ code: StreamError.Code, _ words: String
        )
    {
        let error = #expect(throws: StreamError.self) {
            try RawFrameLayout(
                .i420, size: Self.size, planes: planes.map { RawFrameLayout.Plane(offset: $0.0, bytesPerRow: $0.1) })
        }
        #expect(error?.code == code)
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [PixelFormat.i420, .nv12, .rgba32, .i010]) func copiedFramesAreInOnePiece(_ format: PixelFormat)
        throws
    {
        let content = (0..<format.packedByteCount(Self.size)).map { UInt8(truncatingIfNeeded: $0 + 1) }
        let frame = try content.withUnsafeBytes { try VideoFrame(copying: $0, format: format, size: Self.size) }
        let again = try frame.planes.withRawFrame { raw in try VideoFrame(copying: raw.bytes, raw.layout) }
        #expect(again?.planes.packedBytes == content)
    }

    /// What is between two pieces of memory must not be read.
    @Test func severalPiecesAreNotLentAsOne() throws {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 16, alignment: 8)
        defer { memory.deallocate() }
        let planes = [(0, 6, 3), (7, 2, 2), (9, 2, 2)].map {
            PixelBuffer.Plane(bytes: UnsafeRawBufferPointer(rebasing: memory[$0.0..<$0.0 + $0.1]), bytesPerRow: $0.2)
        }
        let buffer = try PixelBuffer(lending: planes, format: .i420, size: Self.size) {}
        #expect(buffer.withRawFrame { _ in } == nil)
        let upsideDown = [PixelBuffer.Plane(bytes: UnsafeRawBufferPointer(memory), bytesPerRow: -4)]
        let gray = try PixelBuffer(lending: upsideDown, format: .gray8, size: Self.size) {}
        #expect(gray.withRawFrame { _ in } == nil)
    }

    /// As in the callback of a C library, whose pointers the release gives back.
    @Test func memoryIsLentUntilItsRelease() throws {
        let freed = Monitor(0)
        func callback(_ handle: OpaquePointer, _ data: UnsafeMutableRawPointer) throws -> VideoFrame {
            let bytes = UnsafeRawBufferPointer(start: data, count: 12)
            return try VideoFrame(
                lending: bytes, format: .i420, size: Self.size, bytesPerRow: [4, 2, 2],
                presentationTime: .seconds(1), rotation: .clockwise180
            ) {
                freed.withLock { $0 += handle == OpaquePointer(data) ? 1 : 100 }
                free(data)
            }
        }
        let data = try #require(malloc(12))
        memset(data, 7, 12)
        do {
            let frame = try callback(OpaquePointer(data), data)
            #expect(frame.planes.packedBytes == Array(repeating: 7, count: 10))
            #expect(frame.presentationTime == .seconds(1) && frame.attributes.rotation == .clockwise180)
            #expect(freed.withLock { $0 } == 0)
        }
        #expect(freed.withLock { $0 } == 1)
    }

    @Test func refusedMemoryIsNotReleased() throws {
        let bytes = [UInt8](repeating: 0, count: 9)
        bytes.withUnsafeBytes { memory in
            let error = #expect(throws: StreamError.self) {
                try VideoFrame(lending: memory, format: .i420, size: Self.size) { Issue.record("It was released.") }
            }
            #expect(error?.code == .tooShort)
        }
    }
}
