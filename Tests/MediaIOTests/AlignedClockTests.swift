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
        /// A picture that takes 1.2 seconds longer, and those behind it with it.
        var hiccup: Int?
        /// How long after its capture each picture was shown.
        var ages: [Duration] = []

        func arrival(of number: Int) -> MonotonicTime {
            let arrival =
                MonotonicTime(sinceBoot: .seconds(1000) + frame * number) + delay + (number % 7 == 3 ? jitter : .zero)
            guard let hiccup, number >= hiccup else { return arrival }
            return max(
                arrival, MonotonicTime(sinceBoot: .seconds(1000) + frame * hiccup) + delay + .milliseconds(1200))
        }

        mutating func send(_ number: Int) {
            guard !silence.contains(number) else { return }
            let capture = MonotonicTime(sinceBoot: .seconds(1000) + frame * number)
            let arrival = arrival(of: number)
            let due = clock.due(
                capture.sinceBoot - zero, arrival: arrival, capture: hasClock ? capture : nil, now: arrival)
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
        silence: Range<Int> = 0..<0, hiccup: Int? = nil
    ) -> Stream {
        Stream(
            clock: AlignedClock(alignment), delay: .milliseconds(delay), jitter: .milliseconds(jitter),
            zero: .seconds(zero), hasClock: hasClock, silence: silence, hiccup: hiccup)
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

    @Test("A stream with a hiccup longer than others wait for stays aligned")
    func hiccup() {
        let alignment = PlayoutAlignment()
        var streams = [stream(alignment, 50), stream(alignment, 1100, jitter: 0, hiccup: 150)]
        run(&streams, 0..<300)
        #expect(streams[1].ages[150] == .milliseconds(2300))
        #expect(age(streams[0], from: 220) == .seconds(2)...(.seconds(2)))
        #expect(age(streams[1], from: 220) == .seconds(2)...(.seconds(2)))
    }

    @Test("Held pictures come late to the alignment, which shrinks no faster for that")
    func order() {
        let alignment = PlayoutAlignment()
        let (quick, slow) = (alignment.join(), alignment.join())
        let begin = MonotonicTime(sinceBoot: .seconds(1000))
        _ = alignment.note(.milliseconds(700), of: slow, now: begin)
        for turn in 1...300 {
            let now = begin + .milliseconds(10 * turn)
            _ = alignment.note(.milliseconds(20), of: quick, now: now - .milliseconds(turn % 2 * 600))
        }
        // Nobody counts the slow one after two seconds.
        #expect(alignment.delay == .milliseconds(600), "\(alignment.delay)")
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
            let arrival = capture + .milliseconds(10) + late
            _ = clock.due(capture.sinceBoot, arrival: arrival, capture: capture, now: arrival)
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
        #expect(clock.report.networkDelay == (row.error == nil ? .milliseconds(max(row.delay, 0)) : nil))
        #expect(clock.report.clockError == row.error.map { .milliseconds($0) })
        #expect(captures.allSatisfy { ($0 == nil) == (row.error != nil) })
    }

    @Test("What a sender has kept says nothing of its clock")
    func keptClock() {
        var clock = CaptureClock(longest: .seconds(2))
        for number in 0..<200 {
            let late = max(.zero, .seconds(5) - .milliseconds(35) * number)
            let capture = MonotonicTime(sinceBoot: .seconds(100_000) + Self.frame * number)
            _ = clock.note(capture, arrival: capture + late)
            #expect(clock.report.clockError == nil, "\(number)")
        }
        #expect(clock.report.networkDelay == .zero)
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
