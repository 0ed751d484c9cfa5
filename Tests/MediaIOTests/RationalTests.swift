import MediaIO
import TestSupport
import Testing

/// Times of frames and frames of times.
struct RationalTests {
    @Test(arguments: [
        (Rational(25), 0, Duration.zero), (Rational(25), 1, .milliseconds(40)), (Rational(25), 25, .seconds(1)),
        (Rational(30_000, 1001), 30_000, .seconds(1001)), (Rational(30_000, 1001), 1, .nanoseconds(33_366_666)),
        (Rational(3), 1, .nanoseconds(333_333_333)), (Rational(1, 10), 7, .seconds(70)),
        (Rational(Int(Int32.max)), Int(Int32.max), .seconds(1)),
        (Rational(60), 1 << 32, .nanoseconds(71_582_788_266_666_666)),
    ]) func timeOfFrame(_ rate: Rational, _ index: Int, _ time: Duration) {
        #expect(rate.time(ofFrame: index) == time)
    }

    static let rates = [
        Rational(1), Rational(24), Rational(24_000, 1001), Rational(25), Rational(30), Rational(60_000, 1001),
        Rational(120),
        Rational(1, 10), Rational(7, 3), Rational(1000), Rational(999_999_999), Rational(Int(Int32.max)),
        Rational(1, Int(Int32.max)),
    ]

    @Test(arguments: rates) func timesAreIndexDividedByRate(_ rate: Rational) {
        var random = SeededGenerator(seed: 4)
        for index in Array(0...20) + (0..<200).map({ _ in Int.random(in: 0...1_000_000, using: &random) }) {
            let seconds = Double(index) * Double(rate.denominator) / Double(rate.numerator)
            let time = rate.time(ofFrame: index) / .seconds(1)
            // To the nanosecond below, and to what a Double can say.
            #expect(abs(time - seconds) <= 1e-9 + seconds * 1e-15)
        }
    }

    /// A file's header and length may say anything; no time overflows.
    @Test(arguments: [Int.max, 1 << 40]) func hugeIndices(_ index: Int) {
        #expect(Rational(1, Int(Int32.max)).time(ofFrame: index) >= .seconds(1 << 60))
        #expect(Rational(Int(Int32.max), 1).time(ofFrame: index) > .zero)
    }

    @Test(arguments: rates) func timesRise(_ rate: Rational) {
        for index in 0..<1000 { #expect(rate.time(ofFrame: index) <= rate.time(ofFrame: index + 1)) }
        // More frames than nanoseconds share times.
        for index in 1..<1000 where rate.value < 1e9 {
            #expect(rate.frame(at: rate.time(ofFrame: index)) == index)
            #expect(rate.frame(at: rate.time(ofFrame: index) - .nanoseconds(1)) == index - 1)
        }
    }
}
