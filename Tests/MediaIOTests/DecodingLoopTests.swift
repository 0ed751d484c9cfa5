import TestSupport
import Testing

@testable import MediaIO

/// A decoder that is too slow leaves out pictures that no other needs, and then falls back on the newest key frame.
@Suite struct DecodingLoopTests {
    /// A decoder that takes its time, by a clock that the test moves.
    private final class SlowDecoder: PacketDecoder {
        let scene: Scene
        private var isOmitting = false

        init(_ scene: Scene) { self.scene = scene }

        func decode(_ packet: EncodedPacket, at time: Duration) throws(StreamError) -> VideoFrame? {
            let number = packet.marks.sequence ?? 0
            // Every other picture is needed by none.
            let isLeftOut = isOmitting && number % 2 == 1
            scene.work(isLeftOut ? .milliseconds(1) : scene.cost)
            // In steps, so that what arrives meanwhile arrives in time.
            if number == scene.slowest { for _ in 0..<20 { scene.work(.milliseconds(10)) } }
            return isLeftOut
                ? nil
                : try VideoFrame(
                    PixelBuffer(format: .gray8, size: VideoSize(width: 2, height: 2)) { _ in }, presentationTime: time)
        }

        func setOmitting(_ isOmitting: Bool) {
            self.isOmitting = isOmitting
            scene.content.withLock { $0.omissions.append(isOmitting) }
        }

        func reset() -> Bool { true }
    }

    /// A sender of 25 pictures a second, whose clock goes on while the decoder works; a network may deliver several at once.
    private final class Scene: Sendable {
        struct Content {
            var time = MonotonicTime(sinceBoot: .seconds(100))
            var sent: Int64 = 0
            var omissions: [Bool] = []
            var shown: [Int] = []
            var delays: [Duration] = []
            var decodings: [Duration?] = []
            var omitted = 0
        }

        let content = Monitor(Content())
        let costs = Monitor(Duration.zero)
        let queue: PacketQueue
        private let count: Int64
        private let burst: Int64
        /// The number of a picture that takes 200 ms.
        let slowest: Int64?

        var cost: Duration {
            get { costs.withLock { $0 } }
            set { costs.withLock { $0 = newValue } }
        }

        init(count: Int64, burst: Int64 = 1, slowest: Int64? = nil) {
            (self.count, self.burst, self.slowest) = (count, burst, slowest)
            let content = content
            queue = PacketQueue { content.withLock { $0.time } }
            send()
        }

        /// Lets time pass, in which packets arrive.
        func work(_ duration: Duration) {
            content.withLock { $0.time = $0.time + duration }
            send()
        }

        private func send() {
            while true {
                let next = content.withLock { content -> Int64? in
                    let last = (content.sent / burst + 1) * burst - 1
                    let due = MonotonicTime(sinceBoot: .seconds(100)) + .milliseconds(40) * Int(last)
                    guard content.sent < count, due <= content.time else { return nil }
                    content.sent += 1
                    return content.sent - 1
                }
                guard let next else { break }
                let time = Duration.milliseconds(40) * Int(next)
                // The sender's clock counts from 1000 s before the test's; pictures are captured 60 ms before they are sent.
                let timing = EncodedPacket.Timing(
                    presentation: time, capture: .seconds(1100) + time - .milliseconds(60))
                if let packet = try? PacketOutletTests.packet(next, isKeyFrame: next % 50 == 0, timing: timing) {
                    queue.append(packet, time: time)
                }
            }
            let (sent, isEmpty) = (content.withLock { $0.sent }, queue.isEmpty)
            if sent == count, isEmpty { return queue.append(.ended) }
            // Nobody else moves the clock while nothing waits.
            if isEmpty {
                content.withLock { $0.time = $0.time + .milliseconds(5) }
                send()
            }
        }

        func run(_ playout: PlayoutMeter? = nil, isSeen: Bool = true) -> Content {
            let content = content
            let output = DecodingLoop.Output(
                consume: { frame in
                    content.withLock { content in
                        let number = Int(((frame.presentationTime ?? .zero) / .milliseconds(40)).rounded())
                        content.shown.append(number)
                        content.decodings.append(frame.timing.decoding)
                        content.delays.append(content.time.sinceBoot - .seconds(100) - .milliseconds(40) * number)
                    }
                }, omit: { count in content.withLock { $0.omitted += count } },
                change: { [queue] in if $0 == .ended { queue.end() } }, explain: { _ in }, requestKeyFrame: {})
            let stage = DecodingStage("test", DecodingStage.Policy()) { [unowned self] _ in SlowDecoder(self) }
            var loop = DecodingLoop(
                queue, stage, ReadingDemand(), output, playout: playout, now: { content.withLock { $0.time } },
                machineClock: { content.withLock { (.seconds(1000) + $0.time.sinceBoot, $0.time) } },
                isSeen: { isSeen }
            ) { [self] due in
                work(due - content.withLock { $0.time })
                return true
            }
            loop.run()
            return content.withLock { $0 }
        }
    }

    @Test func whoKeepsUpOmitsNothing() {
        let scene = Scene(count: 500)
        scene.cost = .milliseconds(30)
        let content = scene.run()
        #expect(content.shown == Array(0..<500) && content.omitted == 0)
        #expect(!content.omissions.contains(true))
    }

    /// Each picture takes one and a half times as long as it is shown: without those that no other needs, there is time.
    @Test func someAreLeftOut() {
        let scene = Scene(count: 500)
        scene.cost = .milliseconds(60)
        let content = scene.run()
        #expect(content.omissions.contains(true))
        #expect(content.shown.count + content.omitted == 500)
        #expect((250...430).contains(content.shown.count), "\(content.shown.count)")
        #expect((content.delays.max() ?? .zero) < .milliseconds(600))
    }

    /// Five pictures come at once: each is held until it is due, whatever decoding costs, and none counts as late.
    @Test func picturesInBurstsAreHeld() {
        let scene = Scene(count: 500, burst: 5)
        scene.cost = .milliseconds(15)
        let playout = PlayoutMeter(.adaptive)
        let content = scene.run(playout)
        #expect(content.shown == Array(0..<500) && content.omitted == 0 && !content.omissions.contains(true))
        // The first of five waits for the last one, 160 ms, and is decoded. The test's clock goes on to the next five
        // while the last is decoded.
        let settled = content.delays.enumerated().dropFirst(20).filter { $0.offset % 5 < 4 }.map(\.element)
        #expect(settled.allSatisfy { (.milliseconds(174)...(.milliseconds(176))).contains($0) }, "\(settled)")
        #expect((.milliseconds(155)...(.milliseconds(200))).contains(playout.delay))
    }

    /// Each is shown 300 ms after its capture, 240 ms after it was sent, in whatever bursts it came.
    @Test(arguments: [Int64(1), 5]) func picturesAreHeldSinceTheirCapture(_ burst: Int64) {
        let scene = Scene(count: 200, burst: burst)
        scene.cost = .milliseconds(5)
        let playout = PlayoutMeter(.sinceCapture(.milliseconds(300)))
        let content = scene.run(playout)
        #expect(content.shown == Array(0..<200) && content.omitted == 0 && !content.omissions.contains(true))
        #expect(content.delays.allSatisfy { $0 >= .milliseconds(240) && $0 <= .milliseconds(250) }, "\(content.delays)")
        // Without what pictures wait for, also those in front of them. While the first is decoded, nothing else waits, and the
        // test's clock goes on to the next.
        #expect(content.decodings.dropFirst().allSatisfy { $0 == .milliseconds(5) }, "\(content.decodings)")
    }

    /// One takes 200 ms, as when its decoder waits for others: that counts only if it is seen.
    @Test(arguments: [true, false]) func whatNobodySeesIsNotLate(_ isSeen: Bool) {
        let scene = Scene(count: 200, slowest: 150)
        scene.cost = .milliseconds(10)
        let playout = PlayoutMeter(.adaptive)
        let content = scene.run(playout, isSeen: isSeen)
        #expect(content.shown == Array(0..<200) && content.omitted == 0)
        let expected: ClosedRange<Duration> =
            isSeen ? .milliseconds(190)...(.milliseconds(250)) : .zero...(.milliseconds(10))
        #expect(expected.contains(playout.delay), "\(playout.delay)")
    }

    /// Four times as long: the newest key frame ends each delay.
    @Test func theNewestKeyFrameEndsTheDelay() {
        let scene = Scene(count: 1000)
        scene.cost = .milliseconds(160)
        let content = scene.run()
        #expect(content.shown.count + content.omitted == 1000)
        #expect(content.shown.count > 150)
        #expect(zip(content.shown, content.shown.dropFirst()).allSatisfy { $0 < $1 })
        // Key frames come every two seconds, and the queue holds four.
        #expect((content.delays.max() ?? .zero) < .seconds(4.5), "\(content.delays.max() ?? .zero)")
        #expect((content.delays.last ?? .zero) < .seconds(4))
    }
}
