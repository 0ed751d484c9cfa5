import MediaIO
import TestSupport
import Testing

@testable import WindowGL

@Suite struct RefreshClockTests {
    private let start = MonotonicTime(sinceBoot: .seconds(1000))
    private var random = SystemRandomNumberGenerator()

    /// Reports refreshes of a screen, every one or not, each up to half a millisecond early or late.
    ///
    /// - Returns: the time of the last one, without its error.
    private mutating func report(
        to clock: inout RefreshClock, every steps: ClosedRange<Int> = 1...3, rate: Double, for seconds: Int,
        from start: MonotonicTime
    ) -> MonotonicTime {
        var index = 0
        while Double(index) < Double(seconds) * rate {
            clock.note(
                start + .seconds(Double(index) / rate) + .microseconds(Int.random(in: -500...500, using: &random)))
            index += Int.random(in: steps, using: &random)
        }
        return start + .seconds(Double(index) / rate)
    }

    @Test(arguments: [(60, 59.94), (60, 60), (24, 23.976), (144, 143.86), (60, 62.5)] as [(Int32, Double)])
    mutating func theRateIsMeasured(_ nominal: Int32, _ rate: Double) throws {
        var clock = RefreshClock(refreshRate: nominal)
        #expect(clock.rate == nil && clock.next(after: start) == nil)
        let end = report(to: &clock, rate: rate, for: 10, from: start)
        #expect(abs(try #require(clock.rate) - rate) < rate * 0.003)
        for now in [end - .seconds(0.5 / rate), end + .milliseconds(1), end + .seconds(0.9 / rate)] {
            let next = try #require(clock.next(after: now))
            #expect(next >= now)
            let refreshes = (next - end) / .seconds(1) * rate
            #expect(abs(refreshes - refreshes.rounded()) * 1000 / rate < 0.8)
        }
    }

    @Test(arguments: [40, 144])
    mutating func aScreenOfAnotherRateThanItSaysIsMeasured(_ rate: Double) throws {
        var clock = RefreshClock(refreshRate: 60)
        _ = report(to: &clock, every: 1...1, rate: rate, for: 10, from: start)
        #expect(abs(try #require(clock.rate) - rate) < rate * 0.01)
    }

    @Test mutating func anIrregularScreenIsNeverMeasured() {
        var clock = RefreshClock(refreshRate: 60)
        var time = start
        for _ in 0..<2000 {
            time = time + .microseconds(Int.random(in: 5000...30_000, using: &random))
            clock.note(time)
            #expect(clock.rate == nil)
        }
    }

    @Test mutating func anotherRateIsMeasuredAnew() throws {
        var clock = RefreshClock(refreshRate: 60)
        let change = report(to: &clock, rate: 60, for: 5, from: start)
        _ = report(to: &clock, every: 1...1, rate: 50, for: 20, from: change)
        #expect(abs(try #require(clock.rate) - 50) < 0.15)
    }

    @Test mutating func afterALongPauseThePhaseIsUnknownUntilTheNextReport() throws {
        var clock = RefreshClock(refreshRate: 60)
        let end = report(to: &clock, rate: 60, for: 5, from: start)
        let later = end + .seconds(60)
        #expect(clock.next(after: later) == nil)
        clock.note(later)
        let next = try #require(clock.next(after: later))
        #expect(abs((next - later) / .milliseconds(1) - 1000.0 / 60) < 0.1)
    }
}
