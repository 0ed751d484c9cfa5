/// Passes the frames of one source to the sinks of its stream, while it is open.
///
/// Each source of a stream has its own relay, so that a late frame of a replaced source reaches no sink.
///
/// **Thread:** any. **Cost:** every frame; three short locks, no allocation.
final class SinkRelay: VideoFrameConsumer {
    let gate = DeliveryGate()
    private let sinks: Monitor<[any VideoSink]>

    init(_ sinks: [any VideoSink]) { self.sinks = Monitor(sinks) }

    func consume(_ frame: VideoFrame) {
        _ = gate.pass { for sink in sinks.withLock({ $0 }) { sink.consume(frame) } }
    }

    func sourceDidChange(_ condition: SourceCondition) {
        _ = gate.pass { for sink in sinks.withLock({ $0 }) { sink.sourceDidChange(condition) } }
    }

    /// Replaces the sinks, from the next frame on.
    func setSinks(_ new: [any VideoSink]) {
        // The old list is released outside the lock, since releasing a sink inside is not allowed.
        let old = sinks.withLock { sinks in
            defer { sinks = new }
            return sinks
        }
        _ = old
    }

    /// Removes a sink, from the next frame on.
    func remove(_ sink: any VideoSink) {
        setSinks(sinks.withLock { $0 }.filter { $0 !== sink })
    }
}
