import MediaIO
import Testing

@testable import vitrail

/// Which moment a wall shows after keys were pressed.
@Suite(.timeLimit(.minutes(25))) struct WallPastTests {
    private let oldest = MonotonicTime(sinceBoot: .seconds(100))
    private func at(_ seconds: Double) -> MonotonicTime { MonotonicTime(sinceBoot: .seconds(seconds)) }

    @Test("Wound back it is always so long ago, at most as long as something is kept; forward it ends at the present")
    func running() {
        var past = WallPast()
        past.wind(by: .seconds(-5), notBefore: oldest, now: at(120))
        #expect(past.playhead == .behind(.seconds(5)) && !past.isStopped)
        past.wind(by: .seconds(-5), notBefore: oldest, now: at(121))
        #expect(past.playhead == .behind(.seconds(10)))
        past.wind(by: .seconds(-50), notBefore: oldest, now: at(122))
        #expect(past.playhead == .behind(.seconds(22)))
        past.wind(by: .seconds(50), notBefore: oldest, now: at(123))
        #expect(past == WallPast())
    }

    @Test("Stopped at present it goes on with the present; stopped and wound, from where it stands")
    func stopped() {
        var past = WallPast()
        past.setStopped(true, now: at(120))
        #expect(past.playhead == nil && past.isStopped && past.moment(now: at(125)) == at(120))
        past.setStopped(false, now: at(130))
        #expect(past == WallPast())
        past.setStopped(true, now: at(120))
        past.wind(by: .seconds(-5), notBefore: oldest, now: at(130))
        #expect(past.playhead == .stopped(at: at(115)) && past.isStopped)
        past.setStopped(false, now: at(140))
        #expect(past.playhead == .behind(.seconds(25)))
        past.setStopped(true, now: at(141))
        #expect(past.playhead == .stopped(at: at(116)))
        past.wind(by: .seconds(100), notBefore: oldest, now: at(142))
        #expect(past.playhead == .stopped(at: at(142)))
        past.stand(at: at(118), now: at(143))
        #expect(past.playhead == .stopped(at: at(118)))
        past.showPresent()
        #expect(past == WallPast())
    }

    @Test(
        "The strip says how long ago, and at what time of day",
        arguments: [
            (5, 50_582, false, "5 s ago · 14:03:02"), (60, 0, true, "1 min ago · 00:00:00 · stopped"),
            (95, 86_399, false, "1 min 35 s ago · 23:59:59"),
        ])
    func text(_ row: (seconds: Int, timeOfDay: Int, isStopped: Bool, text: String)) {
        let content = PastStrip.Content(
            seconds: row.seconds, kept: 100, timeOfDay: row.timeOfDay, isStopped: row.isStopped)
        #expect(content.text == row.text)
    }
}
