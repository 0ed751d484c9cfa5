import CVitrailPipeWire
import Glibc
import MediaIO
import TestSupport
import Testing

@testable import PipeWireMedia

/// Pictures that other programs get from a camera of PipeWire.
@Suite(.timeLimit(.minutes(25)), .serialized)
final class PipeWireSenderTests {
    private let desktop: DesktopServices
    private static let size = VideoSize(width: 67, height: 45)

    init() throws { desktop = try DesktopServices() }

    private func sender(_ size: VideoSize = size) throws -> PipeWireSender {
        try PipeWireSender(
            as: "wall", size: size, frameRate: Rational(25), retries: RetrySchedule(), socket: desktop.socket)
    }

    /// Gives a camera a picture again and again, as a wall does.
    private final class Feed: Sendable {
        private let stop = ReadCancellation()
        private let picture: Monitor<PixelBuffer>
        private let thread: SystemThread

        init(_ sender: PipeWireSender, _ picture: PixelBuffer) throws {
            let (stop, picture) = (stop, Monitor(picture))
            self.picture = picture
            thread = try SystemThread(for: "the test") {
                while !stop.isCancelled {
                    try? sender.send(picture.withLock { $0 })
                    usleep(20_000)
                }
            }
        }

        deinit { end() }

        func show(_ next: PixelBuffer) { picture.withLock { $0 = next } }

        func end() {
            guard !stop.isCancelled else { return }
            stop.cancel()
            thread.join()
        }
    }

    private func picture(_ size: VideoSize = size, _ seed: UInt64 = 7) throws -> PixelBuffer {
        var generator = SeededGenerator(seed: seed)
        let bytes = (0..<PixelFormat.i420.packedByteCount(size)).map { _ in UInt8.random(in: 0...255, using: &generator)
        }
        return try PixelBuffer(packed: bytes, format: .i420, size: size)
    }

    private func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
        let end = MonotonicTime.now + .seconds(60)
        while try !condition() {
            guard MonotonicTime.now < end else { return false }
            usleep(20_000)
        }
        return true
    }

    private func waitForNode() throws {
        let isThere = try eventually {
            let connection = try PipeWireConnection("the test", socket: self.desktop.socket)
            try connection.update()
            return connection.sources.contains { $0.name == "wall" }
        }
        #expect(isThere)
    }

    private func read(formats: [UInt32] = PipeWireFormat.all) throws -> PipeWireReader {
        try waitForNode()
        return try PipeWireReader(
            .node("wall"), timeout: .seconds(60), cancellation: ReadCancellation(), socket: desktop.socket,
            formats: formats)
    }

    private func isNext(of reader: PipeWireReader, _ picture: PixelBuffer) throws -> Bool {
        let frame = try reader.next()
        return try #require(frame).pixelBuffer.packedBytes == picture.packedBytes
    }

    @Test(
        "Every sample arrives, with its time and its colours, at even and odd sizes",
        arguments: [
            VideoSize(width: 67, height: 45), VideoSize(width: 640, height: 360), VideoSize(width: 1, height: 1),
        ])
    func samples(_ size: VideoSize) throws {
        let (sender, picture) = try (sender(size), picture(size))
        let feed = try Feed(sender, picture)
        let reader = try read()
        #expect(reader.info.format == .i420 && reader.info.size == size && reader.info.frameRate == Rational(25))
        #expect(
            reader.info.attributes.colorTags
                == ColorTags(
                    matrix: .bt709, range: .limited, primaries: .bt709, transfer: .bt709, chromaLocation: .center))
        var last: Duration?
        for _ in 0..<5 {
            let next = try reader.next()
            let frame = try #require(next)
            let isEqual = try frame.pixelBuffer.packedBytes == picture.packedBytes
            #expect(isEqual)
            let time = try #require(frame.presentationTime)
            // Each has its place at the rate.
            #expect(last.map { time > $0 && Int(((time - $0) / .milliseconds(1)).rounded()) % 40 == 0 } ?? true)
            last = time
        }
        // They are counted after they were shown.
        #expect(eventually { sender.counts.sent >= 5 })
        #expect(sender.condition == .sending && sender.counts.connections == 1)
        feed.end()
    }

    @Test("Programs look and look away, together and one after another; pictures are copied only while one does")
    func watchers() throws {
        let (sender, first) = try (sender(), picture())
        let feed = try Feed(sender, first)
        try waitForNode()
        #expect(sender.counts.sent == 0)
        for round in 1...3 {
            let readers = try (0..<round).map { _ in try read() }
            for reader in readers { for _ in 0..<3 { #expect(try isNext(of: reader, first)) } }
        }
        var sent = -1
        // What the last ones still had on the way.
        #expect(
            eventually {
                defer { sent = sender.counts.sent }
                usleep(300_000)
                return sender.counts.sent == sent
            })
        // PipeWire puts a camera to sleep that nobody has looked at for five seconds.
        usleep(7_000_000)
        #expect(sender.counts.sent == sent)
        let second = try picture(Self.size, 8)
        feed.show(second)
        let reader = try read()
        while try !isNext(of: reader, second) {}
        #expect(sender.condition == .sending && sender.counts.connections == 1)
        feed.end()
    }

    @Test("A program that takes no I420 disturbs nobody")
    func otherFormats() throws {
        let (sender, picture) = try (sender(), picture())
        let feed = try Feed(sender, picture)
        func readOtherFormat() throws(StreamError) {
            _ = try PipeWireReader(
                .node("wall"), timeout: .seconds(2), cancellation: ReadCancellation(), socket: desktop.socket,
                formats: [SPA_VIDEO_FORMAT_BGRx.rawValue])
        }
        try waitForNode()
        let error = #expect(throws: StreamError.self, performing: readOtherFormat)
        #expect(error?.code == .noVideo, "\(error as Any)")
        let reader = try read()
        for _ in 0..<3 { #expect(try isNext(of: reader, picture)) }
        // While there is a format, PipeWire may impose it on others.
        try? readOtherFormat()
        for _ in 0..<3 { #expect(try isNext(of: reader, picture)) }
        let next = try read()
        #expect(try isNext(of: next, picture))
        #expect(sender.condition == .sending && sender.counts.connections == 1)
        feed.end()
    }

    @Test("A program that keeps the memory of all pictures does not end the camera for the others")
    func keptMemory() throws {
        let sender = try PipeWireSender(
            as: "wall", size: Self.size, frameRate: Rational(25), retries: RetrySchedule(waits: [.milliseconds(200)]),
            socket: desktop.socket)
        let picture = try picture()
        let feed = try Feed(sender, picture)
        try waitForNode()
        do {
            let keeper = try KeepingReader(desktop.socket)
            #expect(
                try eventually {
                    try keeper.wait()
                    return sender.counts.connections == 2
                })
            #expect(keeper.count > 0)
        }
        let reader = try read()
        for _ in 0..<20 { #expect(try isNext(of: reader, picture)) }
        feed.end()
    }

    @Test("Where PipeWire is not there yet, or goes, it is tried again")
    func comesAndGoes() throws {
        var services: DesktopServices? = try DesktopServices()
        let socket = try #require(services?.socket)
        let changes = Monitor<[SenderCondition]>([])
        let sender = try PipeWireSender(
            as: "wall", size: Self.size, frameRate: Rational(25), retries: RetrySchedule(waits: [.milliseconds(100)]),
            socket: socket
        ) { condition in changes.withLock { $0.append(condition) } }
        #expect(eventually { sender.condition == .sending })
        services = nil
        func reason() -> String {
            if case .waiting(let reason) = sender.condition { return reason }
            return ""
        }
        #expect(eventually { reason().contains("does not run") })
        for _ in 0..<3 { try sender.send(try picture()) }
        #expect(sender.counts.omitted == 2)
        sender.end()
        let first = changes.withLock { $0.first }
        #expect(first == .sending)
        withExtendedLifetime(services) {}
    }

    @Test("Pictures of another size or format are refused, and sizes that cannot be")
    func wrongPictures() throws {
        #expect(throws: StreamError.self) { _ = try self.sender(VideoSize(width: .max, height: 2)) }
        let large = try self.sender(VideoSize(width: PixelBuffer.maximumSide, height: PixelBuffer.maximumSide))
        #expect(eventually { if case .failed = large.condition { true } else { false } })
        let sender = try sender()
        let wrong = try PixelBuffer(
            packed: [UInt8](repeating: 0, count: 8 * 6 * 4), format: .rgba32, size: VideoSize(width: 8, height: 6))
        let error = #expect(throws: StreamError.self) { try sender.send(wrong) }
        #expect(error?.code == .unsupported && error?.description.contains("i420 of 67x45") == true)
    }
}

/// A program that gives no picture back.
private final class KeepingReader {
    private(set) var count = 0
    private let connection: PipeWireConnection
    private let stream: OpaquePointer
    private let listener: PipeWireListener<pw_stream_events>

    init(_ socket: String) throws {
        connection = try PipeWireConnection("the keeper", socket: socket)
        try connection.update()
        let node = try #require(connection.sources.first { $0.name == "wall" })
        let properties = pw_properties_new_string("media.type=Video media.category=Capture node.name=keeper")
        pw_properties_set(properties, "target.object", node.serial)
        stream = try #require(pw_stream_new(connection.core, "keeper", properties))
        var events = pw_stream_events()
        events.version = UInt32(PW_VERSION_STREAM_EVENTS)
        events.process = { data in
            guard let data else { return }
            let reader = Unmanaged<KeepingReader>.fromOpaque(data).takeUnretainedValue()
            while pw_stream_dequeue_buffer(reader.stream) != nil { reader.count += 1 }
        }
        listener = PipeWireListener(events)
        pw_stream_add_listener(stream, listener.hook, listener.events, Unmanaged.passUnretained(self).toOpaque())
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { room in
            var offers = [
                vitrail_pw_offer(
                    room.baseAddress, PipeWireFormat.all, UInt32(PipeWireFormat.all.count),
                    spa_rectangle(width: 1, height: 1), spa_rectangle(width: 4096, height: 4096),
                    spa_fraction(num: 0, denom: 1), spa_fraction(num: 1000, denom: 1))
            ]
            let flags = PW_STREAM_FLAG_AUTOCONNECT.rawValue | PW_STREAM_FLAG_MAP_BUFFERS.rawValue
            pw_stream_connect(stream, SPA_DIRECTION_INPUT, vitrail_pw_any_id, pw_stream_flags(flags), &offers, 1)
        }
    }

    deinit {
        listener.remove()
        pw_stream_destroy(stream)
    }

    /// Lets PipeWire work for a moment.
    func wait() throws { try connection.wait(until: .now + .milliseconds(20)) }
}
