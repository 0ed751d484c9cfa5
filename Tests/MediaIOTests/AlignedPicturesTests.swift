import Glibc
import TestSupport
import Testing

@testable import MediaIO

/// Pictures that are not encoded wait in memory for those of other streams, as many as fit.
@Suite(.timeLimit(.minutes(25))) struct AlignedPicturesTests {
    /// A screen with 200 pictures of two megabytes a second, which share their memory.
    private final class Screen: FrameReader {
        let info: StreamInfo
        let corruptCount = 0
        let demand: ReadingDemand? = nil
        private let buffer: PixelBuffer
        private let begin = MonotonicTime.now
        private var number = 0

        init() throws(StreamError) {
            let size = VideoSize(width: 2048, height: 1024)
            buffer = try PixelBuffer(format: .gray8, size: size) { _ in }
            info = StreamInfo(
                container: "test", format: .gray8, size: size, frameRate: Rational(200), isLive: true,
                attributes: FrameAttributes())
        }

        func next() throws(StreamError) -> VideoFrame? {
            number += 1
            let time = Duration.milliseconds(5) * number
            let wait = begin + time - .now
            if wait > .zero { usleep(useconds_t(wait / .microseconds(1))) }
            return VideoFrame(buffer, presentationTime: time)
        }

        func rewind() throws(StreamError) { throw StreamError(.unsupported, "A screen cannot be wound back.") }
        func skip(to time: Duration) -> Bool { false }
    }

    @Test("What does not fit is left out evenly")
    func fit() throws {
        let consumer = WaitingConsumer()
        let source = LiveSource(name: "screen", alignment: PlayoutAlignment(delay: .seconds(1))) { try Screen() }
        try source.initialize(consumer: consumer)
        try source.start()
        // 64 fit, which wait for a second.
        consumer.awaitFrames(160)
        source.dispose()
        let times = consumer.times
        let gaps = zip(times.dropFirst(), times).map { $0 - $1 }
        let median = gaps.sorted()[gaps.count / 2]
        #expect((.milliseconds(10)...(.milliseconds(20))).contains(median), "\(median)")
        #expect(gaps.allSatisfy { $0 > .zero }, "\(gaps)")
        #expect(times[0] < .milliseconds(500), "\(times[0])")
    }

    @Test("A picture has arrived when it was read, aligned or not", arguments: [false, true])
    func arrival(_ isAligned: Bool) throws {
        let timings = Monitor<[FrameTiming]>([])
        let consumer = WaitingConsumer { frame in timings.withLock { $0.append(frame.timing) } }
        let alignment = isAligned ? PlayoutAlignment() : nil
        let source = LiveSource(name: "screen", alignment: alignment) { try Screen() }
        let begin = MonotonicTime.now
        try source.initialize(consumer: consumer)
        try source.start()
        consumer.awaitFrames(5)
        source.dispose()
        let found = timings.withLock(\.self)
        #expect(found.allSatisfy { $0.arrival.map { $0 >= begin && $0 <= .now } ?? false && $0.decoding == nil })
    }
}
