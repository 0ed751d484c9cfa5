import Glibc
import Synchronization
import TestSupport
import Testing

@testable import MediaIO

/// Frames that are pushed from any thread reach the consumer one at a time, and none after `stop()`.
@Suite(.timeLimit(.minutes(25))) struct PushSourceTests {
    static func frame(_ second: Int = 0) throws -> VideoFrame { try VideoStreamTests.frame(at: .seconds(second)) }

    @Test func pushesArriveWhileItIsStarted() throws {
        let consumer = WaitingConsumer()
        let source = PushSource(name: "push")
        #expect(source.push(try Self.frame()) == .notStarted)
        try source.initialize(consumer: consumer)
        #expect(source.push(try Self.frame()) == .notStarted)
        #expect(source.report(.ended) == .notStarted)
        try source.start()
        #expect(source.push(try Self.frame(1)) == .delivered)
        #expect(source.report(.waiting("the door")) == .delivered)
        source.stop()
        #expect(source.push(try Self.frame(2)) == .notStarted)
        try source.start()
        #expect(source.push(try Self.frame(3)) == .delivered)
        source.dispose()
        #expect(source.push(try Self.frame(4)) == .disposed)
        #expect(source.report(.live) == .disposed)
        #expect(PushSource.PushResult.disposed.description.contains("disposed"))
        #expect(consumer.times == [.seconds(1), .seconds(3)])
        #expect(consumer.conditions == [.waiting("the door")])
    }

    @Test func stepsOutOfOrderAreErrors() throws {
        let source = PushSource(name: "push")
        #expect(throws: StreamError.self) { try source.start() }
        try source.initialize(consumer: WaitingConsumer())
        #expect(throws: StreamError.self) { try source.initialize(consumer: WaitingConsumer()) }
        source.dispose()
        #expect(throws: StreamError.self) { try source.start() }
    }

    @Test func disposeReleasesTheConsumer() throws {
        weak var forgotten: WaitingConsumer?
        let source = PushSource(name: "push")
        do {
            let consumer = WaitingConsumer()
            forgotten = consumer
            try source.initialize(consumer: consumer)
            try source.start()
            source.push(try Self.frame())
            source.dispose()
        }
        #expect(forgotten == nil)
    }

    @Test func whatComesTooLateIsDropped() throws {
        let seen = Monitor<[Int]>([])
        let source = PushSource(name: "push")
        try source.initialize(
            consumer: FrameHandler { frame in
                let time = frame.presentationTime.map { Int($0 / .milliseconds(1)) } ?? -1
                seen.withLock { $0.append(time) }
            })
        try source.start()
        let pixels = try PixelBuffer(format: .gray8, size: VideoSize(width: 1, height: 1)) { _ in }
        func push(_ times: [Int?]) -> [PushSource.PushResult] {
            times.map { time in
                source.push(VideoFrame(pixels, presentationTime: time.map { .milliseconds($0) }))
            }
        }
        // One that is late, equal ones, one without a time; then the clock is set back.
        #expect(push([-40, 0, 40, 120]).allSatisfy { $0 == .delivered })
        #expect(push([80, 120, nil, 160]) == [.outOfOrder, .delivered, .delivered, .delivered])
        #expect(push([0, 40, 80, 60, 120]) == [.outOfOrder, .delivered, .delivered, .outOfOrder, .delivered])
        #expect(seen.withLock { $0 } == [-40, 0, 40, 120, 120, -1, 160, 40, 80, 120])
        // Times may begin anew with each start.
        source.stop()
        try source.start()
        #expect(push([0, 40]).allSatisfy { $0 == .delivered })
        #expect(PushSource.PushResult.outOfOrder.description.contains("presentation time"))
    }

    @Test func memoryIsCopiedBeforeTheCallReturns() throws {
        let seen = Monitor<[VideoFrame]>([])
        let source = PushSource(name: "push")
        try source.initialize(consumer: FrameHandler { frame in seen.withLock { $0.append(frame) } })
        var bytes: [UInt8] = [1, 2, 3, 4, 5, 6]
        let size = VideoSize(width: 2, height: 2)
        func push() throws -> PushSource.PushResult {
            try bytes.withUnsafeBytes {
                try source.push(
                    copying: $0, format: .i420, size: size, presentationTime: .seconds(1), rotation: .clockwise180)
            }
        }
        #expect(try push() == .notStarted)
        try source.start()
        #expect(try push() == .delivered)
        bytes = [0, 0, 0, 0, 0, 0]
        let frame = try #require(seen.withLock { $0 }.first)
        #expect(frame.planes.packedBytes == [1, 2, 3, 4, 5, 6])
        #expect(frame.presentationTime == .seconds(1) && frame.attributes.rotation == .clockwise180)
        bytes.removeLast()
        #expect(throws: StreamError.self) { try push() }
        source.dispose()
        // A stopped source still throws for memory that cannot be a frame.
        #expect(throws: StreamError.self) { try push() }
        #expect(seen.withLock { $0.count } == 1)
    }

    @Test func otherMemoryThanAskedForIsRefused() throws {
        let size = VideoSize(width: 2, height: 2)
        let texture = try TextureImage(
            names: [1], format: .rgba32, size: size, fence: nil, shareGroup: ObjectIdentifier(Journal()), release: {})
        let frames = [BufferKind.pixelBuffer: try Self.frame(), .texture: VideoFrame(.texture(texture))]
        for kind in [BufferKind.pixelBuffer, .texture] {
            let source = PushSource(name: "push", bufferKind: kind)
            try source.initialize(consumer: WaitingConsumer())
            try source.start()
            for (given, frame) in frames {
                let result = source.push(frame)
                #expect(result == (given == kind ? .delivered : .wrongKind(kind)))
                #expect(!result.description.isEmpty)
            }
            source.dispose()
        }
        let source = PushSource(name: "push", bufferKind: .texture)
        let bytes = [UInt8](repeating: 0, count: 6)
        let result = try bytes.withUnsafeBytes { try source.push(copying: $0, format: .i420, size: size) }
        #expect(result == .wrongKind(.texture))
        #expect(result.description.contains("texture"))
    }

    /// The consumer may stop its source, and what it pushes itself is refused instead of waited for.
    @Test func consumerMayStopAndPush() throws {
        let source = PushSource(name: "push")
        let frame = try Self.frame()
        let nested = Monitor<[PushSource.PushResult]>([])
        let consumer = WaitingConsumer { _ in
            let result = source.push(frame)
            nested.withLock { $0.append(result) }
            source.stop()
        }
        try source.initialize(consumer: consumer)
        for _ in 0..<3 {
            try source.start()
            #expect(source.push(frame) == .delivered)
            #expect(source.push(frame) == .notStarted)
        }
        source.dispose()
        #expect(nested.withLock { $0 } == Array(repeating: .withinDelivery, count: 3))
        #expect(consumer.times.count == 3)
    }

    /// What is said to be delivered is, however the stream is stopped: by the owner, by a sink, for another source.
    @Test(arguments: ["stop", "stop in a sink", "another source"]) func deliveredIsTrue(_ way: String) throws {
        let received = Atomic(0)
        let told = Atomic(0)
        let isDone = Atomic(false)
        let stopsInside = Atomic(false)
        let source = Monitor(PushSource(name: "push"))
        let frame = try Self.frame()
        let stream = Monitor<VideoStream?>(nil)
        let sink = FrameHandler { _ in
            received.add(1, ordering: .relaxed)
            if stopsInside.exchange(false, ordering: .relaxed) { stream.withLock { $0 }?.stop() }
        }
        let made = VideoStream(source: source.withLock { $0 }, sinks: [sink])
        stream.withLock { $0 = made }
        let threads = try (0..<3).map { _ in
            try SystemThread(for: "the test") {
                while !isDone.load(ordering: .relaxed) {
                    let result = source.withLock { $0 }.push(frame)
                    if result == .delivered { told.add(1, ordering: .relaxed) } else { sched_yield() }
                }
            }
        }
        try made.initialize()
        for _ in 0..<300 {
            if made.state == .initialized { try made.start() }
            let before = received.load(ordering: .relaxed)
            while received.load(ordering: .relaxed) < before + 20, made.state == .started { sched_yield() }
            switch way {
            case "stop": made.stop()
            case "stop in a sink":
                stopsInside.store(true, ordering: .relaxed)
                while made.state == .started { sched_yield() }
            default:
                let next = PushSource(name: "next")
                try made.setSource(next)
                source.withLock { $0 = next }
            }
        }
        isDone.store(true, ordering: .relaxed)
        for thread in threads { thread.join() }
        made.dispose()
        stream.withLock { $0 = nil }
        #expect(told.load(ordering: .relaxed) == received.load(ordering: .relaxed))
    }

    /// Four threads push without a pause while another starts and stops.
    @Test func nothingComesAfterStop() throws {
        let isAllowed = Atomic(false)
        let inside = Atomic(0)
        let violations = Atomic(0)
        let isDone = Atomic(false)
        let consumer = WaitingConsumer { _ in
            if inside.add(1, ordering: .sequentiallyConsistent).newValue > 1 { violations.add(1, ordering: .relaxed) }
            if !isAllowed.load(ordering: .sequentiallyConsistent) { violations.add(1, ordering: .relaxed) }
            inside.subtract(1, ordering: .sequentiallyConsistent)
        }
        let source = PushSource(name: "push")
        let frame = try Self.frame()
        try source.initialize(consumer: consumer)
        let threads = try (0..<4).map { _ in
            try SystemThread(for: "the test") {
                while !isDone.load(ordering: .relaxed) { if source.push(frame) != .delivered { sched_yield() } }
            }
        }
        for round in 1...200 {
            isAllowed.store(true, ordering: .sequentiallyConsistent)
            try source.start()
            if round % 20 == 0 { consumer.awaitFrames(consumer.times.count + 2) }
            source.stop()
            if inside.load(ordering: .sequentiallyConsistent) > 0 { violations.add(1, ordering: .relaxed) }
            isAllowed.store(false, ordering: .sequentiallyConsistent)
        }
        isDone.store(true, ordering: .relaxed)
        for thread in threads { thread.join() }
        source.dispose()
        #expect(violations.load(ordering: .relaxed) == 0)
        #expect(consumer.times.count >= 20)
    }
}
