import TestSupport
import Testing

@testable import MediaIO

/// What a frame costs on its way from the source to the mailbox, in numbers that do not depend on the machine.
@Suite(.enabled(if: HeapCounter.isAvailable, "A sanitizer has its own."), .timeLimit(.minutes(10)))
struct FramePathTests {
    /// One lock for the gate between the source and the sinks, one for the mailbox.
    static let locksPerFrame = 2

    @Test func aPushedFrame() throws {
        let source = PushSource(name: "push")
        let mailbox = FrameMailbox()
        let stream = VideoStream(source: source, sinks: [mailbox])
        try stream.initialize()
        try stream.start()
        let frame = try VideoStreamTests.frame(at: .zero)
        for _ in 0..<5 { source.push(frame) }
        let before = HeapCounter.locks
        let allocations = HeapCounter.count { for _ in 0..<100 { source.push(frame) } }
        #expect(allocations == 0)
        #expect(HeapCounter.locks - before == 100 * Self.locksPerFrame)
        stream.dispose()
        #expect(mailbox.statistics.received == 105)
    }

    /// One copy, and one lock more: that of the pool.
    @Test func aCopiedFrame() throws {
        let source = PushSource(name: "push")
        let mailbox = FrameMailbox()
        let stream = VideoStream(source: source, sinks: [mailbox])
        try stream.initialize()
        try stream.start()
        let size = VideoSize(width: 1920, height: 1080)
        let bytes = [UInt8](repeating: 1, count: PixelFormat.i420.packedByteCount(size))
        func push() throws {
            try bytes.withUnsafeBytes { _ = try source.push(copying: $0, format: .i420, size: size) }
        }
        for _ in 0..<5 { try push() }
        let before = HeapCounter.locks
        let allocations = try HeapCounter.count { for _ in 0..<100 { try push() } }
        #expect(allocations == 0)
        #expect(HeapCounter.locks - before == 100 * (Self.locksPerFrame + 1))
        stream.dispose()
        #expect(mailbox.statistics.received == 105)
    }

    /// From a source of others: the gate is the stream's.
    @Test func aFrameOfAnotherSource() throws {
        let source = RecordingSource(Journal())
        let mailbox = FrameMailbox()
        let stream = VideoStream(source: source, sinks: [mailbox])
        try stream.initialize()
        try stream.start()
        let frame = try VideoStreamTests.frame(at: .zero)
        for _ in 0..<5 { source.deliver(frame) }
        let before = HeapCounter.locks
        let allocations = HeapCounter.count { for _ in 0..<100 { source.deliver(frame) } }
        #expect(allocations == 0)
        // One is the source's own.
        #expect(HeapCounter.locks - before == 100 * (Self.locksPerFrame + 1))
        stream.dispose()
        #expect(mailbox.statistics.received == 105)
    }

    /// The reader counts, because its calls are those of the capture thread.
    @Test(arguments: [false, true]) func aReadFrame(isLive: Bool) throws {
        let frame = try VideoStreamTests.frame(at: .zero)
        let mailbox = FrameMailbox()
        let cost = Monitor<CountingReader.Cost?>(nil)
        let open: @Sendable () throws(StreamError) -> any FrameReader = {
            CountingReader(frame, mailbox, isLive) { found in cost.change { $0 = found } }
        }
        let source: any VideoSource =
            isLive ? LiveSource(name: "live", open: open) : PacedSource(name: "paced", open: open)
        let stream = VideoStream(source: source, sinks: [mailbox])
        try stream.initialize()
        try stream.start()
        let found = cost.wait { $0 }
        stream.dispose()
        #expect(found?.locks == 100 * Self.locksPerFrame)
        #expect(found?.allocations == 0)
    }
}

/// Delivers the same frame endlessly, and reports the cost of a hundred frames in steady state.
private final class CountingReader: FrameReader {
    struct Cost {
        var locks: Int
        var allocations: Int
    }

    let info: StreamInfo
    private let frame: VideoFrame
    private let mailbox: FrameMailbox
    private let tell: (Cost) -> Void
    private var count = 0
    private var locks = 0

    init(_ frame: VideoFrame, _ mailbox: FrameMailbox, _ isLive: Bool, _ tell: @escaping (Cost) -> Void) {
        info = StreamInfo(container: "counting", size: frame.image.size, frameRate: Rational(100_000), isLive: isLive)
        (self.frame, self.mailbox, self.tell) = (frame, mailbox, tell)
    }

    func next() -> VideoFrame? {
        // What is live is read and discarded before it is started.
        if count > 0 || mailbox.statistics.received > 5 { count += 1 }
        if count == 1 {
            locks = HeapCounter.locks
            HeapCounter.begin()
        }
        if count == 101 { tell(Cost(locks: HeapCounter.locks - locks, allocations: HeapCounter.end())) }
        return frame
    }

    func rewind() {}
}
