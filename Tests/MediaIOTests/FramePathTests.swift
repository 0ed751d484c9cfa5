import Glibc
import Synchronization
import TestSupport
import Testing

@testable import MediaIO

/// What a frame costs on its way from the source to the mailbox, in numbers that do not depend on the machine.
@Suite(.enabled(if: HeapCounter.isAvailable, "A sanitizer has its own."), .timeLimit(.minutes(25)))
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
        let cost = Monitor<Cost?>(nil)
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
        #expect(found == Cost(locks: 100 * Self.locksPerFrame, allocations: 0))
    }

    /// On the thread that receives it one lock, that of the queue; with sinks, one more and that of each sink's queue.
    ///
    /// The thread that decodes it takes that of the queue, and those of a frame.
    @Test(arguments: 0...2) func aLivePacket(sinkCount: Int) throws {
        let packet = try [1, 2].withUnsafeBytes {
            try EncodedPacket(
                copying: $0, of: TrackInfo(codec: .h264), marks: EncodedPacket.Marks(isKeyFrame: true))
        }
        let (received, decoded) = (Monitor<Cost?>(nil), Monitor<Cost?>(nil))
        let progress = Progress(sinkCount)
        let mailbox = FrameMailbox()
        let frame = try VideoStreamTests.frame(at: .zero)
        let source = LiveSource(
            name: "live",
            decoder: { _ in CountingDecoder(frame, mailbox, progress) { found in decoded.change { $0 = found } } },
            playout: .none
        ) { .packets(CountingPacketReader(packet, progress) { found in received.change { $0 = found } }) }
        for _ in 0..<sinkCount { try source.packets.attach(CountingSink(progress)) }
        let stream = VideoStream(source: source, sinks: [mailbox])
        try stream.initialize()
        try stream.start()
        let (receiving, decoding) = (received.wait { $0 }, decoded.wait { $0 })
        stream.dispose()
        #expect(receiving == Cost(locks: 100 * (sinkCount == 0 ? 1 : 2 + sinkCount), allocations: 0))
        #expect(decoding == Cost(locks: 100 * (1 + Self.locksPerFrame), allocations: 0))
    }
}

/// What a hundred frames or packets in steady state cost on one thread.
private struct Cost: Equatable {
    var locks: Int
    var allocations: Int
}

/// Counts from the 20th step of a thread to the 120th.
private struct Counter {
    private let tell: (Cost) -> Void
    private(set) var count = 0
    private var locks = 0

    init(_ tell: @escaping (Cost) -> Void) { self.tell = tell }

    mutating func step() {
        count += 1
        if count == 20 {
            locks = HeapCounter.locks
            HeapCounter.begin()
        }
        if count == 120 { tell(Cost(locks: HeapCounter.locks - locks, allocations: HeapCounter.end())) }
    }
}

/// How many packets have arrived where they go, asked without a lock.
private final class Progress: Sendable {
    private let sinkCount: Int
    private let decoded = Atomic(0)
    private let taken = Atomic(0)

    init(_ sinkCount: Int) { self.sinkCount = sinkCount }

    func noteDecoded() { decoded.add(1, ordering: .relaxed) }
    func noteTaken() { taken.add(1, ordering: .relaxed) }

    /// Waits until so many are decoded, and taken by each sink, so that none waits in a queue.
    func await(_ count: Int) {
        while decoded.load(ordering: .relaxed) < count || taken.load(ordering: .relaxed) < count * sinkCount {
            sched_yield()
        }
    }
}

/// Gives the same packet endlessly, each time after the one before was used.
private final class CountingPacketReader: PacketReader {
    let container = "counting"
    let isLive = true
    let duration: Duration? = nil
    let tracks: [TrackInfo]
    let shown: TrackInfo
    private let packet: EncodedPacket
    private let progress: Progress
    private var counter: Counter
    private var count = 0

    init(_ packet: EncodedPacket, _ progress: Progress, _ tell: @escaping (Cost) -> Void) {
        (self.packet, self.progress, counter) = (packet, progress, Counter(tell))
        (tracks, shown) = ([packet.track], packet.track)
    }

    func select(_ tracks: Set<Int>) {}

    func next() -> EncodedPacket? {
        progress.await(count)
        count += 1
        counter.step()
        return packet
    }
}

/// Gives the same frame for each packet.
private final class CountingDecoder: PacketDecoder {
    private let frame: VideoFrame
    private let mailbox: FrameMailbox
    private let progress: Progress
    private var counter: Counter

    init(_ frame: VideoFrame, _ mailbox: FrameMailbox, _ progress: Progress, _ tell: @escaping (Cost) -> Void) {
        (self.frame, self.mailbox, self.progress, counter) = (frame, mailbox, progress, Counter(tell))
    }

    func decode(_ packet: EncodedPacket, at time: Duration) -> VideoFrame? {
        // Before it is started, pictures go no further than the gate.
        if counter.count > 0 || mailbox.statistics.received > 5 { counter.step() }
        progress.noteDecoded()
        var frame = frame
        frame.presentationTime = time
        return frame
    }
}

private final class CountingSink: PacketSink {
    private let progress: Progress

    init(_ progress: Progress) { self.progress = progress }

    func consume(_ packet: EncodedPacket) { progress.noteTaken() }
}

/// Delivers the same frame endlessly, and reports the cost of a hundred frames in steady state.
private final class CountingReader: FrameReader {
    let info: StreamInfo
    private let frame: VideoFrame
    private let mailbox: FrameMailbox
    private var counter: Counter

    init(_ frame: VideoFrame, _ mailbox: FrameMailbox, _ isLive: Bool, _ tell: @escaping (Cost) -> Void) {
        info = StreamInfo(container: "counting", size: frame.image.size, frameRate: Rational(100_000), isLive: isLive)
        (self.frame, self.mailbox, counter) = (frame, mailbox, Counter(tell))
    }

    func next() -> VideoFrame? {
        // What is live is read and discarded before it is started.
        if counter.count > 0 || mailbox.statistics.received > 5 { counter.step() }
        return frame
    }

    func rewind() {}
}
