import Glibc
import MediaIO
import Synchronization
import Testing

/// Pixels that are not planes in memory are mapped, or refused with a sentence that says what to do.
struct FrameImageTests {
    /// NV12 of 6 × 4 pixels with 16 bytes a row, which does not begin at a page.
    static let size = VideoSize(width: 6, height: 4)
    static let offset = 4096 + 128
    static let nv12: UInt32 = 0x3231_564E

    /// Shared memory in which each byte is its own offset, modulo 256.
    ///
    /// It is mapped like a DMA-BUF, except that no driver synchronizes it.
    static func memory(_ length: Int) -> Int32 {
        var template = Array("/dev/shm/vitrail-test-XXXXXX".utf8CString)
        let descriptor = template.withUnsafeMutableBufferPointer { $0.baseAddress.map { mkstemp($0) } ?? -1 }
        unlink(template)
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
        precondition(write(descriptor, bytes, length) == length, "There is no room in /dev/shm.")
        return descriptor
    }

    static func image(
        _ length: Int = offset + 96, fourCC: UInt32 = nv12, modifier: UInt64 = DMABufferImage.linear,
        release: @escaping @Sendable () -> Void = {}
    ) throws -> DMABufferImage {
        let descriptor = memory(length)
        return try DMABufferImage(
            takingOver: [
                DMABufferImage.Plane(descriptor: descriptor, offset: offset, bytesPerRow: 16),
                DMABufferImage.Plane(descriptor: descriptor, offset: offset + 64, bytesPerRow: 16),
            ], size: size, fourCC: fourCC, modifier: modifier, release: release)
    }

    @Test func linearMemoryIsMapped() throws {
        let frame = VideoFrame(.dmaBuffer(try Self.image()))
        #expect(frame.image.format == .nv12 && frame.image.size == Self.size)
        #expect(frame.colorSpace == .unspecified(for: Self.size, format: .nv12))
        let buffer = try frame.pixelBuffer
        #expect(buffer.format == .nv12 && buffer.size == Self.size)
        for (plane, rows) in [(0, 4), (1, 2)] {
            for row in 0..<rows {
                let first = UInt8(128 + 64 * plane + 16 * row)
                buffer.withRow(row, ofPlane: plane) { bytes in
                    #expect((0..<6).map { bytes[$0] } == (0..<6).map { first + $0 })
                }
            }
        }
    }

    @Test func theImageLivesAsLongAsItsPlanes() throws {
        let flag = Flag()
        var image: DMABufferImage? = try Self.image { flag.set() }
        let descriptor = try #require(image?.planes[0].descriptor)
        var buffer = try image.map { try FrameImage.dmaBuffer($0).mapped() }
        image = nil
        #expect(!flag.isSet)
        #expect(fcntl(descriptor, F_GETFD) >= 0)
        #expect(buffer?.withRow(0, ofPlane: 0) { $0[0] } == 128)
        buffer = nil
        #expect(flag.isSet)
    }

    @Test(arguments: [
        ("tiled", offset + 96, nv12, 0x0100_0000_0000_0001, StreamError.Code.unsupported, "modifier 0"),
        ("unknown", offset + 96, 0x2020_2058, 0, .unsupported, "is not supported"),
        ("three planes", offset + 96, 0x3231_5559, 0, .planeCount, "i420 has 3 planes, but 2"),
        ("a row is missing", offset + 80, nv12, 0, .tooShort, "needs 22 bytes from byte 4288"),
        ("all is missing", 10, nv12, 0, .tooShort, "which has 10"),
    ]) func whatCannotBeMappedIsRefused(
        _ name: String, _ length: Int, _ fourCC: UInt32, _ modifier: UInt64, _ code: StreamError.Code, _ words: String
    ) throws {
        let frame = VideoFrame(.dmaBuffer(try Self.image(length, fourCC: fourCC, modifier: modifier)))
        let error = #expect(throws: StreamError.self) { try frame.pixelBuffer }
        #expect(error?.code == code)
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    @Test func impossibleImagesAreRefusedAndTheirDescriptorsLeftAlone() throws {
        let descriptor = Self.memory(10)
        let plane = DMABufferImage.Plane(descriptor: descriptor, offset: 0, bytesPerRow: 16)
        let below = DMABufferImage.Plane(descriptor: descriptor, offset: -1, bytesPerRow: 16)
        for planes in [[], Array(repeating: plane, count: 5), [below]] {
            #expect(throws: StreamError.self) {
                try DMABufferImage(takingOver: planes, size: Self.size, fourCC: Self.nv12) {
                    Issue.record("Nothing was taken over.")
                }
            }
        }
        #expect(close(descriptor) == 0)
    }

    @Test func texturesAreCarriedAndRefusedByName() throws {
        let flag = Flag()
        let group = Flag()
        do {
            let image = try TextureImage(
                names: [7, 8], format: .nv12, size: Self.size, fence: 99, shareGroup: ObjectIdentifier(group)
            ) { flag.set() }
            #expect(image.names == [7, 8] && image.fence == 99 && image.shareGroup == ObjectIdentifier(group))
            let error = #expect(throws: StreamError.self) { try VideoFrame(.texture(image)).pixelBuffer }
            #expect(error?.code == .unsupported && error?.description.contains("glReadPixels") == true)
            #expect(!flag.isSet)
        }
        #expect(flag.isSet)
        #expect(throws: StreamError.self) {
            try TextureImage(
                names: [7], format: .nv12, size: Self.size, fence: nil, shareGroup: ObjectIdentifier(group)
            ) {}
        }
    }

    @Test func fourCharactersNameOurFormats() {
        #expect(PixelFormat(fourCC: Self.nv12) == .nv12)
        #expect(PixelFormat(fourCC: 0x3432_5258) == .bgrx32)
        #expect(PixelFormat(fourCC: 0x2020_3852) == .gray8)
        #expect(PixelFormat(fourCC: 0) == nil)
    }

    final class Flag: Sendable {
        private let value = Atomic(false)
        var isSet: Bool { value.load(ordering: .sequentiallyConsistent) }
        func set() { value.store(true, ordering: .sequentiallyConsistent) }
    }
}
