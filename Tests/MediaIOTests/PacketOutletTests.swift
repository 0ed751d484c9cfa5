import Glibc
import TestSupport
import Testing

@testable import MediaIO

/// Sinks of packets come and go while packets flow, and none of them holds up another.
@Suite(.timeLimit(.minutes(25))) struct PacketOutletTests {
    /// Records what it gets; a test may hold it up.
    final class Recorder: PacketSink {
        struct Content {
            var numbers: [Int64] = []
            var lost = 0
            var conditions: [SourceCondition] = []
            var isHeldUp = false
            var isInside = false
        }

        let content = Monitor(Content())
        let tracks: Set<TrackInfo.Kind>

        init(_ tracks: Set<TrackInfo.Kind> = [.video, .audio]) { self.tracks = tracks }

        func wants(_ track: TrackInfo) -> Bool { tracks.contains(track.kind) }

        func consume(_ packet: EncodedPacket) {
            content.change { $0.isInside = true }
            content.wait { $0.isHeldUp ? nil : () }
            content.change { $0.numbers.append(packet.marks.sequence ?? -1) }
        }

        func didLose(_ count: Int) { content.change { $0.lost += count } }
        func sourceDidChange(_ condition: SourceCondition) { content.change { $0.conditions.append(condition) } }

        func await(_ number: Int64) {
            let found: Void? = content.wait(until: .now + .seconds(60)) { $0.numbers.contains(number) ? () : nil }
            if found == nil { Issue.record("\(number) has not come within a minute: \(content.withLock { $0 })") }
        }
    }

    static func packet(
        _ number: Int64, isKeyFrame: Bool = false, kind: TrackInfo.Kind = .video,
        timing: EncodedPacket.Timing = EncodedPacket.Timing()
    ) throws -> EncodedPacket {
        try [1, 2].withUnsafeBytes {
            try EncodedPacket(
                copying: $0, of: TrackInfo(id: kind == .video ? 0 : 1, kind: kind, codec: .h264), timing: timing,
                marks: EncodedPacket.Marks(isKeyFrame: isKeyFrame, sequence: number))
        }
    }

    @Test func whoComesBeginsWithAKeyFrame() throws {
        let requests = Monitor(0)
        let outlet = PacketOutlet(name: "door") { requests.withLock { $0 += 1 } }
        let first = Recorder()
        try outlet.attach(first)
        for number in 0..<Int64(5) { outlet.distribute(try Self.packet(number, isKeyFrame: number == 0)) }
        let second = Recorder([.video])
        try outlet.attach(second)
        #expect(throws: StreamError.self) { try outlet.attach(second) }
        for number in 5..<Int64(12) {
            outlet.distribute(try Self.packet(number, isKeyFrame: number == 8))
            outlet.distribute(try Self.packet(100 + number, isKeyFrame: true, kind: .audio))
        }
        first.await(111)
        second.await(11)
        #expect(first.content.withLock { $0.numbers.filter { $0 < 100 } } == Array(0..<12))
        #expect(second.content.withLock { $0.numbers } == Array(8..<12))
        #expect(requests.withLock { $0 } == 2 && outlet.lostCount(of: second) == 0)
        // Who has left gets nothing more.
        outlet.detach(first)
        outlet.distribute(try Self.packet(12))
        second.await(12)
        #expect(!first.content.withLock { $0.numbers }.contains(12))
        outlet.end()
        #expect(throws: StreamError.self) { try outlet.attach(Recorder()) }
    }

    @Test("Each sink is asked for a track, also if another or the ring wants it")
    func allAreAsked() throws {
        final class Asked: PacketSink {
            let tracks = Monitor<[TrackInfo.Kind]>([])

            func wants(_ track: TrackInfo) -> Bool {
                tracks.withLock { $0.append(track.kind) }
                return true
            }

            func consume(_ packet: EncodedPacket) {}
        }
        let outlet = PacketOutlet(name: "door")
        outlet.ring = PacketRings(byteCount: 1 << 20, duration: .seconds(10)).makeRing()
        let sinks = [Asked(), Asked()]
        for sink in sinks { try outlet.attach(sink) }
        #expect(outlet.wants(TrackInfo(id: 1, kind: .audio, codec: PacketCodec(rawValue: "aac"))))
        for sink in sinks { #expect(sink.tracks.withLock { $0 } == [.audio]) }
        outlet.end()
    }

    /// Its own packets are left out up to a key frame, and counted; the other one gets all.
    @Test func whoIsTooSlowLosesItsOwn() throws {
        let outlet = PacketOutlet(name: "door")
        let (slow, quick) = (Recorder(), Recorder())
        slow.content.withLock { $0.isHeldUp = true }
        try outlet.attach(slow, limits: PacketQueueLimits(count: 20))
        try outlet.attach(quick, limits: PacketQueueLimits(count: 500))
        for number in 0..<Int64(100) { outlet.distribute(try Self.packet(number, isKeyFrame: number % 10 == 0)) }
        quick.await(99)
        outlet.distribute(.ended)
        slow.content.change { $0.isHeldUp = false }
        let hasEnded: Void? = slow.content.wait(until: .now + .seconds(60)) { $0.conditions == [.ended] ? () : nil }
        #expect(hasEnded != nil)
        #expect(quick.content.withLock { $0.numbers } == Array(0..<100))
        let content = slow.content.withLock { $0 }
        #expect(content.lost > 0 && content.lost == outlet.lostCount(of: slow))
        #expect(content.numbers.count + content.lost == 100)
        // After each gap there is a key frame.
        for (number, next) in zip(content.numbers, content.numbers.dropFirst()) where next != number + 1 {
            #expect(next % 10 == 0)
        }
        outlet.end()
    }

    /// One that may hang keeps nobody waiting, gets what waits for it, and is told that this was all.
    @Test(arguments: [true, false]) func whoMayHangIsLeftBehind(_ isDisposed: Bool) throws {
        final class Hanger: PacketSink {
            let recorder = Recorder()
            let hasEnded = Monitor(false)
            var mayHang: Bool { true }

            func consume(_ packet: EncodedPacket) { recorder.consume(packet) }
            func didDetach() { hasEnded.change { $0 = true } }
        }
        let outlet = PacketOutlet(name: "door")
        let hanger = Hanger()
        hanger.recorder.content.withLock { $0.isHeldUp = true }
        try outlet.attach(hanger)
        for number in 0..<Int64(3) { outlet.distribute(try Self.packet(number, isKeyFrame: true)) }
        hanger.recorder.content.wait { $0.isInside ? () : nil }
        if isDisposed { outlet.end() } else { outlet.detach(hanger) }
        outlet.distribute(try Self.packet(3, isKeyFrame: true))
        #expect(!hanger.hasEnded.withLock { $0 } && hanger.recorder.content.withLock { $0.numbers.isEmpty })
        hanger.recorder.content.change { $0.isHeldUp = false }
        let hasEnded: Void? = hanger.hasEnded.wait(until: .now + .seconds(60)) { $0 ? () : nil }
        #expect(hasEnded != nil && hanger.recorder.content.withLock { $0.numbers } == [0, 1, 2])
    }

    /// When `detach` returns, no call is running and none will come; from within a call, that call is the last.
    @Test func detachingWaitsForTheRunningCall() throws {
        final class Leaver: PacketSink {
            let outlet: PacketOutlet
            let calls = Monitor(0)

            init(_ outlet: PacketOutlet) { self.outlet = outlet }

            func consume(_ packet: EncodedPacket) {
                outlet.detach(self)
                calls.change { $0 += 1 }
            }
        }
        let outlet = PacketOutlet(name: "door")
        let recorder = Recorder()
        recorder.content.withLock { $0.isHeldUp = true }
        try outlet.attach(recorder)
        outlet.distribute(try Self.packet(1, isKeyFrame: true))
        recorder.content.wait { $0.isInside ? () : nil }
        let isGone = Monitor(false)
        let thread = try SystemThread(for: "the test") {
            outlet.detach(recorder)
            isGone.change { $0 = true }
        }
        usleep(20_000)
        #expect(!isGone.withLock { $0 })
        recorder.content.change { $0.isHeldUp = false }
        thread.join()
        #expect(isGone.withLock { $0 })
        let leaver = Leaver(outlet)
        try outlet.attach(leaver)
        for number in 0..<Int64(3) { outlet.distribute(try Self.packet(number, isKeyFrame: true)) }
        let hasLeft: Void? = leaver.calls.wait(until: .now + .seconds(60)) { $0 > 0 ? () : nil }
        #expect(hasLeft != nil)
        try outlet.attach(leaver)
        outlet.end()
        #expect(leaver.calls.withLock { $0 } <= 2)
    }

    /// A thousand comings and goings while packets flow; run it under the sanitizers.
    @Test func aThousandComeAndGo() throws {
        let outlet = PacketOutlet(name: "door")
        let isOver = Monitor(false)
        let gone = Monitor<[(recorder: Recorder, count: Int)]>([])
        let sender = try SystemThread(for: "the test") {
            var number: Int64 = 0
            while !isOver.withLock({ $0 }) {
                if let packet = try? Self.packet(number, isKeyFrame: number % 5 == 0) { outlet.distribute(packet) }
                number += 1
            }
        }
        let workers = try (0..<4).map { worker in
            try SystemThread(for: "the test") {
                for _ in 0..<250 {
                    let recorder = Recorder(worker == 0 ? [.video] : [.video, .audio])
                    do {
                        try outlet.attach(recorder, limits: PacketQueueLimits(count: 8))
                    } catch {
                        Issue.record("\(error)")
                    }
                    if worker % 2 == 0 { usleep(100) }
                    outlet.detach(recorder)
                    let count = recorder.content.withLock { $0.numbers.count }
                    gone.withLock { $0.append((recorder, count)) }
                }
            }
        }
        for worker in workers { worker.join() }
        isOver.change { $0 = true }
        sender.join()
        outlet.end()
        // Some got packets, and none got any after it had left.
        let counts = gone.withLock { $0.map { ($0.recorder.content.withLock { $0.numbers.count }, $0.count) } }
        #expect(counts.count == 1000 && counts.contains { $0.1 > 0 })
        #expect(counts.allSatisfy { $0.0 == $0.1 })
    }
}
