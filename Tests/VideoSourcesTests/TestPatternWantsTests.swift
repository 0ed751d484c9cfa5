import Glibc
import MediaIO
import TestSupport
import Testing
import VideoSources

/// Patterns make no more than is wanted, and look the same.
@Suite(.timeLimit(.minutes(25))) struct TestPatternWantsTests {
    static let full = VideoSize(width: 1280, height: 720)

    static func reader(
        _ pattern: TestPattern, _ format: PixelFormat = .i420, size: VideoSize = full, paintsSmaller: Bool = true
    ) throws -> TestPatternReader {
        try TestPatternReader(pattern: pattern, size: size, format: format, paintsSmaller: paintsSmaller)
    }

    @Test(arguments: [
        (320 * 180, 320, 180), (317 * 178, 316, 178), (1280 * 720, 1280, 720), (9_999_999, 1280, 720), (1, 16, 16),
    ]) func picturesHaveNoMorePixelsThanWanted(_ pixels: Int, _ width: Int, _ height: Int) throws {
        let reader = try Self.reader(.clock)
        reader.demand?.wants = VideoSinkWants(maximumPixels: pixels)
        let frame = try #require(try reader.next())
        #expect(frame.image.size == VideoSize(width: width, height: height))
        let shape = frame.attributes.pixelAspectRatio.value * frame.image.size.aspectRatio
        #expect(abs(shape - Self.full.aspectRatio) < 1e-12)
        #expect(frame.colorSpace == reader.info.colorSpace)
        reader.demand?.wants = .everything
        let next = try #require(try reader.next())
        #expect(next.image.size == Self.full)
        #expect(next.attributes == reader.info.attributes)
    }

    @Test func theFullSizeIsKeptWhereItIsMeant() throws {
        for (pattern, paintsSmaller) in [(TestPattern.bars, false), (.zoneplate, true)] {
            let reader = try Self.reader(pattern, paintsSmaller: paintsSmaller)
            reader.demand?.wants = VideoSinkWants(maximumPixels: 100)
            #expect(try reader.next()?.image.size == Self.full)
        }
    }

    @Test func theClockGoesOn() throws {
        let reader = try Self.reader(.clock)
        _ = try reader.next()
        reader.demand?.wants = VideoSinkWants(maximumPixels: 160 * 90)
        let frame = try #require(try reader.next())
        #expect(TestPatternClock.frameNumber(in: frame.planes) == 1)
    }

    /// Each pixel of the small picture is the middle one of the 64 that it stands for, but at edges.
    @Test(arguments: [TestPattern.bars, .gradient, .clock], [PixelFormat.i420, .gray8])
    func smallerLooksTheSame(_ pattern: TestPattern, _ format: PixelFormat) throws {
        let (large, small) = (try Self.reader(pattern, format), try Self.reader(pattern, format))
        small.demand?.wants = VideoSinkWants(maximumPixels: 160 * 90)
        for index in [0, 100] {
            let wide = try large.frame(at: index).planes.packedBytes
            let narrow = try small.frame(at: index).planes.packedBytes
            var different = 0
            for y in 0..<90 {
                for x in 0..<160 {
                    let (a, b) = (wide[(y * 8 + 4) * 1280 + x * 8 + 4], narrow[y * 160 + x])
                    if abs(Int(a) - Int(b)) > 12 { different += 1 }
                }
            }
            // The thin strokes of the clock are mostly edges.
            #expect(different < 160 * 90 / 8, "frame \(index)")
        }
    }

    /// Frames that are left out are not painted; the others have their own times and pictures.
    @Test func fewerFramesKeepTheirTimes() throws {
        let reader = try Self.reader(.clock, size: VideoSize(width: 64, height: 36))
        reader.demand?.wants = VideoSinkWants(maximumFrameRate: Rational(10))
        for index in 0..<5 {
            let frame = try #require(try reader.next())
            #expect(frame.time == Rational(30).time(ofFrame: index * 3))
            #expect(TestPatternClock.frameNumber(in: frame.planes) == index * 3)
        }
    }

    /// The longest step is half a second, whatever is wanted; the source omits the rest.
    @Test(arguments: [8, 20, 3600]) func aLowRateIsObeyed(_ seconds: Int) throws {
        let mailbox = FrameMailbox()
        let demand = try #require(mailbox.demand)
        demand.wants = VideoSinkWants(maximumFrameRate: Rational(1, seconds))
        let source = PacedSource(name: "slow") {
            try TestPatternReader(pattern: .bars, size: VideoSize(width: 64, height: 36))
        }
        let stream = VideoStream(source: source, sinks: [mailbox])
        try stream.initialize()
        try stream.start()
        usleep(1_200_000)
        #expect(mailbox.statistics.received == 1)
        demand.wants = .everything
        usleep(1_200_000)
        stream.dispose()
        #expect(mailbox.statistics.received > 10)
    }

    @Test func skippingLeadsToTheFrameOfThatMoment() throws {
        let reader = try Self.reader(.clock, size: VideoSize(width: 64, height: 36))
        for index in [3, 4, 90, 100_000] {
            let isPossible = reader.skip(to: Rational(30).time(ofFrame: index) + .milliseconds(index % 2 * 33))
            #expect(isPossible)
            #expect(try reader.next()?.time == Rational(30).time(ofFrame: index))
        }
        // Never back.
        _ = reader.skip(to: .zero)
        #expect(try reader.next()?.time == Rational(30).time(ofFrame: 100_001))
    }

    @Test(.enabled(if: HeapCounter.isAvailable, "A sanitizer has an allocator of its own."))
    func smallAndFewAllocateNothing() throws {
        let reader = try Self.reader(.gradient)
        reader.demand?.wants = VideoSinkWants(maximumPixels: 5000, maximumFrameRate: Rational(10))
        for _ in 0..<3 { _ = try reader.next() }
        let count = try HeapCounter.count { for _ in 0..<10 { _ = try reader.next() } }
        #expect(count == 0)
    }

    /// In a whole stream: while hidden, nothing is delivered; when visible again, the frame of that moment is.
    @Test func aHiddenPatternComesBackAtOnce() throws {
        let mailbox = FrameMailbox()
        let demand = try #require(mailbox.demand)
        let source = PacedSource(name: "clock") {
            try TestPatternReader(pattern: .clock, size: VideoSize(width: 64, height: 36), frameRate: Rational(10))
        }
        let stream = VideoStream(source: source, sinks: [mailbox])
        demand.wants = .nothing
        try stream.initialize()
        let clock = ContinuousClock()
        let begin = clock.now
        try stream.start()
        while clock.now < begin + .milliseconds(450) { usleep(1000) }
        #expect(mailbox.statistics.received == 0)
        demand.wants = .everything
        var frame: VideoFrame?
        while frame == nil {
            usleep(100)
            frame = mailbox.take()
        }
        let passed = begin.duration(to: clock.now)
        stream.dispose()
        let time = try #require(frame?.presentationTime)
        #expect(time >= .milliseconds(300))
        #expect(time <= passed)
    }
}
