import CVitrailFFmpeg
import Testing

@testable import FFmpegMedia

/// What is kept of a stream while its video is looked for.
@Suite struct EarlyPacketsTests {
    /// Makes a packet, or fails the test.
    private static func fill(_ packet: UnsafeMutablePointer<AVPacket>?, _ count: Int) throws {
        try #require(av_new_packet(packet, Int32(count)) >= 0)
    }

    @Test func packetsComeInTheirOrder() throws {
        var packet = av_packet_alloc()
        defer { av_packet_free(&packet) }
        let first = try #require(packet)
        var early = EarlyPackets()
        let isEmpty = !early.take(into: first)
        #expect(isEmpty)
        for size in 1...3 {
            try Self.fill(packet, size)
            let isKept = early.append(moving: first)
            #expect(isKept)
            #expect(first.pointee.size == 0)
        }
        for size in 1...2 {
            let isTaken = early.take(into: first)
            #expect(isTaken)
            #expect(first.pointee.size == size)
            av_packet_unref(packet)
        }
        // The third is released with the rest.
    }

    @Test("Either bound is one", arguments: [(1, EarlyPackets.maximumCount), (1_000_000, 5)])
    func isFull(_ size: Int, _ count: Int) throws {
        var packet = av_packet_alloc()
        defer { av_packet_free(&packet) }
        let one = try #require(packet)
        var early = EarlyPackets()
        for _ in 0..<count {
            let isFull = early.isFull
            #expect(!isFull)
            try Self.fill(packet, size)
            let isKept = early.append(moving: one)
            #expect(isKept)
        }
        let isFull = early.isFull
        #expect(isFull)
    }
}
