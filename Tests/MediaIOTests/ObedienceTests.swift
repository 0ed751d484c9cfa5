import Glibc
import Testing

@testable import MediaIO

/// Sources deliver no more than is wanted, and frames keep their times.
@Suite(.timeLimit(.minutes(25))) struct ObedienceTests {
    /// Every third frame of sixty a second comes at twenty, with its own time.
    @Test func storedMediaComeAtTheWantedRate() throws {
        let consumer = WaitingConsumer()
        let source = PacedSource(name: "thinned") {
            ListReader((0..<12).map { .milliseconds($0 * 1000 / 60) }, rate: Rational(60))
        }
        try source.initialize(consumer: consumer)
        source.adapt(to: VideoSinkWants(maximumFrameRate: Rational(20)))
        try source.start()
        consumer.awaitConditions(1)
        source.dispose()
        #expect(consumer.times == [0, 3, 6, 9].map { .milliseconds($0 * 1000 / 60) })
    }

    /// Without a visible sink, a file is read to the end, and only the end is reported.
    @Test func storedMediaThatNobodySeesGoOn() throws {
        let consumer = WaitingConsumer()
        let source = PacedSource(name: "hidden") {
            ListReader((0..<20).map { .milliseconds($0 * 5) })
        }
        try source.initialize(consumer: consumer)
        source.adapt(to: .nothing)
        try source.start()
        consumer.awaitConditions(1)
        source.dispose()
        #expect(consumer.times.isEmpty)
        #expect(consumer.conditions == [.ended])
    }

    /// The second frame is due in nine seconds; the first one, which was hidden, is delivered immediately.
    @Test func whatWasMissedComesAtOnce() throws {
        let consumer = WaitingConsumer()
        let isRead = Monitor(0)
        let source = PacedSource(name: "missed") {
            SteppedReader([.zero, .seconds(9)]) { count in isRead.change { $0 = count } }
        }
        try source.initialize(consumer: consumer)
        source.adapt(to: .nothing)
        try source.start()
        _ = isRead.wait { $0 == 2 ? () : nil }
        source.adapt(to: .everything)
        consumer.awaitFrames(1)
        source.dispose()
        #expect(consumer.times == [.zero])
    }

    /// A reader that can skip is not read while hidden; when visible, the frame of that moment comes, not the next.
    @Test func aReaderThatSkipsStandsStill() throws {
        let consumer = WaitingConsumer()
        let made = Monitor(0)
        let source = PacedSource(name: "skipping") {
            SkippingReader { made.change { $0 += 1 } }
        }
        try source.initialize(consumer: consumer)
        try source.start()
        consumer.awaitFrames(1)
        source.adapt(to: .nothing)
        let before = made.withLock { $0 }
        let begin = ContinuousClock.now
        while ContinuousClock.now - begin < .milliseconds(300) { usleep(1000) }
        let count = made.withLock { $0 }
        let seen = consumer.times.count
        source.adapt(to: .everything)
        consumer.awaitFrames(seen + 1)
        source.dispose()
        // One was being made, and one waited for its time.
        #expect(count <= before + 2)
        #expect(consumer.times[seen] >= .milliseconds(200))
    }

    /// A reader that can skip is not read while hidden, but its end is still reported in time.
    @Test func aHiddenReaderThatSkipsEnds() throws {
        let consumer = WaitingConsumer()
        let count = Monitor(0)
        let source = PacedSource(name: "short") {
            let times = (0..<10).map { Duration.milliseconds($0 * 20) }
            let list = ListReader(times, rate: Rational(50), duration: .milliseconds(200), skips: true)
            return CountedReader(list, count)
        }
        try source.initialize(consumer: consumer)
        source.adapt(to: .nothing)
        let begin = ContinuousClock.now
        try source.start()
        consumer.awaitConditions(1)
        source.dispose()
        #expect(ContinuousClock.now - begin >= .milliseconds(150))
        #expect(consumer.times.isEmpty)
        #expect(consumer.conditions == [.ended])
        // At most the first two frames, the last one, and the end.
        #expect(count.withLock { $0 } <= 4)
    }

    @Test func theReaderHearsWhatIsWanted() throws {
        let consumer = WaitingConsumer()
        let heard = Monitor<[VideoSinkWants]>([])
        let wants = VideoSinkWants(maximumPixels: 4)
        for isLive in [false, true] {
            let open: @Sendable () throws(StreamError) -> any FrameReader = {
                HearingReader(isLive: isLive) { wants in heard.change { $0.append(wants) } }
            }
            let source: any VideoSource =
                isLive ? LiveSource(name: "live", open: open) : PacedSource(name: "paced", open: open)
            try source.initialize(consumer: consumer)
            try source.start()
            source.adapt(to: wants)
            _ = heard.wait { $0.last == wants ? () : nil }
            source.dispose()
            heard.withLock { $0.removeAll() }
        }
    }

    /// A live reader is read while hidden; when visible, the newest frame is delivered without waiting for another.
    @Test func liveMediaCatchUpAtOnce() throws {
        let script = ArrivingReader.Script([])
        let consumer = WaitingConsumer()
        let source = LiveSourceTests.source(LiveSourceTests.Waits()) { ArrivingReader(script, $0) }
        try source.initialize(consumer: consumer)
        try source.start()
        script.add([.seconds(1)])
        consumer.awaitFrames(1)
        source.adapt(to: .nothing)
        script.add([.seconds(2), .seconds(3)])
        script.awaitRequest(4)
        source.adapt(to: .everything)
        consumer.awaitFrames(2)
        script.add([.seconds(4)])
        consumer.awaitFrames(3)
        // What was kept does not come after a pause.
        source.adapt(to: .nothing)
        script.add([.seconds(5)])
        script.awaitRequest(6)
        source.stop()
        source.adapt(to: .everything)
        try source.start()
        script.add([.seconds(6)])
        consumer.awaitFrames(4)
        source.dispose()
        #expect(consumer.times == [1, 3, 4, 6].map { .seconds($0) })
    }

    /// By the clock, because the timestamps of a live stream may be anything.
    @Test func liveMediaComeAtTheWantedRate() throws {
        let waits = LiveSourceTests.Waits()
        let script = ArrivingReader.Script((0..<20).map { .seconds($0) }) { waits.pass(.milliseconds(50)) }
        let consumer = WaitingConsumer()
        let source = LiveSourceTests.source(waits) { (cancellation) throws(StreamError) in
            ArrivingReader(script, cancellation)
        }
        try source.initialize(consumer: consumer)
        script.awaitRequest(21)
        source.adapt(to: VideoSinkWants(maximumFrameRate: Rational(5)))
        try source.start()
        script.add((0..<20).map { .seconds($0) })
        script.awaitRequest(41)
        source.dispose()
        #expect(consumer.times.count == 5 || consumer.times.count == 6)
    }
}

/// Delivers frames with these times, reports the number requested, and ends.
private final class SteppedReader: FrameReader {
    let info = StreamInfo(container: "stepped", size: VideoSize(width: 2, height: 2))
    private let reader: ListReader
    private let onRequest: (Int) -> Void
    private var count = 0

    init(_ times: [Duration], _ onRequest: @escaping (Int) -> Void) {
        (reader, self.onRequest) = (ListReader(times), onRequest)
    }

    func next() throws(StreamError) -> VideoFrame? {
        count += 1
        defer { onRequest(count) }
        return try reader.next()
    }

    func rewind() {}
}

/// Counts the requests of frames from another reader.
private final class CountedReader: FrameReader {
    private let reader: any FrameReader
    private let count: Monitor<Int>

    init(_ reader: any FrameReader, _ count: Monitor<Int>) { (self.reader, self.count) = (reader, count) }

    var info: StreamInfo { reader.info }

    func next() throws(StreamError) -> VideoFrame? {
        count.change { $0 += 1 }
        return try reader.next()
    }

    func rewind() throws(StreamError) { try reader.rewind() }
    func skip(to time: Duration) -> Bool { reader.skip(to: time) }
}

/// Ten frames a second for ever, any of which can be had without those before.
private final class SkippingReader: FrameReader {
    let info = StreamInfo(container: "skipping", size: VideoSize(width: 2, height: 2), frameRate: Rational(10))
    private let onFrame: () -> Void
    private var index = 0

    init(_ onFrame: @escaping () -> Void) { self.onFrame = onFrame }

    func next() throws(StreamError) -> VideoFrame? {
        onFrame()
        defer { index += 1 }
        let buffer = try PixelBuffer(format: .i420, size: info.size) { _ in }
        return VideoFrame(buffer, presentationTime: .milliseconds(index * 100))
    }

    func rewind() {}

    func skip(to time: Duration) -> Bool {
        index = max(index, Int(time / .milliseconds(100)))
        return true
    }
}

/// Reports the wants that it gets, and delivers a frame every millisecond.
private final class HearingReader: FrameReader {
    let info: StreamInfo
    let demand: ReadingDemand? = ReadingDemand()
    private var version = 0
    private let onWants: (VideoSinkWants) -> Void

    init(isLive: Bool, _ onWants: @escaping (VideoSinkWants) -> Void) {
        info = StreamInfo(
            container: "hearing", size: VideoSize(width: 2, height: 2), frameRate: Rational(1000), isLive: isLive)
        self.onWants = onWants
    }

    func next() throws(StreamError) -> VideoFrame? {
        if let demand, demand.hasChanged(since: &version) { onWants(demand.wants) }
        if info.isLive { usleep(1000) }
        return VideoFrame(try PixelBuffer(format: .i420, size: info.size) { _ in })
    }

    func rewind() {}
}
