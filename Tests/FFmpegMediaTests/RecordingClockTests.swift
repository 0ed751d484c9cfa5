import MediaIO
import Testing

@testable import FFmpegMedia

/// The times in a recording.
@Suite(.timeLimit(.minutes(25))) struct RecordingClockTests {
    private static func timing(_ decoding: Int?, _ presentation: Int?) -> EncodedPacket.Timing {
        EncodedPacket.Timing(
            presentation: presentation.map { .milliseconds($0) }, decoding: decoding.map { .milliseconds($0) })
    }

    private static func arrival(_ time: Int) -> MonotonicTime {
        MonotonicTime(sinceBoot: .seconds(1000) + .milliseconds(time))
    }

    /// The times of decoding and showing, in milliseconds.
    private static func times(_ timing: EncodedPacket.Timing) -> [Int] {
        [timing.decoding, timing.presentation].map { Int((($0 ?? .zero) / .milliseconds(1)).rounded()) }
    }

    @Test("The earliest time is zero, and tracks stay together")
    func together() {
        let first = [(timing: Self.timing(5000, 5080), track: 0), (timing: Self.timing(4970, 4970), track: 1)]
        var clock = RecordingClock(first, steps: [nil, nil])
        #expect(Self.times(clock.map(first[0].timing, track: 0, arrival: Self.arrival(0))) == [30, 110])
        #expect(Self.times(clock.map(first[1].timing, track: 1, arrival: Self.arrival(1))) == [0, 0])
        // Jitter of the network changes nothing.
        #expect(Self.times(clock.map(Self.timing(5040, 5040), track: 0, arrival: Self.arrival(900))) == [70, 70])
    }

    @Test("After a jump the recording goes on, and the other track with it", arguments: [-1_000_000, 90_000_000])
    func jump(_ jump: Int) {
        let first = [(timing: Self.timing(5000, 5000), track: 0), (timing: Self.timing(5000, 5000), track: 1)]
        var clock = RecordingClock(first, steps: [nil, nil])
        for index in 0..<2 { _ = clock.map(first[index].timing, track: index, arrival: Self.arrival(0)) }
        let next = clock.map(Self.timing(5040 + jump, 5040 + jump), track: 0, arrival: Self.arrival(43))
        #expect(Self.times(next) == [43, 43])
        let other = clock.map(Self.timing(5020 + jump, 5020 + jump), track: 1, arrival: Self.arrival(60))
        #expect(Self.times(other) == [23, 23])
        let last = clock.map(Self.timing(5080 + jump, 5120 + jump), track: 0, arrival: Self.arrival(80))
        #expect(Self.times(last) == [83, 123])
    }

    @Test("After a pause both tracks jump by the same, also if one was held back until the jump")
    func restart() {
        let first = [(timing: Self.timing(0, 0), track: 0), (timing: Self.timing(0, 0), track: 1)]
        var clock = RecordingClock(first, steps: [nil, nil])
        for index in 0..<2 { _ = clock.map(first[index].timing, track: index, arrival: Self.arrival(0)) }
        _ = clock.map(Self.timing(1000, 1000), track: 1, arrival: Self.arrival(1000))
        // The last picture, which the demuxer knew to be complete when the next one came.
        _ = clock.map(Self.timing(960, 960), track: 0, arrival: Self.arrival(3000))
        let jump = -500_000
        let next = clock.map(Self.timing(jump, jump), track: 0, arrival: Self.arrival(3040))
        #expect(Self.times(next) == [1000, 1000])
        let sound = clock.map(Self.timing(jump + 100, jump + 100), track: 1, arrival: Self.arrival(3150))
        #expect(Self.times(sound) == [1100, 1100])
        // And by the same again.
        let again = clock.map(Self.timing(jump - 9000, jump - 9000), track: 1, arrival: Self.arrival(3250))
        #expect(Self.times(again) == [1200, 1200])
        let picture = clock.map(Self.timing(jump - 9000, jump - 9000), track: 0, arrival: Self.arrival(5250))
        #expect(Self.times(picture) == [1200, 1200])
    }

    @Test("A time that comes twice, or goes back a little, is a little later")
    func twice() {
        var clock = RecordingClock([(timing: Self.timing(0, 0), track: 0)], steps: [nil])
        var last = Duration.seconds(-1)
        for time in [0, 0, 40, 30, 40, 80] {
            let mapped = clock.map(Self.timing(time, time), track: 0, arrival: Self.arrival(time))
            #expect(mapped.decoding ?? .zero > last && mapped.presentation ?? .zero >= mapped.decoding ?? .zero)
            last = mapped.decoding ?? .zero
        }
        #expect(last == .milliseconds(80))
    }

    @Test("Without times of decoding, pictures keep their order of showing")
    func reordered() {
        let shown = [0, 160, 80, 40, 120, 320, 240, 200, 280]
        let first = shown.prefix(5).map { (timing: Self.timing(nil, $0), track: 0) }
        var clock = RecordingClock(first, steps: [nil])
        var last = Duration.seconds(-1)
        for time in shown {
            let mapped = clock.map(Self.timing(nil, time), track: 0, arrival: Self.arrival(time))
            let error = (mapped.presentation ?? .zero) - .milliseconds(time + 120)
            #expect(error >= .zero && error < .milliseconds(1))
            #expect(mapped.decoding ?? .zero > last && mapped.decoding ?? .zero <= mapped.presentation ?? .zero)
            last = mapped.decoding ?? .zero
        }
    }

    @Test("Without any times, those of arrival are taken")
    func none() {
        var clock = RecordingClock([(timing: Self.timing(nil, nil), track: 0)], steps: [nil])
        for time in [0, 40, 95] {
            let mapped = clock.map(Self.timing(nil, nil), track: 0, arrival: Self.arrival(time))
            #expect(Self.times(mapped) == [time, time])
        }
    }

    @Test("Sound that comes together with one time has one after the other")
    func several() {
        let step = Duration.milliseconds(20)
        var clock = RecordingClock([(timing: Self.timing(nil, 40), track: 0)], steps: [step])
        var times: [Int] = []
        for time in [40, nil, nil, 100] {
            times.append(Self.times(clock.map(Self.timing(nil, time), track: 0, arrival: Self.arrival(7)))[1])
        }
        #expect(times == [0, 20, 40, 60])
    }

    @Test("What comes in segments of ten seconds has no gaps")
    func segments() {
        var clock = RecordingClock([(timing: Self.timing(0, 0), track: 0)], steps: [nil])
        for time in stride(from: 0, to: 30_000, by: 40) {
            let mapped = clock.map(Self.timing(time, time), track: 0, arrival: Self.arrival(time / 10_000 * 10_000))
            #expect(Self.times(mapped) == [time, time])
        }
    }

    @Test("A clip that is sent again and again goes on as it arrives")
    func loop() {
        let timings = (0..<400).map { Self.timing($0 % 100 * 40, $0 % 100 * 40) }
        let first = [0, 1].map { (timing: timings[0], track: $0) }
        var clock = RecordingClock(first, steps: [nil, nil])
        for (index, timing) in timings.enumerated() {
            for track in 0..<2 {
                let mapped = clock.map(timing, track: track, arrival: Self.arrival(index * 40))
                #expect(Self.times(mapped) == [index * 40, index * 40])
            }
        }
    }
}
