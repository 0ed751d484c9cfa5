import Glibc
import MediaConformance
import MediaIO

/// A source with a thread of its own that does most things right; each mistake changes one of them.
final class ThreadedSource: VideoSource {
    enum Mistake: CaseIterable {
        case stopDoesNotWait, deliversBeforeStart, neverStops, deliversAfterDispose, twoThreads, keepsConsumer
        case keepsItself, neverDelivers, cannotRestart, doubleStartMakesTwoThreads, callsWithinAdapt, stopBlocks

        /// The rules of which the kit finds one to be broken.
        ///
        /// A source that never stops is found at the first call after `stop()`. Of two threads that a second start made, one
        /// goes on after `stop()`: which of their calls are seen first, overlapping or late ones, is up to the scheduler.
        var rules: [ConformanceViolation.Rule] {
            switch self {
            case .stopDoesNotWait, .neverStops: [.callAfterStop]
            case .deliversBeforeStart: [.callBeforeStart]
            case .deliversAfterDispose: [.callAfterDispose]
            case .twoThreads: [.overlappingCalls]
            case .doubleStartMakesTwoThreads: [.overlappingCalls, .callAfterStop]
            case .keepsConsumer: [.consumerRetained]
            case .keepsItself: [.objectRetained]
            case .neverDelivers, .cannotRestart: [.noFrame]
            case .callsWithinAdapt: [.callWithinAdapt]
            case .stopBlocks: [.doesNotReturn]
            }
        }
    }

    private struct State {
        var consumer: (any VideoFrameConsumer)?
        var isRunning = false
        var starts = 0
        var threads: [Loop] = []
        var itself: ThreadedSource?
    }

    /// A thread that delivers until it is told to end.
    private final class Loop: Sendable {
        let isDone = Monitor(false)
        let hasEnded = Monitor(false)

        func run(_ body: @escaping @Sendable () -> Void) {
            let (isDone, hasEnded) = (isDone, hasEnded)
            detach {
                while !isDone.withLock({ $0 }) {
                    body()
                    usleep(300)
                }
                hasEnded.withLock { $0 = true }
            }
        }

        func end(waiting: Bool) {
            isDone.withLock { $0 = true }
            while waiting, !hasEnded.withLock({ $0 }) { usleep(100) }
        }
    }

    let name = "threaded"
    private let mistake: Mistake?
    private let state = Monitor(State())

    init(_ mistake: Mistake? = nil) { self.mistake = mistake }

    deinit { for loop in state.withLock({ $0.threads }) { loop.end(waiting: false) } }

    static func deliver(_ consumer: any VideoFrameConsumer, slowly: Bool = false) {
        let pixels = try? PixelBuffer(format: .gray8, size: VideoSize(width: 8, height: 8)) { _ in }
        if let pixels { consumer.consume(VideoFrame(pixels)) }
    }

    private static func isOutOfOrder(_ what: String) -> StreamError { StreamError(.wrongOrder, "\(what): wrong order") }

    func initialize(consumer: any VideoFrameConsumer) throws(StreamError) {
        let isFirst = state.withLock { state in
            guard state.consumer == nil else { return false }
            state.consumer = consumer
            if mistake == .keepsItself { state.itself = self }
            return true
        }
        guard isFirst else { throw Self.isOutOfOrder("initialize") }
        if mistake == .deliversBeforeStart { Self.deliver(consumer) }
    }

    func start() throws(StreamError) {
        let mayStart = state.withLock { state in
            guard state.consumer != nil else { return false }
            guard !state.isRunning || mistake == .doubleStartMakesTwoThreads else { return false }
            state.isRunning = true
            state.starts += 1
            return true
        }
        guard mayStart else { throw Self.isOutOfOrder("start") }
        if mistake == .neverDelivers { return }
        if mistake == .cannotRestart, state.withLock({ $0.starts > 1 }) { return }
        let count = mistake == .twoThreads ? 2 : 1
        for _ in 0..<count {
            let loop = Loop()
            let consumer = state.withLock { state in
                if mistake == .doubleStartMakesTwoThreads { state.threads = [] }
                state.threads.append(loop)
                return state.consumer
            }
            guard let consumer else { return }
            // Holding the consumer is right until `dispose()`, which ends the loop.
            loop.run { Self.deliver(consumer) }
        }
    }

    func stop() {
        if mistake == .stopBlocks { while true { sleep(100) } }
        let loops = state.withLock { state in
            defer { if mistake != .deliversAfterDispose { state.threads = [] } }
            state.isRunning = false
            return state.threads
        }
        if mistake == .neverStops { return }
        for loop in loops { loop.end(waiting: mistake != .stopDoesNotWait) }
    }

    func dispose() {
        let consumer = state.withLock { state in
            defer { if mistake != .keepsConsumer { state.consumer = nil } }
            return state.consumer
        }
        guard mistake == .deliversAfterDispose, let consumer else { return }
        detach {
            usleep(150_000)
            Self.deliver(consumer)
        }
    }

    func adapt(to wants: VideoSinkWants) {
        let (consumer, isRunning) = state.withLock { ($0.consumer, $0.isRunning) }
        if mistake == .callsWithinAdapt, isRunning, let consumer { Self.deliver(consumer) }
    }
}

/// Runs `body` on another thread, for which nobody waits.
func detach(_ body: @escaping @Sendable () -> Void) { try? SystemThread(for: "the test", run: body).detach() }

/// A source that cannot be opened, and keeps the consumer or not.
final class BrokenSource: VideoSource {
    let name = "broken"
    private let keeps: Bool
    private let consumer = Monitor<(any VideoFrameConsumer)?>(nil)

    init(keeps: Bool) { self.keeps = keeps }

    func initialize(consumer: any VideoFrameConsumer) throws(StreamError) {
        if keeps { self.consumer.withLock { $0 = consumer } }
        throw StreamError(.cannotOpen, "There is no camera.")
    }

    func start() throws(StreamError) { throw StreamError(.wrongOrder, "It is not initialized.") }
    func stop() {}
    func dispose() { consumer.withLock { $0 = nil } }
}
