internal import Glibc
public import MediaIO

/// Drives a source through legal, illegal and racing orders, and reports the first call or step that breaks the
/// contract of ``VideoSource``.
///
///     try SourceConformance { DoorCamera() }.check()
///
/// For a source that frames are pushed into, say how:
///
///     try SourceConformance { DoorCamera() } deliver: { source in (source as? DoorCamera)?.push(frame) }.check()
///
/// It finds only what happens while it runs, so run it under the thread sanitizer, too. A crash ends the program.
///
/// **Thread:** any; the source is driven from several. **Cost:** some seconds.
public struct SourceConformance: Sendable {
    private let make: @Sendable () -> any VideoSource
    private let deliver: (@Sendable (any VideoSource) -> Void)?
    private let makeBroken: (@Sendable () -> any VideoSource)?
    /// The seed of the random orders; the same seed tries the same orders.
    public var seed: UInt64 = 1
    /// How many random orders are tried.
    public var rounds = 20
    /// How long a step may take, and the first frame after a start.
    public var patience = Duration.seconds(10)
    /// How long a stopped source is watched.
    public var quiet = Duration.milliseconds(30)

    /// Prepares the check of a source.
    ///
    /// - Parameters:
    ///   - make: makes the source; called many times.
    ///   - broken: makes a source whose `initialize` throws; `nil` to leave that out.
    ///   - deliver: makes the source deliver a frame; two threads call it all the time. `nil` for a source that
    ///     delivers by itself.
    public init(
        _ make: @escaping @Sendable () -> any VideoSource, broken: (@Sendable () -> any VideoSource)? = nil,
        deliver: (@Sendable (any VideoSource) -> Void)? = nil
    ) {
        (self.make, self.makeBroken, self.deliver) = (make, broken, deliver)
    }

    /// Tries everything.
    ///
    /// - Throws: the first violation.
    public func check() throws(ConformanceViolation) {
        var scenarios = [
            Scenario(name: "start, stop, start", body: restarts),
            Scenario(name: "steps out of order", body: wrongOrders),
            Scenario(name: "a consumer that calls its source", body: reentrantConsumer),
            Scenario(name: "wants", body: wants),
            Scenario(name: "a sink that stops its stream", body: stopWithinSink),
            Scenario(name: "a sink that disposes of its stream", body: disposeWithinSink),
        ]
        if makeBroken != nil { scenarios.append(Scenario(name: "initialize throws", body: throwingInitialize)) }
        for scenario in scenarios { try scenario.run(seed: seed, patience: patience) }
        for round in 0..<UInt64(rounds) {
            let order = Scenario(name: "random steps of three threads") { race(seed + round, $0) }
            try order.run(seed: seed + round, patience: patience)
        }
    }

    // MARK: Steps

    /// Makes a source, its consumer, and threads that make it deliver, for `body`; afterwards nothing may be retained.
    private func use(
        _ trace: Trace, onFrame: @escaping @Sendable (WatchedConsumer, any VideoSource, Int) -> Void = { _, _, _ in },
        _ body: (any VideoSource, WatchedConsumer) -> Void
    ) {
        weak var forgottenConsumer: WatchedConsumer?
        weak var forgottenSource: (any VideoSource)?
        scoped {
            let source = make()
            forgottenSource = source
            let pushers = Pushers(source, deliver)
            scoped {
                let consumer = WatchedConsumer(trace) { [weak source] consumer, count in
                    if let source { onFrame(consumer, source, count) }
                    // If calls returned at once, a source that does not wait for them would go unnoticed.
                    usleep(1000)
                }
                forgottenConsumer = consumer
                body(source, consumer)
            }
            pushers.end()
            // A thread of the source may still be ending.
            if trace.violation == nil, !wait(patience, { forgottenConsumer == nil }) {
                trace.violate(.consumerRetained, "The consumer was still retained after dispose().")
            }
        }
        if trace.violation == nil, !wait(patience, { forgottenSource == nil }) {
            trace.violate(.objectRetained, "The source was still retained after dispose(), by itself or its threads.")
        }
    }

    private func take(_ step: String, _ trace: Trace, mustThrow: Bool = false, _ body: () throws -> Void) {
        guard trace.violation == nil else { return }
        trace.note("\(step)()")
        timed("\(step)()", trace, patience) {
            do {
                try body()
                if mustThrow {
                    trace.violate(.failureMissing, "\(step)() of the source that `broken` made did not throw.")
                }
            } catch {
                guard mustThrow else { return trace.violate(.legalStepThrows, "\(step)() threw: \(error)") }
                trace.note("it threw: \(error)")
            }
        }
    }

    /// Takes a step that is not legal: it may throw.
    private func attempt(_ step: String, _ trace: Trace, _ body: () throws -> Void) {
        guard trace.violation == nil else { return }
        trace.note("\(step)(), out of order")
        timed("\(step)()", trace, patience) {
            do { try body() } catch { trace.note("it threw: \(error)") }
        }
    }

    private func start(_ source: any VideoSource, _ consumer: WatchedConsumer, _ trace: Trace) {
        consumer.enter(.started)
        take("start", trace) { try source.start() }
    }

    private func stop(_ source: any VideoSource, _ consumer: WatchedConsumer, _ trace: Trace) {
        take("stop", trace) { source.stop() }
        consumer.enter(.stopped)
        usleep(quiet.microseconds)
    }

    private func dispose(_ source: any VideoSource, _ consumer: WatchedConsumer, _ trace: Trace) {
        take("dispose", trace) { source.dispose() }
        consumer.enter(.disposed)
        usleep(quiet.microseconds)
    }

    /// Waits for a frame after the first `count` ones.
    private func awaitFrame(after count: Int, _ consumer: WatchedConsumer, _ trace: Trace) {
        guard trace.violation == nil, !wait(patience, { consumer.hasMore(than: count) }) else { return }
        trace.violate(.noFrame, "No frame and no end came in \(patience).")
    }

    // MARK: Scenarios

    @Sendable private func restarts(_ trace: Trace) {
        use(trace) { source, consumer in
            take("initialize", trace) { try source.initialize(consumer: consumer) }
            usleep(quiet.microseconds)
            for _ in 0..<3 {
                let count = consumer.frameCount
                start(source, consumer, trace)
                awaitFrame(after: count, consumer, trace)
                stop(source, consumer, trace)
            }
            // The same without waiting for frames.
            for _ in 0..<10 {
                start(source, consumer, trace)
                take("stop", trace) { source.stop() }
                consumer.enter(.stopped)
            }
            dispose(source, consumer, trace)
        }
    }

    @Sendable private func wrongOrders(_ trace: Trace) {
        use(trace) { source, consumer in
            attempt("start", trace) { try source.start() }
            attempt("stop", trace) { source.stop() }
            usleep(quiet.microseconds)
            take("initialize", trace) { try source.initialize(consumer: consumer) }
            attempt("initialize", trace) { try source.initialize(consumer: consumer) }
            attempt("stop", trace) { source.stop() }
            usleep(quiet.microseconds)
            start(source, consumer, trace)
            attempt("start", trace) { try source.start() }
            attempt("initialize", trace) { try source.initialize(consumer: consumer) }
            awaitFrame(after: 0, consumer, trace)
            // A second start changes nothing, so one stop is enough.
            stop(source, consumer, trace)
            attempt("stop", trace) { source.stop() }
            dispose(source, consumer, trace)
            attempt("dispose", trace) { source.dispose() }
            attempt("stop", trace) { source.stop() }
            attempt("start", trace) { try source.start() }
            usleep(quiet.microseconds)
            attempt("stop", trace) { source.stop() }
            attempt("dispose", trace) { source.dispose() }
        }
        use(trace) { source, consumer in
            dispose(source, consumer, trace)
        }
    }

    @Sendable private func reentrantConsumer(_ trace: Trace) {
        let deliver = deliver
        use(trace) { consumer, source, count in
            guard count < 5 else { return }
            consumer.note(adapting: UInt(pthread_self()))
            source.adapt(to: VideoSinkWants(maximumPixels: 1 + count * 1000))
            consumer.note(adapting: nil)
            deliver?(source)
        } _: { source, consumer in
            take("initialize", trace) { try source.initialize(consumer: consumer) }
            start(source, consumer, trace)
            awaitFrame(after: 2, consumer, trace)
            stop(source, consumer, trace)
            dispose(source, consumer, trace)
        }
    }

    @Sendable private func wants(_ trace: Trace) {
        use(trace) { source, consumer in
            func adapt(_ wants: VideoSinkWants, _ name: String) {
                trace.note("adapt(to: \(name))")
                consumer.note(adapting: UInt(pthread_self()))
                timed("adapt(to:)", trace, patience) { source.adapt(to: wants) }
                consumer.note(adapting: nil)
            }
            take("initialize", trace) { try source.initialize(consumer: consumer) }
            adapt(.nothing, "nothing")
            start(source, consumer, trace)
            adapt(.everything, "everything")
            awaitFrame(after: 0, consumer, trace)
            adapt(VideoSinkWants(maximumPixels: 1, maximumFrameRate: Rational(1, 2)), "one pixel, every two seconds")
            adapt(.nothing, "nothing")
            adapt(.everything, "everything")
            awaitFrame(after: consumer.frameCount, consumer, trace)
            stop(source, consumer, trace)
            adapt(.nothing, "nothing")
            adapt(.everything, "everything")
            dispose(source, consumer, trace)
            adapt(.everything, "everything")
            usleep(quiet.microseconds)
        }
    }

    @Sendable private func stopWithinSink(_ trace: Trace) {
        withinSink(trace, "stop", .initialized) { $0.stop() }
    }

    @Sendable private func disposeWithinSink(_ trace: Trace) {
        withinSink(trace, "dispose", .disposed) { $0.dispose() }
    }

    private func withinSink(
        _ trace: Trace, _ step: String, _ state: StreamLifecycle.State,
        _ end: @escaping @Sendable (VideoStream) -> Void
    ) {
        weak var forgotten: (any VideoSource)?
        scoped {
            let source = make()
            forgotten = source
            let target = Monitor<VideoStream?>(nil)
            let sink = WatchedConsumer(trace, isSink: true) { _, count in
                guard count == 1, let stream = target.withLock({ $0 }) else { return }
                trace.note("\(step)() of the stream, from within the sink")
                end(stream)
            }
            let stream = VideoStream(source: source, sinks: [sink])
            target.withLock { $0 = stream }
            let pushers = Pushers(source, deliver)
            take("initialize", trace) { try stream.initialize() }
            take("start", trace) { try stream.start() }
            awaitFrame(after: 0, sink, trace)
            if !wait(patience, { stream.state == state }) {
                trace.violate(.doesNotReturn, "\(step)() from within a sink was not completed in \(patience).")
            }
            if state == .initialized {
                let count = sink.frameCount
                take("start", trace) { try stream.start() }
                awaitFrame(after: count, sink, trace)
            }
            take("dispose", trace) { stream.dispose() }
            target.withLock { $0 = nil }
            pushers.end()
        }
        guard trace.violation == nil, !wait(patience, { forgotten == nil }) else { return }
        trace.violate(.objectRetained, "The source was still retained after dispose(), by itself or its threads.")
    }

    @Sendable private func throwingInitialize(_ trace: Trace) {
        guard let makeBroken else { return }
        weak var forgotten: WatchedConsumer?
        let source = makeBroken()
        scoped {
            let consumer = WatchedConsumer(trace)
            forgotten = consumer
            for _ in 0..<2 {
                take("initialize", trace, mustThrow: true) { try source.initialize(consumer: consumer) }
            }
        }
        guard trace.violation == nil else { return source.dispose() }
        usleep(quiet.microseconds)
        if forgotten != nil {
            trace.violate(.consumerRetained, "The consumer was still retained after initialize() had thrown.")
        }
        attempt("start", trace) { try source.start() }
        take("stop", trace) { source.stop() }
        take("dispose", trace) { source.dispose() }
    }

    /// Three threads take random steps of one stream, whose source is replaced, too.
    private func race(_ seed: UInt64, _ trace: Trace) {
        let sink = WatchedConsumer(trace, isSink: true)
        let stream = VideoStream(source: make(), sinks: [sink])
        let deliver = deliver
        take("initialize", trace) { try stream.initialize() }
        let threads = (0..<UInt64(3)).compactMap { index in
            try? SystemThread(for: "the kit") { [make] in
                trace.nameThread("thread \(index + 1)")
                var random = RandomNumbers(seed: seed &* 31 &+ index)
                for _ in 0..<12 {
                    let choice = Int.random(in: 0..<6, using: &random)
                    trace.note(["start()", "start()", "stop()", "setSource()", "adapt()", "a frame is made"][choice])
                    switch choice {
                    // The stream refuses steps that are out of order.
                    case 0, 1: try? stream.start()
                    case 2: stream.stop()
                    case 3: try? stream.setSource(make())
                    case 4:
                        stream.source.adapt(to: VideoSinkWants(maximumPixels: Int.random(in: 1...999, using: &random)))
                    default: deliver?(stream.source)
                    }
                    usleep(UInt32.random(in: 0..<600, using: &random))
                }
            }
        }
        timed("what three threads do", trace, patience) { for thread in threads { thread.join() } }
        take("dispose", trace) { stream.dispose() }
        usleep(quiet.microseconds)
    }
}
