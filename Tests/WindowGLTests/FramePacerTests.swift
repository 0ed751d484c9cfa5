import Testing

@testable import WindowGL

@Suite struct FramePacerTests {
    @Test func presentsAreAPeriodApart() {
        var pacer = FramePacer(refreshRate: 50)
        let start = Duration.seconds(7)
        #expect(pacer.slot(now: start) == start)
        #expect(pacer.slot(now: start) == start + .milliseconds(20))
        #expect(pacer.slot(now: start + .milliseconds(25)) == start + .milliseconds(40))
    }

    @Test func timeThatWasMissedIsNotMadeUpFor() {
        var pacer = FramePacer(refreshRate: 50)
        _ = pacer.slot(now: .seconds(1))
        #expect(pacer.slot(now: .seconds(3)) == .seconds(3))
        #expect(pacer.slot(now: .seconds(3)) == .seconds(3) + .milliseconds(20))
    }

    @Test(arguments: [0, -1])
    func anUnknownRateIsSixty(_ rate: Int32) {
        #expect(FramePacer(refreshRate: rate).period == .seconds(1) / 60)
    }
}
