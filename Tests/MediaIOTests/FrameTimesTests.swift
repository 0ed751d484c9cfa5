import MediaIO
import Testing

/// Every frame has a time, also where it says none.
struct FrameTimesTests {
    @Test(
        arguments: [
            ([0, 40, 70], Rational(10), [0, 40, 70]),
            ([nil, nil, nil], Rational(10), [0, 100, 200]),
            ([nil, nil, nil], nil, [0, 40, 80]),
            ([500, nil, nil, 560, nil], Rational(50), [500, 520, 540, 560, 580]),
            ([nil, 0, nil], Rational(10), [0, 0, 100]),
        ] as [([Int?], Rational?, [Int])]) func timesFollowFromTheRate(
            _ said: [Int?], _ rate: Rational?, _ wanted: [Int]
        ) throws
    {
        let buffer = try PixelBuffer(format: .gray8, size: VideoSize(width: 1, height: 1)) { _ in }
        var times = FrameTimes(frameRate: rate)
        for _ in 0..<2 {
            let taken = said.map { time in
                times.time(of: VideoFrame(buffer, presentationTime: time.map { .milliseconds($0) }))
            }
            #expect(taken == wanted.map { .milliseconds($0) })
            times.reset()
        }
    }

    /// 1/30000 of a second has no exact number of nanoseconds: summed up, an hour would be off by milliseconds.
    @Test func timesDoNotDrift() throws {
        let buffer = try PixelBuffer(format: .gray8, size: VideoSize(width: 1, height: 1)) { _ in }
        let rate = Rational(30_000, 1001)
        var times = FrameTimes(frameRate: rate)
        for index in 0..<108_000 {
            let time = times.time(of: VideoFrame(buffer))
            if index == 107_999 { #expect(time == rate.time(ofFrame: index)) }
        }
    }
}
