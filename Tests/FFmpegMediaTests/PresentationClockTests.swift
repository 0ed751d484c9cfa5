import CVitrailFFmpeg
import MediaIO
import TestSupport
import Testing

@testable import FFmpegMedia

/// The rules by which presentation times are made; the stream's own times are in milliseconds here.
@Suite struct PresentationClockTests {
    static let millisecond = AVRational(num: 1, den: 1000)

    static let cases: [(name: String, timestamps: [Int64?], times: [Int])] = [
        ("as they are", [100, 140, 180], [0, 40, 80]),
        ("gap", [100, 140, 900], [0, 40, 800]),
        ("none at all", [nil, nil, nil], [0, 40, 80]),
        ("one missing", [100, nil, 180], [0, 40, 80]),
        ("twice the same", [100, 140, 140, 180], [0, 40, 41, 80]),
        ("a little back", [100, 140, 120, 180], [0, 40, 41, 80]),
        ("begins again", [5100, 5140, 100, 140], [5000, 5040, 5080, 5120]),
        ("jumps ahead", [100, 140, 60_000_140, 60_000_180], [0, 40, 80, 120]),
        ("before the origin", [50, 140], [0, 40]),
        ("the ends of the number line", [.max, .min, .max], [0, 40, 80]),
    ]

    @Test(arguments: cases) func times(_ name: String, _ timestamps: [Int64?], _ times: [Int]) {
        var clock = clock(origin: 100)
        #expect(
            timestamps.map { clock.time($0.flatMap { Duration(timestamp: $0, unit: Self.millisecond) }) }
                == times.map { .milliseconds($0) })
    }

    @Test func timesAlwaysRise() {
        var generator = SeededGenerator(seed: 7)
        var clock = clock(origin: 0)
        var previous = Duration.seconds(-1)
        for _ in 0..<10_000 {
            let bits = Int64.random(in: 0...40, using: &generator)
            let stamp: Int64? = bits == 0 ? nil : Int64.random(in: -(1 << bits)...(1 << bits), using: &generator)
            let time = clock.time(stamp.map { .milliseconds($0) })
            #expect(time > previous)
            previous = time
        }
    }

    private func clock(origin: Int64) -> PresentationClock {
        PresentationClock(
            frameDuration: .milliseconds(40), longestStep: .seconds(10), origin: .milliseconds(origin))
    }
}
