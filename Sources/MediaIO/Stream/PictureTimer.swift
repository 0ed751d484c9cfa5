/// Knows when the pictures of a live stream were captured, and decides when they are shown.
///
/// **Thread:** one at a time. **Cost:** every picture; allocates nothing.
final class PictureTimer {
    /// Reads the machine's clock.
    typealias Clock = () -> (sinceEpoch: Duration, at: MonotonicTime)

    private let meter: PlayoutMeter?
    private let machineClock: Clock
    private var playout: PlayoutClock?
    private let aligned: AlignedClock?
    private var captureClock: CaptureClock
    /// From the time of a picture to that of its capture, since 1970; `nil` if the sender does not say it.
    private var captureOffset: Duration?

    /// - Parameters:
    ///   - meter: what the delay may be, and where it is told; `nil` for none.
    ///   - machineClock: reads the machine's clock.
    init(_ meter: PlayoutMeter?, _ machineClock: @escaping Clock) {
        (self.meter, self.machineClock) = (meter, machineClock)
        aligned = meter?.alignment.map { AlignedClock($0) }
        captureClock = CaptureClock(longest: meter?.alignment?.longest ?? PlayoutAlignment.maximum)
        playout = meter.flatMap { $0.bounds == .none ? nil : PlayoutClock($0.bounds) }
    }

    /// How long pictures are held.
    var held: Duration { aligned?.held ?? playout?.held ?? .zero }

    /// Forgets everything, as before a new connection.
    func reset() {
        playout?.reset()
        aligned?.reset()
        captureClock.reset()
        captureOffset = nil
        meter?.delay = .zero
        meter?.report = CaptureReport()
    }

    /// Notes when the sender says that a packet was captured.
    func noteCapture(of packet: EncodedPacket, time: Duration?) {
        guard let shown = time ?? packet.timing.presentation else { return }
        captureOffset = packet.timing.capture.map { $0 - shown }
    }

    /// Notes a picture, and what is known of its times.
    ///
    /// - Parameters:
    ///   - frame: the picture; gets its ``VideoFrame/timing``.
    ///   - arrival: when it, or the packet that it was decoded from, arrived.
    ///   - ready: when it was there, whatever the receiver waited for.
    /// - Returns: when it is shown, which may have passed; `nil` for at once.
    func place(_ frame: inout VideoFrame, arrival: MonotonicTime, ready: MonotonicTime) -> MonotonicTime? {
        frame.timing.arrival = frame.timing.arrival ?? arrival
        let time = frame.presentationTime
        let stated = frame.timing.capture ?? time.flatMap(stated)
        let capture = stated.flatMap { captureClock.note($0, arrival: arrival) }
        if stated != nil { meter?.report = captureClock.report }
        frame.timing.capture = capture
        guard let time, let meter else { return nil }
        let due: MonotonicTime?
        if let aligned {
            due = aligned.due(time, arrival: ready, capture: capture)
        } else {
            // Whether the two clocks fit is its own decision.
            due = playout?.due(time, arrival: ready, capture: meter.bounds.isSinceCapture ? stated : nil)
        }
        meter.delay = held
        return due
    }

    /// When a picture was captured by the sender's clock.
    private func stated(_ time: Duration) -> MonotonicTime? {
        guard let captureOffset else { return nil }
        let (sinceEpoch, moment) = machineClock()
        return moment + (time + captureOffset - sinceEpoch)
    }
}
