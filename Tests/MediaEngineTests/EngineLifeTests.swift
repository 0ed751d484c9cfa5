import Glibc
import MediaEngine
import Synchronization
import TestSupport
import Testing

@testable import MediaIO

/// Engines come and go while two threads push: nothing comes after `dispose()`, and nothing is left.
///
/// `VITRAIL_ROUNDS` sets the number of rounds; with it, run this alone: memory is measured, too.
@Suite(.timeLimit(.minutes(60))) struct EngineLifeTests {
    static let rounds = getenv("VITRAIL_ROUNDS").flatMap { Int(String(cString: $0)) } ?? 1000
    static let runsAlone = getenv("VITRAIL_ROUNDS") != nil

    /// What the two threads push into.
    struct Target: Sendable {
        var capture: CustomCapture?
        var source: PushSource?
    }

    /// A sink that must not be called after its end.
    final class GuardedSink: VideoSink {
        private let isAlive = Atomic(false)
        private let violations: Monitor<[String]>
        let count = Atomic(0)

        init(_ violations: Monitor<[String]>) { self.violations = violations }

        func initialize() throws(StreamError) { isAlive.store(true, ordering: .sequentiallyConsistent) }
        func dispose() { isAlive.store(false, ordering: .sequentiallyConsistent) }

        func consume(_ frame: VideoFrame) {
            check("a frame")
            count.add(1, ordering: .relaxed)
        }

        func sourceDidChange(_ condition: SourceCondition) { check("a condition") }

        private func check(_ what: String) {
            if isAlive.load(ordering: .sequentiallyConsistent) { return }
            violations.withLock { $0.append("\(what) came outside of the sink's life") }
        }
    }

    static func residentBytes() -> Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, 128, file) != nil else { return 0 }
        let words = line.split(separator: 32).compactMap { Int(String(decoding: $0.map(UInt8.init), as: UTF8.self)) }
        return words.count > 1 ? words[1] * Int(getpagesize()) : 0
    }

    @Test func nothingIsLeftAndNothingComesLate() throws {
        let violations = Monitor<[String]>([])
        let living = Monitor(0)
        let target = Monitor(Target())
        let isDone = Monitor(false)
        let threads = try (0..<2).map { index in
            try SystemThread(for: "the test") {
                while !isDone.withLock({ $0 }) {
                    let now = target.withLock { $0 }
                    guard let frame = try? Self.countedFrame(living) else { return }
                    if index == 0 { now.capture?.push(frame) } else { now.source?.push(frame) }
                    sched_yield()
                }
            }
        }
        var early = 0
        var delivered = 0
        weak var forgotten: VideoEngine?
        for round in 0..<Self.rounds {
            do {
                let ended = Monitor(false)
                let engine = VideoEngine { _ in
                    if ended.withLock({ $0 }) { violations.withLock { $0.append("an event came late") } }
                }
                forgotten = engine
                let sinks = (0..<3).map { _ in GuardedSink(violations) }
                let capture = try engine.channel().enableCustomCapture(handler: CaptureJournal())
                try engine.setLocalVideoRenderer(sinks[0])
                try engine.startPreview(canvas: sinks[1])
                let source = PushSource(name: "door")
                try engine.startPlayingStream("door", from: source, canvas: sinks[2])
                target.withLock { $0 = Target(capture: capture, source: source) }
                // Every other round waits for frames, so that all steps meet running calls.
                while round % 2 == 0, sinks.contains(where: { $0.count.load(ordering: .relaxed) == 0 }) {
                    sched_yield()
                }
                let other = try engine.channel().enableCustomCapture(.pixelBuffer)
                target.withLock { $0.capture = other }
                if round % 3 == 0 { engine.stopPreview() }
                engine.dispose()
                ended.withLock { $0 = true }
                delivered += sinks.reduce(0) { $0 + $1.count.load(ordering: .relaxed) }
                target.withLock { $0 = Target() }
            }
            #expect(forgotten == nil)
            if round == min(1000, Self.rounds / 2) { early = Self.residentBytes() }
        }
        isDone.withLock { $0 = true }
        for thread in threads { thread.join() }
        #expect(violations.withLock { $0 }.isEmpty)
        #expect(living.withLock { $0 } == 0)
        #expect(delivered > Self.rounds)
        // Sanitizers keep what was released for a while, and so do other tests that run at the same time.
        guard HeapCounter.isAvailable, Self.runsAlone else { return }
        let growth = Self.residentBytes() - early
        #expect(growth < 16 << 20, "It has grown by \(growth >> 20) MiB.")
    }

    /// A frame that is counted as long as it lives.
    private static func countedFrame(_ living: Monitor<Int>) throws -> VideoFrame {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 64)
        bytes.initializeMemory(as: UInt8.self, repeating: 128)
        living.withLock { $0 += 1 }
        return try VideoFrame(
            lending: UnsafeRawBufferPointer(bytes), format: .gray8, size: VideoSize(width: 64, height: 64)
        ) {
            bytes.deallocate()
            living.withLock { $0 -= 1 }
        }
    }
}
