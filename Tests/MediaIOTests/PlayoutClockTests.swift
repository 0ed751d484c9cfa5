import TestSupport
import Testing

@testable import MediaIO

/// Pictures that arrive together are shown one after the other, and no later than that takes.
@Suite struct PlayoutClockTests {
    /// A picture: its presentation time, and when it arrived and was shown, in milliseconds.
    private struct Picture {
        var time: Int
        var arrival: Int
        var shown = 0

        var latency: Int { shown - time }
    }

    private static let interval = 40

    /// Shows pictures that arrive at these times, and waits for each before the next, as a decoder's thread does.
    ///
    /// - Parameters:
    ///   - pictures: in the order of their arrival.
    ///   - delay: the bounds.
    /// - Returns: the pictures with when they were shown, and how long they are held in the end.
    private static func play(
        _ pictures: [Picture], _ delay: PlayoutDelay = .adaptive
    ) -> (pictures: [Picture], held: Duration) {
        var clock = PlayoutClock(delay)
        var now = 0
        let shown = pictures.map { picture in
            let due = clock.due(
                .milliseconds(picture.time), arrival: MonotonicTime(sinceBoot: .milliseconds(picture.arrival)))
            now = max(now, picture.arrival, Int((due.sinceBoot / .milliseconds(1)).rounded()))
            var picture = picture
            picture.shown = now
            return picture
        }
        return (shown, clock.held)
    }

    /// 25 pictures a second, each with its own delay on the way.
    private static func pictures(_ range: Range<Int>, _ delay: (Int) -> Int) -> [Picture] {
        range.map { number in
            Picture(time: number * interval, arrival: number * interval + 10_000 + delay(number))
        }
    }

    /// What a relay that releases data every so many milliseconds makes of a stream.
    private static func bursts(_ range: Range<Int>, every burst: Int) -> [Picture] {
        pictures(range) { number in
            let time = number * interval
            return (time + burst - 1) / burst * burst - time
        }
    }

    /// Those that a screen of 60 Hz shows: of those that come between two refreshes, the last.
    private static func visible(_ pictures: [Picture]) -> Int { Set(pictures.map { $0.shown * 60 / 1000 }).count }

    @Test("In bursts, nearly all pictures are seen", arguments: [80, 120, 250])
    func bursts(every burst: Int) {
        let (shown, _) = Self.play(Self.bursts(0..<1000, every: burst))
        let settled = shown.dropFirst(25)
        #expect(Double(Self.visible(Array(shown))) >= 0.97 * 1000)
        #expect(Self.visible(Array(settled)) == settled.count)
        // The clock's zero is 10 s later.
        let longest = settled.map(\.latency).max() ?? 0
        #expect(longest - 10_000 <= burst, "\(longest - 10_000)")
        // No picture is shown much sooner than it should be after the one before.
        for (one, next) in zip(settled, settled.dropFirst()) { #expect(next.shown - one.shown >= 36) }
    }

    @Test("Where pictures come regularly, none waits")
    func regular() {
        var random = SeededGenerator(seed: 7)
        let pictures = Self.pictures(0..<1000) { _ in Int.random(in: 0...15, using: &random) }
        let (shown, held) = Self.play(pictures)
        #expect(held <= .milliseconds(1))
        #expect(shown.allSatisfy { $0.shown - $0.arrival <= 15 })
        let waits = shown.map { $0.shown - $0.arrival }
        #expect(waits.reduce(0, +) <= 1000, "\(waits.reduce(0, +))")
    }

    @Test("What a sender has kept is shown at once")
    func backlog() {
        // Two seconds, which arrive within a fifth of one.
        var pictures = (0..<50).map { Picture(time: $0 * Self.interval, arrival: 10_000 + $0 * 4) }
        pictures += (50..<200).map { Picture(time: $0 * Self.interval, arrival: 10_200 + ($0 - 50) * Self.interval) }
        let (shown, held) = Self.play(pictures)
        #expect(shown.allSatisfy { $0.shown == $0.arrival } && held == .zero)
    }

    @Test("When bursts are over, the delay shrinks unseen")
    func shrinking() {
        let early = Self.bursts(0..<250, every: 250)
        let late = Self.pictures(250..<1000) { _ in 0 }
        let (shown, held) = Self.play(early + late)
        #expect(held == .zero && shown.last?.latency == 10_000)
        #expect((shown[249].latency - 10_000) > 150)
        for (one, next) in zip(shown[250...], shown[251...]) {
            #expect((35...45).contains(next.shown - one.shown), "\(one) \(next)")
        }
        // For ten seconds, the bursts might come again.
        #expect((shown[450].latency - 10_000) > 150)
    }

    @Test("After an interruption, the newest picture is shown")
    func interruption() {
        // For three seconds, nothing comes; then everything.
        let pictures = Self.pictures(0..<500) { (100..<175).contains($0) ? 7000 - $0 * Self.interval : 0 }
        let (shown, held) = Self.play(pictures)
        #expect(held == .zero && shown.allSatisfy { $0.shown == $0.arrival })
    }

    @Test("Times may jump", arguments: [100_000_000_000, -100_000_000_000, 5000, -5000, 700, -700])
    func jumps(by jump: Int) {
        var pictures = Self.pictures(0..<500) { _ in 0 }
        for index in 250..<500 { pictures[index].time += jump }
        let (shown, held) = Self.play(pictures)
        #expect(held == .zero && shown.allSatisfy { $0.shown == $0.arrival })
    }

    @Test("Clocks may differ", arguments: [-1000, 1000])
    func drift(partsPerMillion: Int) {
        let pictures = Self.pictures(0..<3000) { $0 * Self.interval * partsPerMillion / 1_000_000 }
        let (shown, held) = Self.play(pictures)
        #expect(held <= .milliseconds(11))
        #expect(shown.allSatisfy { $0.shown - $0.arrival <= 11 })
    }

    @Test("A fixed delay is kept", arguments: [100, 300, 2000])
    func fixed(_ delay: Int) {
        let (shown, held) = Self.play(
            Self.pictures(0..<300) { $0 % 3 * 10 }, .fixed(.milliseconds(delay)))
        #expect(held == .milliseconds(delay))
        // The first is shown at once.
        #expect(shown[0].latency == 10_000)
        #expect(shown.dropFirst(25).allSatisfy { $0.latency == 10_000 + delay })
    }

    @Test("Bounds are kept")
    func bounds() {
        let (shown, held) = Self.play(
            Self.bursts(0..<500, every: 250), PlayoutDelay(.milliseconds(20), .milliseconds(100)))
        #expect(held == .milliseconds(100))
        #expect(shown.dropFirst(25).allSatisfy { $0.shown - $0.arrival <= 100 })
        let (_, short) = Self.play(
            Self.pictures(0..<500) { _ in 0 }, PlayoutDelay(.milliseconds(20), .milliseconds(100)))
        #expect(short == .milliseconds(20))
        #expect(PlayoutDelay(.seconds(-1), .seconds(9)) == PlayoutDelay(.zero, .seconds(2)))
        #expect(PlayoutDelay(.seconds(1), .zero) == .fixed(.seconds(1)))
    }

    @Test("Any times come to an end")
    func anyTimes() {
        var random = SeededGenerator(seed: 3)
        for round in 0..<200 {
            var clock = PlayoutClock(round % 2 == 0 ? .adaptive : .fixed(.seconds(2)))
            var arrival = Duration.seconds(100)
            for _ in 0..<100 {
                arrival += .milliseconds(Int.random(in: 0...(round % 5 * 200), using: &random))
                let time = Duration.milliseconds(
                    Int64.random(in: -(1 << (round % 50))...(1 << (round % 50)), using: &random))
                let due = clock.due(time, arrival: MonotonicTime(sinceBoot: arrival))
                #expect(due.sinceBoot - arrival <= PlayoutDelay.maximum + .milliseconds(1))
            }
        }
    }

    @Test("A delay since the capture needs no history, and a clock that is far off does not count")
    func sinceCapture() {
        var clock = PlayoutClock(.sinceCapture(.milliseconds(400)))
        func at(_ milliseconds: Int) -> MonotonicTime { MonotonicTime(sinceBoot: .milliseconds(milliseconds)) }
        // On the way for 30, 250 and 500 ms; the last one is too late.
        for (arrival, capture) in [(10_030, 10_000), (10_290, 10_040), (10_580, 10_080)] {
            let due = clock.due(.milliseconds(capture - 9000), arrival: at(arrival), capture: at(capture))
            #expect(due == at(capture + 400))
            #expect(clock.held == .milliseconds(max(0, capture + 400 - arrival)))
        }
        // A sender three seconds ahead, or one that does not say it: the first is shown at once, the others are held.
        for capture in [at(23_000), nil] {
            clock.reset()
            #expect(clock.due(.milliseconds(7000), arrival: at(20_000), capture: capture) == at(20_000))
            #expect(clock.due(.milliseconds(7040), arrival: at(20_040), capture: capture) == at(20_440))
        }
        // Without such a delay, the capture does not matter.
        var other = PlayoutClock(.fixed(.milliseconds(400)))
        #expect(other.due(.zero, arrival: at(20_000), capture: at(19_900)) == at(20_000))
    }
}
