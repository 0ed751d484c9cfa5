import MediaIO
import Testing

@testable import VideoWall

/// What a picture's way to the screen took, stage by stage.
@Suite(.timeLimit(.minutes(25))) struct StageLatencyTests {
    private func at(_ milliseconds: Int) -> MonotonicTime {
        MonotonicTime(sinceBoot: .milliseconds(1000 + milliseconds))
    }

    private func isAbout(_ times: FrameLatency, _ milliseconds: Double) -> Bool {
        guard times.count == 1, let median = times.percentile(0.5) else { return false }
        return abs(median / .milliseconds(1) / milliseconds - 1) < 0.06
    }

    @Test("Each stage counts, and all together")
    func stages() {
        var stages = StageLatency()
        let timing = FrameTiming(capture: at(0), arrival: at(100), decoding: .milliseconds(8))
        stages.note(timing, taken: at(140), drawn: at(152), presented: at(160))
        #expect(isAbout(stages.receive, 100) && isAbout(stages.decode, 8) && isAbout(stages.wait, 32))
        #expect(isAbout(stages.draw, 12) && isAbout(stages.screen, 8) && isAbout(stages.total, 160))
        let old = stages
        stages.note(FrameTiming(arrival: at(500)), taken: at(520), drawn: at(530), presented: at(540))
        let new = stages.since(old)
        #expect(new.receive.count == 0 && new.decode.count == 0 && isAbout(new.wait, 20) && isAbout(new.total, 40))
        stages.note(FrameTiming(), taken: at(0), drawn: at(1), presented: at(2))
        #expect(stages.total.count == 2)
    }
}
