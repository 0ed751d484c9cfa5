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

    @Test(arguments: rates) func frameAtItsTime(_ rate: Rational) {
        var random = SeededGenerator(seed: 4)
        let indices = Array(0...20) + (0..<200).map { _ in Int.random(in: 0...1_000_000, using: &random) }
        for index in indices {
            let time = rate.time(ofFrame: index)
            #expect(rate.frame(at: time) >= index)
            #expect(rate.time(ofFrame: rate.frame(at: time)) == time)
            // Below a gigahertz every frame has a nanosecond of its own.
            if rate.value <= 1e9 { #expect(rate.frame(at: time) == index) }
            if index > 0 { #expect(rate.frame(at: time - .nanoseconds(1)) < index) }
        }
    }

    @Test(arguments: rates) func timesRise(_ rate: Rational) {
        for index in 0..<1000 { #expect(rate.time(ofFrame: index) <= rate.time(ofFrame: index + 1)) }
    }
}
