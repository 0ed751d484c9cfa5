import Glibc
import TestSupport
import Testing

@testable import MediaIO

/// Stored media show other moments than the present.
@Suite(.timeLimit(.minutes(25))) struct PacedSourceRewindTests {
    private static let frame = Duration.milliseconds(40)
    private let consumer = WaitingConsumer()

    /// Ten minutes, of which a test plays seconds.
    private func source(
        _ cannotRewind: StreamError? = nil, skips: Bool = true, count: Int = 15_000
    ) throws -> PacedSource {
        // Under load, frames are late; then the moments of all of them would be other ones.
        let source = PacedSource(name: "film", maximumLateness: .seconds(100)) {
            ListReader(
                (0..<count).map { Self.frame * $0 }, rate: Rational(25), duration: Self.frame * count,
                cannotRewind: cannotRewind, skips: skips)
        }
        try source.initialize(consumer: consumer)
        try source.start()
        return source
    }

    /// Waits for a picture that is shown from now on.
    private func wait(_ condition: ([Duration]) -> Bool) -> Bool {
        let end = MonotonicTime.now + .seconds(60)
        while MonotonicTime.now < end {
            if condition(consumer.times) { return true }
            usleep(1000)
        }
        return false
    }

    @Test("Stopped at a moment, it shows its frame; picture by picture; and then the present again")
    func stopped() throws {
        let source = try source()
        defer { source.dispose() }
        #expect(wait { $0.count >= 30 })
        let begin = try #require(source.moments?.lowerBound)
        try source.show(.stopped(at: begin + Self.frame * 10.5))
        #expect(wait { $0.last == Self.frame * 10 })
        #expect(source.shownMoment == begin + Self.frame * 10)
        for (step, number) in [(PictureStep.next, 11), (.next, 12), (.previous, 11), (.previous, 10), (.previous, 9)] {
            let shown = try #require(source.shownMoment)
            let moment = try #require(source.moment(ofPicture: step, from: shown))
            try source.show(.stopped(at: moment))
            #expect(wait { $0.last == Self.frame * number }, "\(number): \(consumer.times.suffix(3))")
        }
        let count = consumer.times.count
        usleep(200_000)
        #expect(consumer.times.count == count)
        // Before its beginning is its beginning.
        try source.show(.stopped(at: begin - .seconds(5)))
        #expect(wait { $0.last == .zero })
        #expect(source.moment(ofPicture: .previous, from: begin) == nil)
        try source.show(nil)
        let present = MonotonicTime.now - begin
        #expect(wait { ($0.last ?? .zero) > present })
        #expect(source.shownMoment == nil)
        // It was not played through from the beginning.
        let all = consumer.times
        let back = try #require(all.lastIndex(of: .zero))
        #expect(all[back + 1] >= present - Self.frame)
    }

    @Test("Behind the present, it plays on at its speed")
    func behind() throws {
        let source = try source()
        defer { source.dispose() }
        #expect(wait { $0.count >= 50 })
        let begin = try #require(source.moments?.lowerBound)
        let delay = Duration.seconds(1)
        try source.show(.behind(delay))
        #expect(wait { _ in source.shownMoment != nil })
        let place = consumer.times.count
        #expect(wait { $0.count >= place + 20 })
        let now = MonotonicTime.now
        let times = Array(consumer.times[place...])
        #expect(times == times.sorted() && Set(times).count == times.count)
        #expect(begin + (times.last ?? .zero) + delay <= now)
        #expect(source.shownMoment != nil)
    }

    @Test("While the source is stopped, its time stands still; wound then, it goes on from there")
    func paused() throws {
        let source = try source()
        defer { source.dispose() }
        #expect(wait { $0.count >= 30 })
        source.stop()
        let last = try #require(consumer.times.last)
        let begin = try #require(source.moments?.lowerBound)
        usleep(300_000)
        try source.show(.stopped(at: begin + last - Self.frame * 10))
        try source.start()
        #expect(wait { $0.last == last - Self.frame * 10 })
    }

    @Test("What cannot go back has no moments once that is known, and what has ended has none")
    func forwardOnly() throws {
        let source = try source(StreamError(.unsupported, "A pipe has no way back."))
        #expect(wait { $0.count >= 5 })
        try source.show(.behind(.milliseconds(100)))
        let end = MonotonicTime.now + .seconds(60)
        while source.moments != nil, MonotonicTime.now < end { usleep(1000) }
        #expect(source.moments == nil)
        #expect(throws: StreamError.self) { try source.show(.behind(.milliseconds(100))) }
        // It goes on.
        let count = consumer.times.count
        #expect(wait { $0.count >= count + 3 })
        source.dispose()
        let short = try self.source(count: 3)
        consumer.awaitConditions(1)
        while short.moments != nil, MonotonicTime.now < end { usleep(1000) }
        #expect(short.moments == nil)
        short.dispose()
    }
}
