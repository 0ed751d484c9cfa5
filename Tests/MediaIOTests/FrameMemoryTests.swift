import MediaIO
import TestSupport
import Testing

/// Pools that allocate in memory that a sink offers.
struct FrameMemoryTests {
    private static let size = VideoSize(width: 6, height: 4)

    private static func makeBuffer(_ pool: PixelBufferPool, _ size: VideoSize = size) throws -> PixelBuffer {
        try pool.makeBuffer(format: .i420, size: size) { planes in
            for plane in 0..<planes.count { planes.withPlane(plane) { $0.update(repeating: UInt8(plane)) } }
        }
    }

    @Test("Buffers are made in the memory, and returned to it")
    func allocation() throws {
        let memory = CountingMemory()
        do {
            let pool = PixelBufferPool()
            pool.memory = memory
            let first = try Self.makeBuffer(pool)
            let second = try Self.makeBuffer(pool)
            #expect(first.memory === memory && second.memory === memory && memory.blocks == 2)
            second.withRow(1, ofPlane: 2) { row in #expect(row[2] == 2) }
            _ = try Self.makeBuffer(pool, VideoSize(width: 8, height: 8))
            withExtendedLifetime((first, second)) {}
        }
        #expect(memory.blocks == 0)
    }

    @Test("Ordinary memory is used where there is no room, and is replaced when there is")
    func refusal() throws {
        let memory = CountingMemory()
        memory.fill(true)
        let pool = PixelBufferPool()
        pool.memory = memory
        let ordinary = try Self.makeBuffer(pool)
        #expect(ordinary.memory == nil && pool.count == 1)
        _ = try Self.makeBuffer(pool)
        memory.fill(false)
        // The free one is replaced; the other one when it is free, too.
        #expect(try Self.makeBuffer(pool).memory === memory)
        #expect(pool.count == 2 && memory.blocks == 1)
        memory.fill(true)
        let again = try Self.makeBuffer(pool)
        #expect(again.memory === memory || again.memory == nil)
        withExtendedLifetime(ordinary) {}
    }

    @Test("Another memory, or none, is used from the next buffer on")
    func change() throws {
        let (one, other) = (CountingMemory(), CountingMemory())
        let pool = PixelBufferPool()
        #expect(try Self.makeBuffer(pool).memory == nil)
        pool.memory = one
        let kept = try Self.makeBuffer(pool)
        pool.memory = one
        #expect(pool.count == 1)
        pool.memory = other
        #expect(try Self.makeBuffer(pool).memory === other && one.blocks == 1)
        pool.memory = nil
        #expect(try Self.makeBuffer(pool).memory == nil && other.blocks == 0)
        kept.withRow(0, ofPlane: 1) { row in #expect(row[0] == 1) }
    }

    @Test("A buffer that could not be filled returns its memory")
    func failure() throws {
        let memory = CountingMemory()
        #expect(throws: StreamError.self) {
            try PixelBuffer(format: .nv12, size: Self.size, memory: memory) { _ in
                throw StreamError(.readFailed, "There is nothing to read.")
            }
        }
        #expect(memory.blocks == 0)
    }

    @Test("Wants differ if their memories do, and two sinks share the one that there is")
    func wants() {
        let (one, other) = (CountingMemory(), CountingMemory())
        let (plain, first, second) = (VideoSinkWants(), VideoSinkWants(memory: one), VideoSinkWants(memory: other))
        #expect(first == VideoSinkWants(memory: one) && first != plain && first != second)
        #expect(Set([first, VideoSinkWants(memory: one), second, plain]).count == 3)
        #expect(plain.combined(with: first).memory === one && first.combined(with: plain).memory === one)
        #expect(first.combined(with: second).memory === one)
        let hidden = VideoSinkWants(isVisible: false, memory: one)
        #expect(hidden.combined(with: plain) == plain && hidden.combined(with: .nothing) == .nothing)
    }
}
