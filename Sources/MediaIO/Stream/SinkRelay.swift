/// Passes the frames of one source to the sinks of its stream, while it is open.
///
/// Each source of a stream has its own relay, so that a late frame of a replaced source reaches no sink.
///
/// **Thread:** any. **Cost:** every frame; one short lock, no allocation.
final class SinkRelay: VideoFrameConsumer {
    let gate: DeliveryGate<[any VideoSink]>

    init(_ sinks: [any VideoSink]) { gate = DeliveryGate(sinks) }

    func consume(_ frame: VideoFrame) { _ = pass(frame) }

    /// Passes a frame on, and returns whether it was.
    func pass(_ frame: VideoFrame) -> GatePassage {
        // By index: without optimisation, an array's iterator allocates.
        gate.pass { sinks in for index in sinks.indices { sinks[index].consume(frame) } }
    }

    func sourceDidOmit(_ count: Int) {
        _ = gate.pass { sinks in for index in sinks.indices { sinks[index].sourceDidOmit(count) } }
    }

    func sourceDidChange(_ condition: SourceCondition) { _ = pass(condition) }

    /// Passes a condition on, and returns whether it was.
    func pass(_ condition: SourceCondition) -> GatePassage {
        gate.pass { sinks in for sink in sinks { sink.sourceDidChange(condition) } }
    }

    /// Replaces the sinks, from the next frame on.
    func setSinks(_ sinks: [any VideoSink]) { gate.setTarget { $0 = sinks } }

    /// Removes one of the sinks, from the next frame on.
    func remove(_ sink: any VideoSink) { setSinks(gate.target.filter { $0 !== sink }) }
}
