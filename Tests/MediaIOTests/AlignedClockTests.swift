import Testing

@testable import MediaIO

/// Streams with other delays show the same instant.
@Suite(.timeLimit(.minutes(25))) struct AlignedClockTests {
    private static let frame = Duration.milliseconds(40)

    /// A stream whose pictures take some time, and sometimes longer.
    private struct Stream {
        var clock: AlignedClock
        var delay: Duration
        var jitter = Duration.zero
        /// From the machine's clock to that of presentation times.
        var zero = Duration.seconds(3)
        var hasClock = true
        var silence: Range<Int> = 0..<0
        /// How long after its capture each picture was shown.
        var ages: [Duration] = []

        func arrival(of number: Int) -> MonotonicTime {
            MonotonicTime(sinceBoot: .seconds(1000) + frame * number) + delay + (number % 7 == 3 ? jitter : .zero)
        }

        mutating func send(_ number: Int) {
            guard !silence.contains(number) else { return }
            let capture = MonotonicTime(sinceBoot: .seconds(1000) + frame * number)
            let arrival = arrival(of: number)
            let due = clock.due(capture.sinceBoot - zero, arrival: arrival, capture: hasClock ? capture : nil)
            ages.append(max(due, arrival) - capture)
        }
    }

    /// Sends pictures of all streams, in the order in which they arrive.
    private func run(_ streams: inout [Stream], _ numbers: Range<Int>) {
        let pictures = numbers.flatMap { number in streams.indices.map { (number: number, stream: $0) } }
            .sorted { streams[$0.stream].arrival(of: $0.number) < streams[$1.stream].arrival(of: $1.number) }
        for picture in pictures { streams[picture.stream].send(picture.number) }
    }

    private func stream(
        _ alignment: PlayoutAlignment, _ delay: Int, jitter: Int = 0, zero: Int = 3, hasClock: Bool = true,
        silence: Range<Int> = 0..<0
    ) -> Stream {
        Stream(
            clock: AlignedClock(alignment), delay: .milliseconds(delay), jitter: .milliseconds(jitter),
            zero: .seconds(zero), hasClock: hasClock, silence: silence)
    }

    /// The ages from a picture on, which are all the same, within what is told of the clocks.
    private func age(_ stream: Stream, from number: Int) -> ClosedRange<Duration> {
        let ages = stream.ages[number...]
        return (ages.min() ?? .zero)...(ages.max() ?? .zero)
    }

    @Test("The slowest picture of all says how long all wait")
    func four() {
        let alignment = PlayoutAlignment()
        var streams = [
            stream(alignment, 0), stream(alignment, 100, jitter: 30, zero: 900), stream(alignment, 300, zero: -5),
            stream(alignment, 700, jitter: 50),
        ]
        run(&streams, 0..<500)
        for stream in streams {
            #expect(age(stream, from: 60) == .milliseconds(755)...(.milliseconds(755)), "\(age(stream, from: 60))")
        }
        #expect(alignment.delay == .milliseconds(755))
    }

    @Test("Without a clock, the quickest picture counts as captured when it arrived")
    func byArrival() {
        let alignment = PlayoutAlignment()
        var streams = [stream(alignment, 20, jitter: 60, hasClock: false), stream(alignment, 200)]
        run(&streams, 0..<500)
        #expect(age(streams[1], from: 60) == .milliseconds(205)...(.milliseconds(205)))
        // Its own delay comes on top of that of the others.
        #expect(age(streams[0], from: 60) == .milliseconds(225)...(.milliseconds(225)))
    }

    @Test("A silent stream, and one that takes too long, delay nobody")
    func silent() {
        let alignment = PlayoutAlignment()
        var streams = [
            stream(alignment, 50), stream(alignment, 900, silence: 240..<1000),
            stream(alignment, 3000, silence: 150..<1000),
        ]
        run(&streams, 0..<240)
        #expect(alignment.delay == .milliseconds(905))
        #expect(age(streams[2], from: 60) == .seconds(3)...(.seconds(3)))
        run(&streams, 240..<750)
        // Back by a tenth of the time that passes.
        #expect(alignment.delay == .milliseconds(55))
        let ages = streams[0].ages[260...]
        #expect(zip(ages, ages.dropFirst()).allSatisfy { $1 <= $0 && $0 - $1 <= .milliseconds(5) })
    }

    @Test("A delay that is given holds for all that can keep it", arguments: [400, 5000, 60_000])
    func given(_ milliseconds: Int) {
        let alignment = PlayoutAlignment(delay: .milliseconds(milliseconds))
        let delay = Duration.milliseconds(min(milliseconds, 10_000))
        #expect(alignment.delay == delay)
        var streams = [stream(alignment, 0), stream(alignment, 300, jitter: 50), stream(alignment, 700)]
        run(&streams, 0..<200)
        #expect(age(streams[0], from: 0) == delay...delay)
        #expect(age(streams[1], from: 0) == delay...delay)
        #expect(age(streams[2], from: 0) == max(delay, .milliseconds(700))...max(delay, .milliseconds(700)))
    }

    @Test("What a sender has kept, and delivers at once, makes nobody wait")
    func kept() {
        let alignment = PlayoutAlignment()
        var other = stream(alignment, 30)
        let clock = AlignedClock(alignment)
        for number in 0..<250 {
            other.send(number)
            // Two seconds of pictures come within half a second.
            let capture = MonotonicTime(sinceBoot: .seconds(1000) + Self.frame * number)
            let late = max(.zero, .seconds(2) - .milliseconds(30) * number)
            _ = clock.due(capture.sinceBoot, arrival: capture + .milliseconds(10) + late, capture: capture)
        }
        #expect(other.ages.allSatisfy { $0 <= .milliseconds(35) })
    }

    @Test(
        "The clock of a sender is wrong if pictures arrive before they are captured, or far too late",
        arguments: [
            (0, nil), (700, nil), (1900, nil), (-90, nil), (-300, -300), (-5000, -5000), (5000, 5000),
            (86_400_000, 86_400_000),
        ] as [(Int, Int?)])
    func wrong(_ row: (delay: Int, error: Int?)) {
        var clock = CaptureClock(longest: .seconds(2))
        var captures: [MonotonicTime?] = []
        for number in 0..<100 {
            let arrival = MonotonicTime(sinceBoot: .seconds(100_000) + Self.frame * number)
            let jitter = Duration.milliseconds(number % 3)
            captures.append(clock.note(arrival - .milliseconds(row.delay) - jitter, arrival: arrival))
        }
        #expect(clock.report.networkDelay == .milliseconds(row.delay))
        #expect(clock.report.clockError == row.error.map { .milliseconds($0) })
        #expect(captures.allSatisfy { ($0 == nil) == (row.error != nil) })
    }

    @Test("A clock that is set right is right at once")
    func set() {
        var clock = CaptureClock(longest: .seconds(2))
        for number in 0..<200 {
            let arrival = MonotonicTime(sinceBoot: .seconds(100_000) + Self.frame * number)
            let capture = arrival - (number < 100 ? .seconds(7) : .milliseconds(20))
            #expect((clock.note(capture, arrival: arrival) == nil) == (number < 100), "\(number)")
        }
    }
}
