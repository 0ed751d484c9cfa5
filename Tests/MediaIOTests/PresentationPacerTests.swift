import Testing

@testable import MediaIO

/// When frames are due, with and without times of their own; tested without a thread and without waiting.
struct PresentationPacerTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var rate: Int?
        /// Milliseconds; `nil` for a frame without a time.
        let times: [Int?]
        /// Milliseconds after the first frame.
        let due: [Int]
    }

    static let rows = [
        Row(testDescription: "times are kept", times: [0, 40, 90], due: [0, 40, 90]),
        Row(testDescription: "the first frame is due immediately", times: [5000, 5040], due: [0, 40]),
        Row(testDescription: "long steps are waited for", times: [0, 10_000], due: [0, 10_000]),
        Row(testDescription: "an hour forward", rate: 25, times: [0, 3_600_000, 3_600_040], due: [0, 40, 80]),
        Row(testDescription: "an hour forward without a rate", times: [0, 3_600_000, 3_600_040], due: [0, 0, 40]),
        Row(testDescription: "an hour back", rate: 25, times: [3_600_000, 0, 40], due: [0, 40, 80]),
        Row(testDescription: "an hour back without a rate", times: [3_600_000, 0, 40], due: [0, 0, 40]),
        Row(testDescription: "all at the same time", rate: 25, times: [0, 0, 0, 0], due: [0, 40, 80, 120]),
        Row(testDescription: "all at the same time, no rate", times: [7, 7, 7], due: [0, 0, 0]),
        Row(testDescription: "no times", rate: 50, times: [nil, nil, nil], due: [0, 20, 40]),
        Row(testDescription: "no times and no rate", times: [nil, nil, nil], due: [0, 40, 80]),
        Row(testDescription: "some times", rate: 25, times: [0, nil, 80, nil, 160], due: [0, 40, 80, 120, 160]),
        Row(testDescription: "times that begin late", rate: 25, times: [nil, 500, 540], due: [0, 500, 540]),
        Row(testDescription: "one out of order", rate: 10, times: [0, 100, 50, 300], due: [0, 100, 200, 300]),
        Row(testDescription: "rising, but behind", rate: 10, times: [0, 0, 0, 1, 101], due: [0, 100, 200, 300, 400]),
    ]

    /// Each frame is asked for when the one before it was due.
    @Test(arguments: rows) func table(_ row: Row) throws {
        var times = FrameTimes(frameRate: row.rate.map { Rational($0) })
        var pacer = PresentationPacer(frameRate: row.rate.map { Rational($0) }, maximumLateness: .milliseconds(500))
        let begin = MonotonicTime(sinceBoot: .seconds(1000))
        var now = begin
        for (time, due) in zip(row.times, row.due) {
            var frame = try VideoStreamTests.frame(at: .zero)
            frame.presentationTime = time.map { .milliseconds($0) }
            now = pacer.due(times.time(of: frame), now: now)
            #expect(now - begin == .milliseconds(due))
        }
    }

    @Test func slowFramesAreWaitedFor() {
        var pacer = PresentationPacer(frameRate: Rational(1, 60), maximumLateness: .milliseconds(500))
        let begin = MonotonicTime(sinceBoot: .seconds(1000))
        _ = pacer.due(.zero, now: begin)
        #expect(pacer.due(.seconds(60), now: begin) - begin == .seconds(60))
    }

    @Test(arguments: [nil, Rational(25)]) func latenessMovesTheClock(_ rate: Rational?) {
        var pacer = PresentationPacer(frameRate: rate, maximumLateness: .milliseconds(500))
        let begin = MonotonicTime(sinceBoot: .seconds(1000))
        func after(_ milliseconds: Int) -> MonotonicTime { begin + .milliseconds(milliseconds) }
        #expect(pacer.due(.zero, now: begin) == begin)
        // Half a second late is caught up with; more is not.
        #expect(pacer.due(.milliseconds(40), now: after(540)) == after(40))
        #expect(pacer.due(.milliseconds(80), now: after(581)) == after(581))
        #expect(pacer.due(.milliseconds(120), now: after(581)) == after(621))
        pacer.restart()
        #expect(pacer.due(.milliseconds(160), now: after(900)) == after(900))
    }
}
