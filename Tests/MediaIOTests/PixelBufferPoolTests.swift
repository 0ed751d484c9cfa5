import Glibc
import Synchronization
import TestSupport
import Testing

@testable import MediaIO

/// Buffers are reused, but never while they are read.
struct PixelBufferPoolTests {
    static let size = VideoSize(width: 64, height: 32)

    static func make(
        _ pool: PixelBufferPool, _ value: UInt8 = 0, _ format: PixelFormat = .i420, _ size: VideoSize = size,
        failing: StreamError? = nil
    ) throws -> PixelBuffer {
        try pool.makeBuffer(format: format, size: size) { planes in
            for index in 0..<planes.count {
                planes.withPlane(index) { plane in
                    // Written and read byte by byte, because the thread sanitizer does not see what the standard library
                    // and the C library do to memory.
                    for place in plane.indices { plane[place] = value }
                }
            }
            if let failing { throw failing }
        }
    }

    @Test func releasedBufferComesBack() throws {
        let pool = PixelBufferPool()
        let first = ObjectIdentifier(try Self.make(pool))
        for value in 0..<100 {
            let buffer = try Self.make(pool, UInt8(value))
            #expect(ObjectIdentifier(buffer) == first)
            #expect(buffer.packedBytes.allSatisfy { $0 == UInt8(value) })
        }
        #expect(pool.count == 1)
    }

    @Test func heldBufferDoesNot() throws {
        let pool = PixelBufferPool()
        var held = try (0..<5).map { try Self.make(pool, UInt8($0)) }
        #expect(Set(held.map(ObjectIdentifier.init)).count == 5)
        for value in 0..<5 { #expect(held[value].packedBytes.allSatisfy { $0 == UInt8(value) }) }
        #expect(pool.count == 5)
        let third = ObjectIdentifier(held.remove(at: 2))
        #expect(ObjectIdentifier(try Self.make(pool)) == third)
    }

    @Test func countStaysFlat() throws {
        let pool = PixelBufferPool()
        var shown: [PixelBuffer] = []
        for index in 0..<1000 {
            shown.append(try Self.make(pool, UInt8(truncatingIfNeeded: index)))
            if shown.count > 3 { shown.removeFirst() }
        }
        // Three are shown, one more is made while they are.
        #expect(pool.count == 4)
    }

    @Test func otherShapesAreLetGo() throws {
        let pool = PixelBufferPool()
        let old = try Self.make(pool, 3)
        weak let forgotten = try Self.make(pool, 4)
        #expect(forgotten != nil)
        let turned = try Self.make(pool, 5, .i420, Self.size.transposed)
        #expect(turned.size == Self.size.transposed)
        #expect(forgotten == nil)
        #expect(pool.count == 1)
        #expect(try Self.make(pool, 6, .nv12).format == .nv12)
        #expect(pool.count == 1)
        #expect(old.packedBytes.allSatisfy { $0 == 3 })
    }

    @Test func impossibleSizeIsAnError() {
        let pool = PixelBufferPool()
        let error = #expect(throws: StreamError.self) {
            try Self.make(pool, 0, .i420, VideoSize(width: 0, height: 1))
        }
        #expect(error?.code == .sizeOutOfRange)
        #expect(pool.count == 0)
    }

    @Test func whatFillThrowsReachesTheCaller() throws {
        let pool = PixelBufferPool()
        let failure = StreamError(.readFailed, "The disk is gone.")
        func fail() throws {
            _ = try pool.makeBuffer(format: .i420, size: Self.size) { _ in throw failure }
        }
        #expect(throws: failure) { try fail() }
        #expect(pool.count == 0)
        weak let made = try Self.make(pool, 1)
        #expect(throws: failure) { try fail() }
        #expect(pool.count == 1)
        let again = try Self.make(pool, 2)
        #expect(again === made)
        #expect(throws: failure) {
            try PixelBuffer(format: .i420, size: Self.size) { _ in throw failure }
        }
    }

    /// One thread writes, another reads and releases: a buffer is never read while it is written.
    @Test func buffersCrossThreads() throws {
        let pool = PixelBufferPool()
        let mailbox = FrameMailbox()
        let written = Atomic(0)
        let isDone = Atomic(false)
        let failure = Monitor<String?>(nil)
        let writer = try SystemThread(for: "the test") {
            var value: UInt8 = 0
            while !isDone.load(ordering: .relaxed) {
                value &+= 1
                do {
                    mailbox.put(VideoFrame(try Self.make(pool, value)))
                } catch {
                    failure.withLock { $0 = "\(error)" }
                    return written.store(.max, ordering: .relaxed)
                }
                written.add(1, ordering: .relaxed)
            }
        }
        var seen = 0
        while seen < 2000, failure.withLock({ $0 }) == nil {
            guard let frame = mailbox.take() else { continue }
            seen += 1
            Self.check(frame.planes)
            // The buffer is reused before this thread takes a lock: only its release orders the two.
            _ = consume frame
            let mark = written.load(ordering: .relaxed)
            while written.load(ordering: .relaxed) < mark + 3 {}
        }
        isDone.store(true, ordering: .relaxed)
        writer.join()
        #expect(failure.withLock { $0 } == nil)
        // One being written, one in the mailbox, one being read, one replaced a moment ago.
        #expect(pool.count <= 4)
    }

    /// Two threads fill the same buffer in turn, every second time in vain, and nobody reads it: only its release orders
    /// the two.
    ///
    /// It needs the thread sanitizer to fail.
    @Test func unreadBuffersCrossThreads() throws {
        let pool = PixelBufferPool()
        // Relaxed, so that it orders nothing itself.
        let turn = Atomic(0)
        let failure = StreamError(.readFailed, "The disk is gone.")
        @Sendable func fill(_ value: Int) {
            for round in 0..<500 {
                while turn.load(ordering: .relaxed) % 2 != value { sched_yield() }
                _ = try? Self.make(pool, UInt8(value), failing: round.isMultiple(of: 2) ? nil : failure)
                turn.add(1, ordering: .relaxed)
            }
        }
        let thread = try SystemThread(for: "the test") { fill(1) }
        fill(0)
        thread.join()
        #expect(pool.count == 1)
    }

    static func check(_ buffer: PixelBuffer) {
        for index in 0..<buffer.planeCount {
            buffer.withPlane(index) { plane in
                let bytes = plane.bytes.assumingMemoryBound(to: UInt8.self)
                for place in 1..<bytes.count where bytes[place] != bytes[0] {
                    Issue.record("Plane \(index) was changed while it was read.")
                    return
                }
            }
        }
    }
}
