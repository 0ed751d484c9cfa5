import FFmpegMedia
import Foundation
import MediaIO
import TestSupport
import Testing

/// A real server over the loopback address that is late, stalls, dies and comes back.
@Suite(.timeLimit(.minutes(25)), .serialized) struct LiveTests {
    /// How far what is shown is behind what was sent, give or take a constant: the clock minus the frame's own time.
    final class Watcher: VideoFrameConsumer {
        struct Content {
            var frames = 0
            var conditions: [SourceCondition] = []
            var lag = Duration.zero
            var omitted = 0
            /// The pictures before the first loss: those that came and those that were left out.
            var beforeLoss: (frames: Int, omitted: Int)?
        }

        private let begin = ContinuousClock.now
        private let content = Monitor(Content())
        private let changed = DispatchSemaphore(value: 0)
        private let work: Duration

        /// - Parameter work: how long it works on each frame.
        init(work: Duration = .zero) { self.work = work }

        var conditions: [SourceCondition] { content.withLock { $0.conditions } }
        var lag: Duration { content.withLock { $0.lag } }
        var frames: Int { content.withLock { $0.frames } }
        var omitted: Int { content.withLock { $0.omitted } }
        var beforeLoss: (frames: Int, omitted: Int)? { content.withLock { $0.beforeLoss } }

        func consume(_ frame: VideoFrame) {
            let lag = begin.duration(to: .now) - frame.time
            content.withLock { ($0.frames, $0.lag) = ($0.frames + 1, lag) }
            changed.signal()
            if work > .zero { Thread.sleep(forTimeInterval: work / .seconds(1)) }
        }

        func sourceDidOmit(_ count: Int) { content.withLock { $0.omitted += count } }

        func sourceDidChange(_ condition: SourceCondition) {
            content.withLock { content in
                content.conditions.append(condition)
                if LiveTests.isWaiting(condition, ""), content.frames > 0, content.beforeLoss == nil {
                    content.beforeLoss = (content.frames, content.omitted)
                }
            }
            changed.signal()
        }

        /// Waits for something to become true; false when it does not within a minute.
        func wait(until isDone: (Content) -> Bool) -> Bool {
            let deadline = DispatchTime.now() + 60
            while !content.withLock({ isDone($0) }) {
                if changed.wait(timeout: deadline) == .timedOut { return false }
            }
            return true
        }
    }

    static func source(_ port: UInt16, timeout: Duration = .seconds(10)) -> LiveSource {
        source(.network(url: "tcp://127.0.0.1:\(port)"), timeout)
    }

    static func source(
        _ location: MediaLocation, _ timeout: Duration, retryingAfter wait: Duration = .milliseconds(200)
    ) -> LiveSource {
        let cancellation = ReadCancellation()
        let retries = RetrySchedule(waits: [wait])
        return LiveSource(
            name: "live", retries: retries, cancellation: cancellation,
            decoder: { packet throws(StreamError) in try MediaPacketDecoder(for: packet) }
        ) {
            var options = MediaReader.Options()
            options.timeout = timeout
            let packets = try MediaPacketReader(location, options: options, cancellation: cancellation)
            return packets.isLive ? .packets(packets) : .frames(try MediaReader(packets))
        }
    }

    @Test func serverThatComesLateDiesAndComesBack() throws {
        let port = try LoopbackServer.unusedPort()
        let watcher = Watcher()
        let source = Self.source(port)
        try source.initialize(consumer: watcher)
        try source.start()
        defer { source.dispose() }
        try #require(watcher.wait { !$0.conditions.isEmpty })
        #expect(Self.isWaiting(watcher.conditions.first, "Not connected"))
        for _ in 0..<2 {
            let frames = watcher.frames
            let told = watcher.conditions.count
            do {
                let server = try LiveServer(port: port)
                try #require(watcher.wait { $0.frames > frames + 10 })
                #expect(watcher.conditions.last == .live)
                _ = server
            }
            try #require(watcher.wait { $0.conditions.dropFirst(told).contains { Self.isWaiting($0, "lost") } })
        }
    }

    @Test func stallLeavesNoLatency() throws {
        let port = try LoopbackServer.unusedPort()
        let watcher = Watcher()
        let source = Self.source(port)
        let server = try LiveServer(port: port)
        try source.initialize(consumer: watcher)
        try source.start()
        defer { source.dispose() }
        try #require(watcher.wait { $0.frames > 30 })
        let before = watcher.lag
        server.pause()
        // The stall itself: nothing else can say when it has been long enough.
        Thread.sleep(forTimeInterval: 2)
        let frames = watcher.frames
        server.resume()
        try #require(watcher.wait { $0.frames > frames + 60 })
        // The server catches up immediately, so its own clock is the measure.
        #expect(watcher.lag < before + .milliseconds(500), "\(before) \(watcher.lag)")
    }

    /// Without leaving out frames, it would fall behind by a third of the time.
    @Test func whoeverIsTooSlowIsNotLeftBehind() throws {
        let port = try LoopbackServer.unusedPort()
        let watcher = Watcher(work: .milliseconds(60))
        let source = Self.source(port)
        let server = try LiveServer(port: port)
        try source.initialize(consumer: watcher)
        try source.start()
        defer { source.dispose() }
        try #require(watcher.wait { $0.frames > 5 })
        let before = watcher.lag
        for count in 1...4 { try #require(watcher.wait { $0.frames > count * 30 }) }
        #expect(watcher.lag < before + .seconds(1.5), "\(before) \(watcher.lag)")
        #expect(watcher.omitted > 20)
        _ = server
    }

    /// The time-out of a reader ends a stall that lasts.
    @Test func silenceIsALoss() throws {
        let port = try LoopbackServer.unusedPort()
        let watcher = Watcher()
        let source = Self.source(port, timeout: .seconds(4))
        let server = try LiveServer(port: port)
        try source.initialize(consumer: watcher)
        try source.start()
        defer { source.dispose() }
        try #require(watcher.wait { $0.frames > 10 })
        server.pause()
        try #require(watcher.wait { $0.conditions.contains { Self.isWaiting($0, "No data came") } })
        server.resume()
    }

    /// The receiver's socket is closed and opened while nothing, or everything at once, is sent.
    @Test func datagramsAreShownAgainAfterEachStall() throws {
        let port = try LoopbackServer.unusedPort()
        let watcher = Watcher()
        let source = Self.source(.network(url: "udp://127.0.0.1:\(port)"), .seconds(1))
        let server = try LiveServer([
            "-c:v", "libx264", "-tune", "zerolatency", "-g", "25", "-pix_fmt", "yuv420p", "-f", "mpegts",
            "udp://127.0.0.1:\(port)?pkt_size=1316",
        ])
        try source.initialize(consumer: watcher)
        try source.start()
        defer { source.dispose() }
        for round in 0..<8 {
            let frames = watcher.frames
            try #require(watcher.wait { $0.frames > frames + 10 }, "round \(round): \(watcher.conditions.suffix(4))")
            let told = watcher.conditions.count
            server.pause()
            try #require(watcher.wait { $0.conditions.dropFirst(told).contains { Self.isWaiting($0, "No data came") } })
            server.resume()
        }
        #expect(!watcher.conditions.contains { if case .failed = $0 { true } else { false } })
    }

    /// A camera's packets, received as a file describes them.
    @Test func sessionDescriptionIsReceived() throws {
        let folder = try ClipFolder()
        let port = try LoopbackServer.unusedPort()
        let server = try LiveServer([
            "-c:v", "libx264", "-tune", "zerolatency", "-g", "10", "-pix_fmt", "yuv420p", "-f", "rtp", "-sdp_file",
            folder.file("a.sdp"), "rtp://127.0.0.1:\(port)",
        ])
        let watcher = Watcher()
        let source = Self.source(MediaLocation(folder.file("a.sdp")), .seconds(3))
        try source.initialize(consumer: watcher)
        try source.start()
        defer { source.dispose() }
        try #require(watcher.wait { $0.frames > 20 }, "\(watcher.conditions)")
        let told = watcher.conditions.count
        // For longer than the time-out.
        let frames = watcher.frames
        #expect(watcher.wait { $0.frames > frames + 120 })
        #expect(watcher.conditions.count == told, "\(watcher.conditions)")
        _ = server
    }

    static func isWaiting(_ condition: SourceCondition?, _ word: String) -> Bool {
        if case .waiting(let text, _, _) = condition { word.isEmpty || text.contains(word) } else { false }
    }
}
