import Testing

@testable import MediaIO

/// When a live stream leaves out frames, and when all that has arrived.
@Suite struct LiveLagTests {
    /// A stream of 25 frames per second.
    private final class Reader: FrameReader {
        let info = StreamInfo(container: "test", size: VideoSize(width: 2, height: 2), isLive: true)
        var timeWaited: Duration? = .zero
        var isOmitting = false
        var catchUps = 0

        func next() throws(StreamError) -> VideoFrame? { nil }
        func rewind() throws(StreamError) {}
        func setOmitting(_ isOmitting: Bool) { self.isOmitting = isOmitting }
        func catchUp() { catchUps += 1 }
    }

    private let reader = Reader()
    private var lag = LiveLag()
    private var now = MonotonicTime(sinceBoot: .seconds(100))

    /// Delivers frames.
    ///
    /// - Parameters:
    ///   - seconds: for how long.
    ///   - wait: how long the reader waits for each, in microseconds; `nil` if it cannot tell.
    private mutating func play(_ seconds: Int, waiting wait: Int?) {
        for _ in 0..<seconds * 25 {
            now = now + .milliseconds(40)
            reader.timeWaited = wait.flatMap { wait in reader.timeWaited.map { $0 + .microseconds(wait) } }
            _ = lag.note(reader, now: now)
        }
    }

    @Test(arguments: [36_000, 5000, 3000]) mutating func aReaderThatWaitsLeavesOutNothing(_ wait: Int) {
        play(60, waiting: wait)
        #expect(!reader.isOmitting && reader.catchUps == 0)
    }

    @Test mutating func aReaderThatCannotTellLeavesOutNothing() {
        play(60, waiting: nil)
        #expect(!reader.isOmitting && reader.catchUps == 0)
    }

    /// Waits of a tenth of a millisecond are no waits.
    @Test(arguments: [0, 100]) mutating func aReaderThatNeverWaitsLeavesOutFramesAndThenAllThatHasArrived(_ wait: Int) {
        play(1, waiting: 36_000)
        play(1, waiting: wait)
        #expect(reader.isOmitting && reader.catchUps <= 1)
        play(10, waiting: wait)
        #expect((9...11).contains(reader.catchUps))
        let catchUps = reader.catchUps
        play(1, waiting: 36_000)
        #expect(reader.isOmitting && reader.catchUps <= catchUps + 1)
        play(1, waiting: 36_000)
        #expect(!reader.isOmitting)
    }

    @Test mutating func aBurstLeavesOutNothing() {
        for _ in 0..<20 {
            play(1, waiting: 36_000)
            for _ in 0..<50 {
                now = now + .milliseconds(4)
                _ = lag.note(reader, now: now)
            }
        }
        #expect(!reader.isOmitting && reader.catchUps == 0)
    }
}
