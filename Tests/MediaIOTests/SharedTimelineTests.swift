import Glibc
import TestSupport
import Testing

@testable import MediaIO

/// Sources that show what the machine's clock says.
@Suite(.timeLimit(.minutes(25)))
struct SharedTimelineTests {
    /// Ten frames a second, so many in all.
    private static func clip(_ count: Int, hasDuration: Bool = true, skips: Bool = true) -> ListReader {
        let length = Duration.milliseconds(100)
        return ListReader(
            (0..<count).map { length * $0 }, rate: Rational(10), duration: hasDuration ? length * count : nil,
            skips: skips)
    }

    /// The times of the frames, and when they came by the machine's clock.
    private final class Log: VideoFrameConsumer {
        let frames = Monitor<[(time: Duration, shown: Duration)]>([])

        func consume(_ frame: VideoFrame) {
            let shown = MachineClock.read().sinceEpoch
            frames.change { $0.append((frame.presentationTime ?? .zero, shown)) }
        }

        func sourceDidChange(_ condition: SourceCondition) {}

        func wait(for count: Int) -> [(time: Duration, shown: Duration)] {
            frames.wait(until: .now + .seconds(120)) { $0.count >= count ? $0 : nil } ?? []
        }
    }

    /// Whether frames came at the moments of their times; some may come late on a busy machine.
    private func areAtTheirTimes(_ frames: [(time: Duration, shown: Duration)]) -> Bool {
        let late = frames.map { $0.shown - $0.time }
        return late.allSatisfy { $0 >= .milliseconds(-1) } && late.contains { $0 < .milliseconds(100) }
    }

    @Test("Whenever it is started, a loop shows what belongs to the moment, also after a pause")
    func loops() throws {
        let source = PacedSource(name: "loop", timeline: .machineClock) {
            LoopingReader(Self.clip(7), keepsLength: true)
        }
        let log = Log()
        try source.initialize(consumer: log)
        try source.start()
        #expect(areAtTheirTimes(log.wait(for: 10)))
        source.stop()
        usleep(350_000)
        log.frames.change { $0 = [] }
        try source.start()
        #expect(areAtTheirTimes(log.wait(for: 5)))
        source.dispose()
    }

    @Test("A loop of unknown length joins when the first round has shown it")
    func unknownLength() throws {
        let source = PacedSource(name: "loop", timeline: .machineClock) {
            LoopingReader(Self.clip(5, hasDuration: false), keepsLength: true)
        }
        let log = Log()
        try source.initialize(consumer: log)
        try source.start()
        let frames = log.wait(for: 12)
        source.dispose()
        #expect(frames.first?.time == .zero)
        #expect(areAtTheirTimes(Array(frames.dropFirst(6))))
    }

    @Test("What has an end or cannot skip plays on its own", arguments: [true, false])
    func ownTimeline(_ isEndless: Bool) throws {
        let source = PacedSource(name: "clip", timeline: .machineClock) {
            isEndless
                ? LoopingReader(Self.clip(5, skips: false), keepsLength: true) as any FrameReader
                : Self.clip(5)
        }
        let log = Log()
        try source.initialize(consumer: log)
        try source.start()
        #expect(log.wait(for: 4).prefix(4).map(\.time) == (0..<4).map { .milliseconds(100) * $0 })
        source.dispose()
    }

    @Test("The clock that is read belongs to its moment")
    func machineClock() {
        let (first, second) = (MachineClock.read(), MachineClock.read())
        #expect(first.at <= second.at && first.sinceEpoch > .seconds(1_700_000_000))
        let difference = (second.sinceEpoch - first.sinceEpoch) - (second.at - first.at)
        #expect(difference < .milliseconds(5) && difference > .milliseconds(-5))
    }
}
