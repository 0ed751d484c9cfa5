import MediaIO
import TestSupport
import Testing

/// A block of memory is lent repeatedly, but never while it is read.
struct MemoryLenderTests {
    /// Memory of a source, which counts the number of times it was freed.
    final class Owner: @unchecked Sendable {
        // Unchecked: written only while the lender is reclaimed.
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 16)
        private let freed: Monitor<Int>

        init(_ freed: Monitor<Int>) { self.freed = freed }

        deinit {
            memory.deallocate()
            freed.withLock { $0 += 1 }
        }

        func planes(_ length: Int = 8) -> [PixelBuffer.Plane] {
            [PixelBuffer.Plane(bytes: UnsafeRawBufferPointer(rebasing: memory[..<length]), bytesPerRow: 4)]
        }
    }

    static let size = VideoSize(width: 4, height: 2)

    @Test func theSameBufferIsLentAgain() throws {
        let lender = MemoryLender(Owner(Monitor(0)))
        #expect(lender.reclaim())
        var objects: Set<ObjectIdentifier> = []
        for value in 0..<5 {
            #expect(lender.reclaim())
            lender.owner.memory.copyBytes(from: [UInt8](repeating: UInt8(value), count: 64))
            let buffer = try lender.lend(lender.owner.planes(), format: .gray8, size: Self.size)
            #expect(!lender.reclaim())
            #expect(buffer.packedBytes == [UInt8](repeating: UInt8(value), count: 8))
            objects.insert(ObjectIdentifier(buffer))
        }
        #expect(objects.count == 1)
    }

    @Test func memoryThatIsStillLentIsNotLentAgain() async {
        await #expect(processExitsWith: .failure) {
            let lender = MemoryLender(Owner(Monitor(0)))
            let held = try lender.lend(lender.owner.planes(), format: .gray8, size: Self.size)
            _ = try withExtendedLifetime(held) {
                try lender.lend(lender.owner.planes(), format: .gray8, size: Self.size)
            }
        }
    }

    @Test func theOwnerOutlivesTheLenderWhileItsBufferIsHeld() throws {
        let freed = Monitor(0)
        var lender: MemoryLender<Owner>? = MemoryLender(Owner(freed))
        var buffer = try lender.map { try $0.lend($0.owner.planes(), format: .gray8, size: Self.size) }
        lender = nil
        #expect(freed.withLock { $0 } == 0)
        #expect(buffer?.planeCount == 1)
        buffer = nil
        #expect(freed.withLock { $0 } == 1)
    }

    @Test func memoryThatDoesNotFitIsRefused() throws {
        let lender = MemoryLender(Owner(Monitor(0)))
        for _ in 0..<2 {
            let error = #expect(throws: StreamError.self) {
                try lender.lend(lender.owner.planes(7), format: .gray8, size: Self.size)
            }
            #expect(error?.code == .tooShort)
            #expect(lender.reclaim())
            _ = try lender.lend(lender.owner.planes(), format: .gray8, size: Self.size)
        }
    }
}
