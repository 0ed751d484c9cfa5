import Testing

@testable import MediaIO

/// What sinks want is combined and reaches the source, whatever comes and goes.
@Suite(.timeLimit(.minutes(25))) struct VideoSinkWantsTests {
    static let small = VideoSinkWants(maximumPixels: 100, maximumFrameRate: Rational(10))
    static let large = VideoSinkWants(maximumPixels: 900, maximumFrameRate: Rational(5))

    @Test(arguments: [
        (small, large, VideoSinkWants(maximumPixels: 900, maximumFrameRate: Rational(10))),
        (small, .everything, .everything),
        (small, .nothing, small),
        (.nothing, .nothing, .nothing),
        (VideoSinkWants(maximumPixels: 9, isVisible: false), .nothing, .nothing),
        (VideoSinkWants(maximumPixels: 9), VideoSinkWants(maximumFrameRate: Rational(1)), .everything),
    ]) func theMostDemandingWins(_ a: VideoSinkWants, _ b: VideoSinkWants, _ both: VideoSinkWants) {
        #expect(a.combined(with: b) == both)
        #expect(b.combined(with: a) == both)
    }

    @Test func claimsCountWhileTheyExist() {
        let demand = SinkDemand(Self.small)
        #expect(demand.wants == Self.small)
        do {
            let first = demand.makeClaim()
            #expect(demand.wants == Self.small)
            first.want(.nothing)
            #expect(demand.wants == .nothing)
            let second = demand.makeClaim()
            second.want(Self.large)
            #expect(demand.wants == Self.large)
        }
        #expect(demand.wants == Self.small)
    }

    @Test func changesReachTheSource() throws {
        let source = ObedientSource()
        let a = DemandingSink(Self.small)
        let stream = VideoStream(source: source, sinks: [a])
        #expect(source.heard.isEmpty)
        try stream.initialize()
        #expect(source.heard == [Self.small])
        // Setting the same value again is not passed on.
        a.demand?.wants = Self.small
        a.demand?.wants = Self.large
        try stream.start()
        #expect(source.heard == [Self.small, Self.large])
        let b = DemandingSink(.nothing)
        try stream.add(b)
        #expect(source.heard.count == 2)
        b.demand?.wants = Self.small
        #expect(source.heard.last == Self.large.combined(with: Self.small))
        stream.remove(a)
        #expect(source.heard.last == Self.small)
        a.demand?.wants = .everything
        #expect(source.heard.last == Self.small)
        stream.remove(b)
        #expect(source.heard.last == .nothing)
        // A sink without a demand takes what there is.
        try stream.add(RecordingSink("c", Journal()))
        #expect(source.heard.last == .everything)
        stream.dispose()
        #expect(source.heard.count == 6)
    }

    @Test func aNewSourceHearsWhatIsWanted() throws {
        let sink = DemandingSink(.nothing)
        let first = ObedientSource()
        let stream = VideoStream(source: first, sinks: [sink])
        try stream.initialize()
        try stream.start()
        let second = ObedientSource()
        try stream.setSource(second)
        #expect(second.heard == [.nothing])
        sink.demand?.wants = Self.small
        #expect(second.heard == [.nothing, Self.small])
        #expect(first.heard == [.nothing])
        // A source that cannot be started leaves the old one in place.
        let broken = ObedientSource(Failures(["start"]))
        #expect(throws: StreamError.self) { try stream.setSource(broken) }
        sink.demand?.wants = .everything
        #expect(second.heard.last == .everything)
        #expect(broken.heard == [Self.small])
        stream.dispose()
    }

    /// Two threads change what is wanted without a pause; the source ends with what is wanted in the end.
    @Test func theLastWordCounts() throws {
        let source = ObedientSource()
        let sinks = [DemandingSink(.nothing), DemandingSink(.nothing)]
        let stream = VideoStream(source: source, sinks: sinks)
        try stream.initialize()
        let threads = try sinks.map { sink in
            try SystemThread(for: "the test") {
                for pixels in 1...2000 { sink.demand?.wants = VideoSinkWants(maximumPixels: pixels) }
            }
        }
        for thread in threads { thread.join() }
        #expect(source.heard.last == VideoSinkWants(maximumPixels: 2000))
        #expect(source.overlaps == 0)
        stream.dispose()
    }

    /// By times in whole milliseconds, as some containers round them.
    @Test(arguments: [
        (30, 30, Array(0..<12)), (30, 60, Array(0..<12)), (30, 20, [0, 2, 3, 5, 6, 8, 9, 11]), (30, 10, [0, 3, 6, 9]),
        (25, 12, [0, 2, 4, 6, 8, 10]),
    ]) func thinning(_ rate: Int, _ wanted: Int, _ expected: [Int]) {
        var thinning = FrameThinning(rate: Rational(wanted))
        let taken = (0..<12).filter { thinning.takes(.milliseconds(($0 * 1000 + rate / 2) / rate)) }
        #expect(taken == expected)
    }
}

/// A sink with given wants.
final class DemandingSink: VideoSink {
    let demand: SinkDemand?

    init(_ wants: VideoSinkWants) { demand = SinkDemand(wants) }

    func consume(_ frame: VideoFrame) {}
}

/// A source that records the wants that it gets.
private final class ObedientSource: VideoSource {
    let name = "obedient"
    private let failures: Failures
    private let content = Monitor((heard: [VideoSinkWants](), isInside: false, overlaps: 0))

    init(_ failures: Failures = Failures()) { self.failures = failures }

    var heard: [VideoSinkWants] { content.withLock { $0.heard } }
    var overlaps: Int { content.withLock { $0.overlaps } }

    func adapt(to wants: VideoSinkWants) {
        content.withLock {
            if $0.isInside { $0.overlaps += 1 }
            $0.isInside = true
            $0.heard.append(wants)
        }
        content.withLock { $0.isInside = false }
    }

    func initialize(consumer: any VideoFrameConsumer) {}
    func start() throws(StreamError) { try failures.check("start") }
    func stop() {}
    func dispose() {}
}
