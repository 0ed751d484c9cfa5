/// Hands what one source delivers to the sinks of its stream, while it is open.
///
/// Each source of a stream has a relay of its own, so that a late frame of one that was replaced reaches nobody.
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

    /// From the next frame on, these are the sinks.
    func setSinks(_ new: [any VideoSink]) {
        // The old list leaves the lock with us: releasing a sink must not happen inside.
        let old = sinks.withLock { sinks in
            defer { sinks = new }
            return sinks
        }
        _ = old
    }

    /// Takes one of the sinks out, from the next frame on.
    func remove(_ sink: any VideoSink) {
        setSinks(sinks.withLock { $0 }.filter { $0 !== sink })
    }
}
