internal import Glibc
public import MediaIO

/// Drives a sink through legal, illegal and racing orders, and reports the first call or step that breaks the contract
/// of ``VideoSink``.
///
///     try SinkConformance { MyRenderer() }.check()
///
/// The sink gets small frames of its own formats, in changing sizes, with rotations, mirrors and crops.
///
/// It finds only what happens while it runs, so run it under the thread sanitizer, too. A crash ends the program.
///
/// **Thread:** any; the sink is driven from several. **Cost:** some seconds.
public struct SinkConformance: Sendable {
    private let make: @Sendable () -> any VideoSink
    private let makeBroken: (@Sendable () -> any VideoSink)?
    private let makeFrame: (@Sendable (Int) -> VideoFrame?)?
    /// The seed of the random orders; the same seed tries the same orders.
    public var seed: UInt64 = 1
    /// How many random orders are tried.
    public var rounds = 20
    /// How long a step or a call may take.
    public var patience = Duration.seconds(1)

    /// Prepares the check of a sink.
    ///
    /// - Parameters:
    ///   - make: makes the sink; called many times.
    ///   - broken: makes a sink whose `initialize` throws; `nil` to leave that out.
    ///   - frame: makes the frame with a number, from 0, for sinks that ask for textures or DMA-BUFs; by default frames
    ///     are planes in memory.
    public init(
        _ make: @escaping @Sendable () -> any VideoSink, broken: (@Sendable () -> any VideoSink)? = nil,
        frame: (@Sendable (Int) -> VideoFrame?)? = nil
    ) {
        (self.make, self.makeBroken, self.makeFrame) = (make, broken, frame)
    }

    /// Tries everything.
    ///
    /// - Throws: the first violation.
    public func check() throws(ConformanceViolation) {
        var scenarios = [
            Scenario(name: "a life with frames", body: life),
            Scenario(name: "start, stop, start", body: restarts),
            Scenario(name: "steps out of order", body: wrongOrders),
            Scenario(name: "frames out of order", body: wrongFrames),
        ]
        if makeBroken != nil { scenarios.append(Scenario(name: "initialize throws", body: throwingInitialize)) }
        for scenario in scenarios { try scenario.run(seed: seed, patience: patience) }
        for round in 0..<UInt64(rounds) {
            let order = Scenario(name: "random steps while frames arrive") { race(seed + round, $0) }
            try order.run(seed: seed + round, patience: patience)
        }
    }

    // MARK: Steps

    /// Makes a sink, which `body` uses and disposes of; afterwards neither the sink nor a frame may be retained.
    private func use(_ trace: Trace, _ body: (any VideoSink, FrameCount) -> Void) {
        weak var forgotten: (any VideoSink)?
        let frames = FrameCount()
        scoped {
            let sink = make()
            forgotten = sink
            let (demand, kind, formats) = (sink.demand, sink.bufferKind, sink.pixelFormats)
            body(sink, frames)
            if sink.demand !== demand || sink.bufferKind != kind || sink.pixelFormats != formats {
                trace.violate(.demandChanges, "demand, bufferKind and pixelFormats must always be the same.")
            }
            guard trace.violation == nil else { return }
            // A renderer may still be drawing the last frame.
            if !wait(patience, { frames.living == 0 }) {
                trace.violate(.framesKept, "\(frames.living) frames were still retained after dispose().")
            }
        }
        guard trace.violation == nil, !wait(patience, { forgotten == nil }) else { return }
        trace.violate(.objectRetained, "The sink was still retained after dispose(), by itself or its threads.")
    }

    private func take(_ step: String, _ trace: Trace, mustThrow: Bool = false, _ body: () throws -> Void) {
        guard trace.violation == nil else { return }
        trace.note(step)
        timed(step, trace, patience) {
            do {
                try body()
                if mustThrow {
                    trace.violate(.failureMissing, "\(step) of the sink that `broken` made did not throw.")
                }
            } catch {
                guard mustThrow else { return trace.violate(.legalStepThrows, "\(step) threw: \(error)") }
                trace.note("it threw: \(error)")
            }
        }
    }

    /// Takes a step that is not legal: it may throw.
    private func attempt(_ step: String, _ trace: Trace, _ body: () throws -> Void) {
        guard trace.violation == nil else { return }
        trace.note("\(step), out of order")
        timed(step, trace, patience) {
            do { try body() } catch { trace.note("it threw: \(error)") }
        }
    }

    private func deliver(_ number: Int, to sink: any VideoSink, _ frames: FrameCount, _ trace: Trace) {
        guard trace.violation == nil, let frame = frame(number, for: sink, frames) else { return }
        trace.note("consume(a frame of \(frame.image.size))")
        timed("consume(_:)", trace, patience) { sink.consume(frame) }
    }

    /// A frame in a format that the sink asks for, which differs from the one before it.
    private func frame(_ number: Int, for sink: any VideoSink, _ frames: FrameCount) -> VideoFrame? {
        if let makeFrame { return makeFrame(number) }
        let formats = sink.pixelFormats.isEmpty ? [.i420, .nv12, .bgra32, .i422] : sink.pixelFormats
        let size = VideoSize(width: [64, 37, 1, 90][number % 4], height: [36, 23, 1, 51][number / 2 % 4])
        let attributes = FrameAttributes(
            rotation: VideoRotation.allCases[number % 4], mirror: VideoMirror.allCases[number / 4 % 4],
            crop: number % 3 == 0 ? Rectangle(x: 0, y: 0, width: 1, height: 1) : nil)
        return frames.makeFrame(formats[number % formats.count], size, attributes, .milliseconds(40 * number))
    }

    private func dispose(_ sink: any VideoSink, _ trace: Trace) { take("dispose()", trace) { sink.dispose() } }

    // MARK: Scenarios

    @Sendable private func life(_ trace: Trace) {
        use(trace) { sink, frames in
            take("initialize()", trace) { try sink.initialize() }
            take("start()", trace) { try sink.start() }
            let conditions: [SourceCondition] = [.waiting("the kit"), .live, .failed("the kit"), .ended]
            for number in 0..<32 {
                deliver(number, to: sink, frames, trace)
                if number % 5 == 0 { take("sourceDidOmit(2)", trace) { sink.sourceDidOmit(2) } }
                if number % 7 == 0 { take("sourceDidSwitch()", trace) { sink.sourceDidSwitch() } }
                let condition = conditions[number % 4]
                take("sourceDidChange(\(condition))", trace) { sink.sourceDidChange(condition) }
            }
            take("stop()", trace) { sink.stop() }
            dispose(sink, trace)
        }
    }

    @Sendable private func restarts(_ trace: Trace) {
        use(trace) { sink, frames in
            take("initialize()", trace) { try sink.initialize() }
            for number in 0..<5 {
                take("start()", trace) { try sink.start() }
                deliver(number, to: sink, frames, trace)
                take("stop()", trace) { sink.stop() }
            }
            dispose(sink, trace)
        }
        use(trace) { sink, _ in
            take("initialize()", trace) { try sink.initialize() }
            dispose(sink, trace)
        }
    }

    @Sendable private func wrongOrders(_ trace: Trace) {
        use(trace) { sink, frames in
            attempt("start()", trace) { try sink.start() }
            attempt("stop()", trace) { sink.stop() }
            take("initialize()", trace) { try sink.initialize() }
            attempt("stop()", trace) { sink.stop() }
            take("start()", trace) { try sink.start() }
            attempt("start()", trace) { try sink.start() }
            deliver(1, to: sink, frames, trace)
            take("stop()", trace) { sink.stop() }
            attempt("stop()", trace) { sink.stop() }
            dispose(sink, trace)
            attempt("stop()", trace) { sink.stop() }
            attempt("dispose()", trace) { sink.dispose() }
        }
        use(trace) { sink, _ in dispose(sink, trace) }
    }

    @Sendable private func wrongFrames(_ trace: Trace) {
        use(trace) { sink, frames in
            deliver(0, to: sink, frames, trace)
            take("initialize()", trace) { try sink.initialize() }
            deliver(1, to: sink, frames, trace)
            take("start()", trace) { try sink.start() }
            take("stop()", trace) { sink.stop() }
            deliver(2, to: sink, frames, trace)
            dispose(sink, trace)
        }
    }

    @Sendable private func throwingInitialize(_ trace: Trace) {
        guard let makeBroken else { return }
        let sink = makeBroken()
        for _ in 0..<2 { take("initialize()", trace, mustThrow: true) { try sink.initialize() } }
        guard trace.violation == nil else { return sink.dispose() }
        dispose(sink, trace)
    }

    /// Two threads push into a stream, while a third one starts and stops it and adds and removes the sink.
    private func race(_ seed: UInt64, _ trace: Trace) {
        use(trace) { sink, frames in
            let source = Monitor(PushSource(name: "the kit"))
            let stream = VideoStream(source: source.withLock { $0 }, sinks: [sink])
            take("initialize() of the stream", trace) { try stream.initialize() }
            let isDone = Monitor(false)
            let pushers = (0..<2).compactMap { index in
                try? SystemThread(for: "the kit") {
                    var number = index
                    while !isDone.withLock({ $0 }) {
                        if let frame = self.frame(number, for: sink, frames) {
                            source.withLock { $0 }.push(frame)
                        }
                        number += 2
                        usleep(100)
                    }
                }
            }
            var random = RandomNumbers(seed: seed)
            for _ in 0..<12 {
                switch Int.random(in: 0..<4, using: &random) {
                case 0, 1: if stream.state != .started { take("start()", trace) { try stream.start() } }
                case 2: take("stop()", trace) { stream.stop() }
                default:
                    let next = PushSource(name: "the kit")
                    take("setSource()", trace) { try stream.setSource(next) }
                    source.withLock { $0 = next }
                }
                usleep(UInt32.random(in: 0..<1500, using: &random))
            }
            take("dispose()", trace) { stream.dispose() }
            isDone.withLock { $0 = true }
            for thread in pushers { thread.join() }
        }
    }
}

/// Makes frames, and counts those that are still retained.
final class FrameCount: Sendable {
    private let count = Monitor(0)

    var living: Int { count.withLock { $0 } }

    func makeFrame(
        _ format: PixelFormat, _ size: VideoSize, _ attributes: FrameAttributes, _ time: Duration
    ) -> VideoFrame? {
        guard let layout = try? RawFrameLayout(format, size: size) else { return nil }
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: layout.byteCount, alignment: 64)
        bytes.initializeMemory(as: UInt8.self, repeating: 128)
        count.withLock { $0 += 1 }
        let count = count
        return try? VideoFrame(
            lending: UnsafeRawBufferPointer(bytes), layout, attributes: attributes, presentationTime: time
        ) {
            bytes.deallocate()
            count.withLock { $0 -= 1 }
        }
    }
}
