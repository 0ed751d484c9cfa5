import MediaIO
import Testing

@testable import WindowGL

@Suite struct FramePacerTests {
    @Test func presentsAreAPeriodApart() {
        var pacer = FramePacer(refreshRate: 50)
        let start = MonotonicTime(sinceBoot: .seconds(7))
        #expect(pacer.slot(now: start) == start)
        #expect(pacer.slot(now: start) == start + .milliseconds(20))
        #expect(pacer.slot(now: start + .milliseconds(25)) == start + .milliseconds(40))
    }

    @Test func timeThatWasMissedIsNotMadeUpFor() {
        var pacer = FramePacer(refreshRate: 50)
        let late = MonotonicTime(sinceBoot: .seconds(3))
        _ = pacer.slot(now: late - .seconds(2))
        #expect(pacer.slot(now: late) == late)
        #expect(pacer.slot(now: late) == late + .milliseconds(20))
    }

    @Test(arguments: [0, -1])
    func anUnknownRateIsSixty(_ rate: Int32) {
        #expect(FramePacer(refreshRate: rate).period == .seconds(1) / 60)
    }
}
