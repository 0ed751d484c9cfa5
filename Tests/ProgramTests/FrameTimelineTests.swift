import MediaIO
import TestSupport
import Testing

@testable import vitrail

/// Which frame is on screen when.
struct FrameTimelineTests {
    /// Frames at given milliseconds, told apart by their size; fails after them if it is to.
    final class Script: FrameReader {
        let info: StreamInfo
        private var times: [Int?]
        private let failure: StreamError?
        private var index = 0

        init(_ times: [Int?], rate: Rational? = nil, failure: StreamError? = nil) {
            self.times = times
            self.failure = failure
            info = StreamInfo(container: "script", size: VideoSize(width: 1, height: 1), frameRate: rate)
        }

        func next() throws(StreamError) -> VideoFrame? {
            guard index < times.count else {
                if let failure { throw failure }
                return nil
            }
            defer { index += 1 }
            let buffer = try PixelBuffer(format: .i420, size: VideoSize(width: index + 1, height: 1)) { _ in }
            return VideoFrame(buffer, presentationTime: times[index].map { .milliseconds($0) })
        }

        func rewind() throws(StreamError) { index = 0 }
    }

    /// The index of each taken frame; `nil` where there is nothing new.
    private func taken(_ timeline: FrameTimeline, _ times: [Int]) -> [Int?] {
        times.map { timeline.take(at: .milliseconds($0)).map { $0.planes.size.width - 1 } }
    }

    @Test(
        "The newest frame that is due, once",
        arguments: [
            ([0, 100, 200], [0, 99, 100, 150, 250, 900], [0, 1, nil, nil, 2, nil]),
            ([0, 100, 200], [0, 98, 100, 150, 250, 900], [0, nil, 1, nil, 2, nil]),
            // Frames in between are passed over.
            ([0, 10, 20, 30], [0, 25, 100], [0, 2, 3]),
            ([0, 10, 20, 30], [25], [2]),
            // What begins late is shown from the beginning.
            ([80, 120], [0, 40, 80, 120], [0, nil, nil, 1]),
            ([], [0, 10], [nil, nil]),
        ] as [([Int], [Int], [Int?])])
    func takes(_ frames: [Int], _ times: [Int], _ expected: [Int?]) {
        #expect(taken(FrameTimeline(Script(frames)), times) == expected)
    }

    @Test("Times that a container has rounded to milliseconds lose no frame")
    func rounding() {
        let rate = Rational(30)
        let timeline = FrameTimeline(Script([0, 33, 67, 100, 133, 167], rate: rate))
        let indices = (0..<6).map { timeline.take(at: rate.time(ofFrame: $0)).map { $0.planes.size.width - 1 } }
        #expect(indices == [0, 1, 2, 3, 4, 5])
        #expect(!timeline.hasEnded(at: rate.time(ofFrame: 5)))
        #expect(timeline.hasEnded(at: rate.time(ofFrame: 6)))
    }

    @Test("Frames without a time follow from the rate")
    func framesWithoutTimes() {
        let timeline = FrameTimeline(Script([nil, nil, nil], rate: Rational(10)))
        #expect(taken(timeline, [0, 90, 100, 250]) == [0, nil, 1, 2])
        #expect(!timeline.hasEnded(at: .milliseconds(250)))
        #expect(timeline.hasEnded(at: .milliseconds(300)))
    }

    @Test("At thousands of frames per second, each frame is distinguished")
    func fastStream() {
        let timeline = FrameTimeline(Script([0, 1, 2, 3], rate: Rational(1000)))
        #expect(taken(timeline, [0, 1, 2, 3]) == [0, 1, 2, 3])
    }

    @Test(
        "The last frame's duration is that of the rate, or of the frame before",
        arguments: [
            ([0, 100], Rational(5), 299, true), ([0, 100], Rational(5), 298, false),
            ([0, 100], nil, 199, true), ([0, 100], nil, 198, false),
            ([0], nil, 39, true), ([0], nil, 38, false),
        ] as [([Int], Rational?, Int, Bool)])
    func ends(_ frames: [Int], _ rate: Rational?, _ time: Int, _ expected: Bool) {
        let timeline = FrameTimeline(Script(frames, rate: rate))
        _ = timeline.take(at: .milliseconds(time))
        #expect(timeline.hasEnded(at: .milliseconds(time)) == expected)
        #expect(timeline.failure == nil)
    }

    @Test("A failure is recorded, and the frames before it are shown")
    func failure() {
        let failure = StreamError(.readFailed, "The end is missing.")
        let timeline = FrameTimeline(Script([0, 100], rate: Rational(10), failure: failure))
        #expect(taken(timeline, [0, 100]) == [0, 1])
        #expect(!timeline.hasEnded(at: .milliseconds(100)))
        #expect(taken(timeline, [200]) == [nil])
        #expect(timeline.hasEnded(at: .milliseconds(200)))
        #expect(timeline.failure == failure)
    }

    @Test("A stream without a frame is empty and has ended")
    func empty() {
        let timeline = FrameTimeline(Script([]))
        #expect(timeline.take(at: .zero) == nil)
        #expect(timeline.isEmpty)
        #expect(timeline.hasEnded(at: .zero))
    }
}
