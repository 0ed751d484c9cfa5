import Foundation
import MediaIO
import TestSupport
import Testing

@testable import FFmpegMedia

/// Readers that share slots decode in turn, and wait for data without one.
@Suite(.timeLimit(.minutes(25))) struct DecodingSlotsTests {
    @Test(arguments: [1, 3]) func noMoreWorkAtOnceThanThereAreSlots(_ count: Int) {
        let slots = DecodingSlots(count: count)
        let working = Monitor((now: 0, most: 0, turns: 0))
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<20 {
                slots.hold {
                    working.withLock {
                        $0.now += 1
                        $0.most = max($0.most, $0.now)
                    }
                    usleep(100)
                    working.withLock {
                        $0.now -= 1
                        $0.turns += 1
                    }
                }
            }
        }
        let (now, most, turns) = working.withLock { $0 }
        #expect(now == 0 && turns == 160)
        #expect(most <= count)
    }

    /// One that has just had its turn waits for the others, although it is running already.
    @Test func turnsAreTakenInTheOrderInWhichTheyWereAskedFor() {
        let slots = DecodingSlots(count: 1)
        let order = Monitor<[Int]>([])
        let done = DispatchGroup()
        slots.hold {
            for number in 0..<5 {
                done.enter()
                Thread.detachNewThread {
                    for _ in 0..<3 { slots.hold { order.withLock { $0.append(number) } } }
                    done.leave()
                }
                while slots.waitingCount <= number { usleep(100) }
            }
        }
        done.wait()
        #expect(order.withLock { Array($0.prefix(5)) } == [0, 1, 2, 3, 4])
        for number in 0..<5 { #expect(order.withLock { $0.count { $0 == number } } == 3) }
        #expect(slots.waitingCount == 0)
    }

    /// A stream without a picture goes before those that have one, and among its like in its turn.
    @Test func urgentTurnsAreTakenFirst() {
        let slots = DecodingSlots(count: 1)
        let order = Monitor<[Int]>([])
        let done = DispatchGroup()
        slots.hold {
            for number in 0..<6 {
                done.enter()
                Thread.detachNewThread {
                    slots.hold(isUrgent: number % 2 == 1) { order.withLock { $0.append(number) } }
                    done.leave()
                }
                while slots.waitingCount <= number { usleep(100) }
            }
        }
        done.wait()
        #expect(order.withLock(\.self) == [1, 3, 5, 0, 2, 4] && slots.waitingCount == 0)
    }

    /// A decoder whose next picture somebody waits for goes before others, although it has had some.
    @Test(arguments: [false, true]) func urgentDecodersGoFirst(_ isUrgent: Bool) throws {
        let folder = try ClipFolder()
        try folder.makeClip("clip.ts", frames: 20, DecodingTests.h264)
        let reader = try MediaPacketReader(folder.location("clip.ts"))
        let slots = DecodingSlots(count: 1)
        let first = try #require(try reader.next())
        let decoder = try MediaPacketDecoder(for: first, slots: slots)
        var (packet, hasPicture) = (first, false)
        while !hasPicture {
            hasPicture = try decoder.decode(packet, at: packet.timing.presentation ?? .zero) != nil
            packet = try #require(try reader.next())
        }
        decoder.setUrgent(isUrgent)
        let (decoded, other) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let wasFirst = Monitor(false)
        slots.hold {
            Thread.detachNewThread {
                // If the decoder waits for this turn, it decodes nothing meanwhile.
                slots.hold {
                    wasFirst.withLock { $0 = decoded.wait(timeout: .now() + (isUrgent ? 60 : 1)) == .success }
                }
                other.signal()
            }
            while slots.waitingCount < 1 { usleep(100) }
            nonisolated(unsafe) let decoder = decoder
            Thread.detachNewThread { [packet] in
                _ = try? decoder.decode(packet, at: packet.timing.presentation ?? .zero)
                decoded.signal()
            }
            while slots.waitingCount < 2 { usleep(100) }
        }
        other.wait()
        #expect(wasFirst.withLock(\.self) == isUrgent)
        if !isUrgent { decoded.wait() }
    }

    @Test func thereIsASlotForEachCoreUnlessACountIsGiven() {
        #expect(DecodingSlots().count >= 1)
        #expect(DecodingSlots().count <= ProcessInfo.processInfo.processorCount)
        #expect(DecodingSlots(count: 5).count == 5)
    }

    /// With one slot and a day's time-out, the file could not be decoded if the silent stream kept the slot.
    @Test func aReaderThatWaitsForDataHoldsNoSlot() throws {
        let folder = try ClipFolder()
        try folder.makeClip("clip.ts", frames: 60, DecodingTests.h264)
        let server = try LoopbackServer(.bytesThenSilence(folder.bytes("clip.ts")))
        defer { server.close() }
        var options = MediaReader.Options()
        options.slots = DecodingSlots(count: 1)
        options.timeout = .seconds(86_400)
        let cancellation = ReadCancellation()
        let location = MediaLocation("tcp://127.0.0.1:\(server.port)")
        let (delivered, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let streamOptions = options
        Thread.detachNewThread {
            let reader = try? MediaReader(location, options: streamOptions, cancellation: cancellation)
            // The decoder keeps the last few frames until it knows what follows.
            for _ in 0..<50 { _ = try? reader?.next() }
            delivered.signal()
            while (try? reader?.next()) != nil {}
            ended.signal()
        }
        delivered.wait()
        let reader = try MediaReader(folder.location("clip.ts"), options: options)
        #expect(try readAll(reader).count == 60)
        #expect(ended.wait(timeout: .now()) == .timedOut)
        cancellation.cancel()
        ended.wait()
    }
}
