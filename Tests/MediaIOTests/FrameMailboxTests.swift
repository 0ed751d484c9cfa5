import TestSupport
import Testing

@testable import MediaIO

/// The newest frame, and counts that add up.
struct FrameMailboxTests {
    @Test func newestFrameWins() throws {
        let mailbox = FrameMailbox()
        #expect(mailbox.take() == nil)
        #expect(!mailbox.hasFrame)
        for second in 1...3 { mailbox.put(try VideoStreamTests.frame(at: .seconds(second))) }
        #expect(mailbox.hasFrame)
        #expect(mailbox.statistics == FrameMailbox.Statistics(received: 3, dropped: 2))
        #expect(mailbox.take()?.time == .seconds(3))
        #expect(mailbox.take() == nil)
        mailbox.consume(try VideoStreamTests.frame(at: .seconds(4)))
        #expect(mailbox.statistics == FrameMailbox.Statistics(received: 4, dropped: 2))
        mailbox.dispose()
        #expect(!mailbox.hasFrame)
    }

    /// The old stream is put away when the new one fills the box already.
    @Test func disposeLeavesTheFrameOfAnotherStream() throws {
        let mailbox = FrameMailbox()
        try mailbox.initialize()
        mailbox.put(try VideoStreamTests.frame(at: .seconds(1)))
        try mailbox.initialize()
        mailbox.put(try VideoStreamTests.frame(at: .seconds(2)))
        mailbox.dispose()
        #expect(mailbox.hasFrame)
        #expect(mailbox.condition == .live)
        mailbox.dispose()
        #expect(!mailbox.hasFrame)
        #expect(mailbox.condition == .waiting("no frame yet"))
        // Each frame is taken or counted.
        #expect(mailbox.statistics == FrameMailbox.Statistics(received: 2, dropped: 2))
    }

    /// As where packets are kept beside the pictures that are decoded from them.
    @Test func packetsAreNoPictures() throws {
        let mailbox = FrameMailbox()
        mailbox.put(try VideoStreamTests.frame(at: .seconds(1)))
        mailbox.consume(try DecodingSourceTests.packet(2))
        #expect(mailbox.take()?.time == .seconds(1))
        mailbox.consume(try DecodingSourceTests.packet(3))
        #expect(mailbox.take() == nil && mailbox.condition == .live)
        #expect(mailbox.statistics == FrameMailbox.Statistics(received: 1))
        // Packets that nobody decodes.
        let other = FrameMailbox()
        for number in 0..<100 { other.put(try DecodingSourceTests.packet(UInt8(number))) }
        guard case .waiting(let text, _, _) = other.condition else {
            Issue.record("It does not say why there is no picture: \(other.condition).")
            return
        }
        #expect(text.contains("DecodingSource") && !other.hasFrame)
        other.put(try VideoStreamTests.frame(at: .seconds(1)))
        #expect(other.condition == .live)
    }

    /// Each of several readers gets the newest frame once, and the last one empties the mailbox.
    @Test func severalReaders() throws {
        let mailbox = FrameMailbox()
        var readers = (0..<3).map { _ in mailbox.makeReader() }
        func take() -> [Int?] {
            readers.map { mailbox.takeNews(for: $0).newest.map { Int($0.frame.time.components.seconds) } }
        }
        mailbox.put(try VideoStreamTests.frame(at: .seconds(1)))
        #expect(take() == [1, 1, 1])
        #expect(take() == [nil, nil, nil] && !mailbox.hasFrame)
        mailbox.put(try VideoStreamTests.frame(at: .seconds(2)))
        #expect(mailbox.takeNews(for: readers[1]).newest != nil)
        #expect(mailbox.hasChanges(for: readers[0], since: .live, generation: 0))
        #expect(!mailbox.hasChanges(for: readers[1], since: .live, generation: 0))
        #expect(take() == [2, nil, 2])
        #expect(!mailbox.hasFrame && mailbox.statistics.dropped == 0)
        // A reader that goes leaves nothing behind, whatever it has taken.
        mailbox.put(try VideoStreamTests.frame(at: .seconds(3)))
        #expect(mailbox.takeNews(for: readers[0]).newest != nil && mailbox.takeNews(for: readers[1]).newest != nil)
        readers.removeLast()
        #expect(!mailbox.hasFrame)
        mailbox.put(try VideoStreamTests.frame(at: .seconds(4)))
        #expect(mailbox.takeNews(for: readers[0]).newest != nil)
        readers.removeFirst()
        #expect(take() == [4] && !mailbox.hasFrame)
        // One that joins gets the frame that waits.
        mailbox.put(try VideoStreamTests.frame(at: .seconds(5)))
        readers.append(mailbox.makeReader())
        #expect(take() == [5, 5])
        mailbox.put(try VideoStreamTests.frame(at: .seconds(6)))
        mailbox.clear()
        #expect(take() == [nil, nil])
        mailbox.put(try VideoStreamTests.frame(at: .seconds(7)))
        #expect(take() == [7, 7])
        // Nobody has seen the sixth.
        #expect(mailbox.statistics == FrameMailbox.Statistics(received: 7, dropped: 1))
    }

    @Test func clearForgetsFrameAndCondition() throws {
        let wakes = Monitor(0)
        let mailbox = FrameMailbox { wakes.withLock { $0 += 1 } }
        mailbox.put(try VideoStreamTests.frame(at: .zero))
        let generation = mailbox.generation
        mailbox.clear()
        #expect(mailbox.generation == generation + 1)
        #expect(mailbox.take() == nil)
        #expect(mailbox.condition == .waiting("no frame yet"))
        #expect(mailbox.statistics == FrameMailbox.Statistics(received: 1, dropped: 1))
        #expect(wakes.withLock { $0 } == 2)
    }

    /// A tile whose source cannot be opened does not go on saying that it is live.
    @Test func sourceThatCannotBeOpenedIsTold() throws {
        let mailbox = FrameMailbox()
        mailbox.put(try VideoStreamTests.frame(at: .zero))
        let source = PacedSource(name: "missing") {
            throw StreamError(.cannotOpen, "It does not exist.")
        }
        let stream = VideoStream(source: source, sinks: [mailbox])
        #expect(throws: StreamError.self) { try stream.initialize() }
        #expect(mailbox.condition == .failed("It does not exist.", code: .cannotOpen))
    }

    @Test func droppedFrameIsLetGoAtOnce() throws {
        let released = Monitor(0)
        let mailbox = FrameMailbox { _ = released.withLock { $0 } }
        let memory = PixelBufferTests.Memory([(length: 4, bytesPerRow: 2), (length: 2, bytesPerRow: 2)])
        func frame() throws -> VideoFrame {
            VideoFrame(
                try PixelBuffer(lending: memory.planes, format: .nv12, size: VideoSize(width: 2, height: 2)) {
                    // Asking the mailbox would hang if this were called while it holds its lock.
                    _ = mailbox.statistics
                    released.withLock { $0 += 1 }
                })
        }
        for count in 0..<5 {
            #expect(released.withLock { $0 } == max(0, count - 1))
            mailbox.put(try frame())
        }
        mailbox.dispose()
        #expect(released.withLock { $0 } == 5)
    }

    @Test func conditionFollowsTheSource() throws {
        let wakes = Monitor(0)
        let mailbox = FrameMailbox { wakes.withLock { $0 += 1 } }
        #expect(mailbox.condition == .waiting("no frame yet"))
        mailbox.put(try VideoStreamTests.frame(at: .zero))
        #expect(mailbox.condition == .live)
        for condition in [SourceCondition.failed("gone"), .ended, .waiting("the camera")] {
            mailbox.sourceDidChange(condition)
            #expect(mailbox.condition == condition)
        }
        // The last picture stays.
        #expect(mailbox.take() != nil)
        #expect(wakes.withLock { $0 } == 4)
    }

    /// Every frame is either taken or dropped, and what is taken gets newer.
    @Test func countsAddUpAcrossThreads() throws {
        let mailbox = FrameMailbox()
        let frames = try (0..<20_000).map {
            VideoFrame(try VideoStreamTests.frame(at: .zero).planes, presentationTime: .seconds($0))
        }
        let writer = try SystemThread(for: "the test") {
            for frame in frames { mailbox.put(frame) }
        }
        var taken: [Duration] = []
        while taken.last != .seconds(19_999) {
            if let frame = mailbox.take() { taken.append(frame.time) }
        }
        writer.join()
        #expect(zip(taken, taken.dropFirst()).allSatisfy { $0 < $1 })
        #expect(mailbox.statistics.received == frames.count)
        #expect(mailbox.statistics.dropped + taken.count == frames.count)
    }
}
