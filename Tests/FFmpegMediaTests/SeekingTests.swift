import FFmpegMedia
import Glibc
import MediaIO
import Synchronization
import Testing

/// Going to a time, back and forth, is exact to the frame.
@Suite struct SeekingTests {
    static let clips: [(name: String, arguments: [String])] = [
        ("a.mp4", DecodingTests.h264 + ["-bf", "3", "-g", "8"]),
        ("b.mkv", DecodingTests.h264 + ["-bf", "2", "-g", "12"]),
        ("c.webm", DecodingTests.vp9 + ["-g", "10"]),
        ("d.ts", DecodingTests.h264 + ["-bf", "2", "-g", "10"]),
        ("e.h264", DecodingTests.h264 + ["-g", "10"]),
        ("f.avi", ["-c:v", "mpeg4", "-bf", "2", "-g", "10"]),
        // One key frame only.
        ("g.mp4", DecodingTests.h264 + ["-g", "1000"]),
    ]

    @Test(arguments: clips) func theFrameThatIsShownThenComesFirst(_ name: String, _ arguments: [String]) throws {
        let folder = try ClipFolder()
        try folder.makeClip(name, frames: 50, arguments)
        let all = try readAll(try folder.reader(name)).map { ($0.time, $0.packedBytes) }
        #expect(all.count == 50)
        let reader = try folder.reader(name)
        for milliseconds in [400, 0, 1, 39, 40, 41, 1960, 1200, 1000, 333, 1999, 3000, 360_000, 0, 1880] {
            try reader.seek(to: .milliseconds(milliseconds))
            // The last one whose time has come, and those behind it.
            let first = all.lastIndex { $0.0 <= .milliseconds(milliseconds) } ?? 0
            let expected = all[first...].prefix(12)
            let frames = try readAll(reader, limit: 12)
            #expect(frames.map(\.time) == expected.map(\.0), "from \(milliseconds) ms")
            #expect(frames.map(\.packedBytes) == expected.map(\.1), "from \(milliseconds) ms")
        }
        try reader.rewind()
        #expect(try readAll(reader).map(\.packedBytes) == all.map(\.1))
    }

    /// A reader that is too slow leaves out frames that no other needs: the rest are the same, at the same times.
    @Test(arguments: ["a.mp4", "b.mkv", "d.ts", "f.avi"]) func omittedFramesChangeNoOther(_ name: String) throws {
        let folder = try ClipFolder()
        let arguments = try #require(Self.clips.first { $0.name == name }?.arguments)
        try folder.makeClip(name, frames: 50, arguments)
        let all = Dictionary(
            uniqueKeysWithValues: try readAll(try folder.reader(name)).map { ($0.time, $0.packedBytes) })
        let reader = try folder.reader(name)
        reader.demand?.isOmitting = true
        let some = try readAll(reader)
        #expect((15...40).contains(some.count), "\(some.count) of 50")
        #expect(reader.corruptCount == 0)
        let areSame = some.allSatisfy { all[$0.time] == $0.packedBytes }
        #expect(areSame)
        // After the end too, and until it is told otherwise.
        try reader.rewind()
        #expect(try readAll(reader).count == some.count)
        reader.demand?.isOmitting = false
        try reader.rewind()
        #expect(try readAll(reader).count == 50)
    }

    @Test func loopGoesOnWithoutAGap() throws {
        let folder = try ClipFolder()
        try folder.makeClip("a.mp4", frames: 6, DecodingTests.h264 + ["-bf", "2"])
        let looped = try readAll(LoopingReader(try folder.reader("a.mp4")), limit: 20)
        #expect(looped.map(\.time) == (0..<20).map { .milliseconds(40 * $0) })
        let once = try readAll(try folder.reader("a.mp4")).map(\.packedBytes)
        #expect(looped.map(\.packedBytes) == (0..<20).map { once[$0 % 6] })
    }

    /// Skipping goes to the frame of that moment, near or far, and never back.
    @Test(arguments: clips) func skippingLeadsToTheSameFrames(_ name: String, _ arguments: [String]) throws {
        let folder = try ClipFolder()
        try folder.makeClip(name, frames: 100, arguments)
        let all = try readAll(try folder.reader(name)).map { ($0.time, $0.packedBytes) }
        let reader = try folder.reader(name)
        _ = try reader.next()
        guard reader.skip(to: .zero) else {
            // Without timestamps it would have to decode everything again.
            #expect(name == "e.h264")
            return
        }
        var last = Duration.zero
        for milliseconds in [100, 105, 0, 1700, 1710, 2000, 3500, 3400, 360_000, 0] {
            let isPossible = reader.skip(to: .milliseconds(milliseconds))
            #expect(isPossible)
            let expected =
                all.last { $0.0 > last && $0.0 <= .milliseconds(milliseconds) }
                ?? all.first { $0.0 > last }
            let frame = try reader.next()
            #expect(frame?.time == expected?.0, "at \(milliseconds) ms")
            #expect(frame?.packedBytes == expected?.1, "at \(milliseconds) ms")
            last = expected?.0 ?? last
        }
        try reader.rewind()
        #expect(try readAll(reader).map(\.packedBytes) == all.map(\.1))
    }

    /// In a whole stream: a hidden file is not read, and when it is visible again, the frame of that moment comes.
    @Test func aHiddenFileStandsStill() throws {
        let folder = try ClipFolder()
        try folder.makeClip("a.mp4", frames: 250, DecodingTests.h264 + ["-g", "25"])
        let location = folder.location("a.mp4")
        let count = Counter()
        let mailbox = FrameMailbox()
        let demand = try #require(mailbox.demand)
        let source = PacedSource(name: "clip") {
            CountingReader(LoopingReader(try MediaReader(location))) { count.add() }
        }
        let stream = VideoStream(source: source, sinks: [mailbox])
        demand.wants = .nothing
        try stream.initialize()
        let begin = ContinuousClock.now
        try stream.start()
        while ContinuousClock.now < begin + .milliseconds(1500) { usleep(1000) }
        // The first frame starts the clock.
        #expect(count.value <= 1)
        #expect(mailbox.statistics.received == 0)
        demand.wants = .everything
        var frame: VideoFrame?
        while frame == nil {
            usleep(100)
            frame = mailbox.take()
        }
        let passed = ContinuousClock.now - begin
        stream.dispose()
        let time = try #require(frame?.presentationTime)
        #expect(time >= .milliseconds(1200))
        #expect(time <= passed)
    }

    @Test func rewindBeforeReadingChangesNothing() throws {
        let folder = try ClipFolder()
        try folder.makeClip("a.mp4", frames: 3, DecodingTests.h264)
        let reader = try folder.reader("a.mp4")
        try reader.rewind()
        try reader.seek(to: .zero)
        #expect(try readAll(reader).count == 3)
    }
}

/// Counts the requests of frames from another reader.
private final class CountingReader: FrameReader {
    private let reader: any FrameReader
    private let onRequest: () -> Void

    init(_ reader: any FrameReader, _ onRequest: @escaping () -> Void) {
        (self.reader, self.onRequest) = (reader, onRequest)
    }

    var info: StreamInfo { reader.info }

    func next() throws(StreamError) -> VideoFrame? {
        onRequest()
        return try reader.next()
    }

    func rewind() throws(StreamError) { try reader.rewind() }
    func skip(to time: Duration) -> Bool { reader.skip(to: time) }
}

private final class Counter: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }

    func add() { count.add(1, ordering: .relaxed) }
}
