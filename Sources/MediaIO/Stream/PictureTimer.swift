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

    /// A packet that a decoder got.
    private struct Received {
        /// The time of its picture.
        var time: Duration
        var arrival: MonotonicTime
        /// When the decoder got it, less what pictures had waited until then.
        var begin: MonotonicTime
    }

    /// More than decoders keep back.
    private static let mostReceived = 64
    private var received: [Received] = []
    /// The oldest of them, once there are so many.
    private var oldest = 0
    /// How long all pictures so far have waited until they were due.
    private var waited = Duration.zero

    /// - Parameters:
    ///   - meter: what the delay may be, and where it is told; `nil` for none.
    ///   - machineClock: reads the machine's clock.
    init(_ meter: PlayoutMeter?, _ machineClock: @escaping Clock) {
        (self.meter, self.machineClock) = (meter, machineClock)
        received.reserveCapacity(Self.mostReceived)
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
        received.removeAll(keepingCapacity: true)
        oldest = 0
        meter?.delay = .zero
        meter?.report = CaptureReport()
    }

    /// Notes a packet that is decoded now.
    ///
    /// - Parameters:
    ///   - packet: the packet.
    ///   - time: the time of its picture, if that is not its own.
    ///   - arrival: when it arrived.
    ///   - now: the time.
    func note(_ packet: EncodedPacket, time: Duration?, arrival: MonotonicTime, now: MonotonicTime) {
        guard let shown = time ?? packet.timing.presentation else { return }
        captureOffset = packet.timing.capture.map { $0 - shown }
        let new = Received(time: shown, arrival: arrival, begin: now - waited)
        if received.count < Self.mostReceived {
            received.append(new)
        } else {
            received[oldest] = new
            oldest = (oldest + 1) % Self.mostReceived
        }
    }

    /// Notes that a picture was decoded just now; decoders may get other packets before.
    func noteDecoded(_ frame: inout VideoFrame, now: MonotonicTime) {
        guard let time = frame.presentationTime else { return }
        var newest: Received?
        for packet in received where packet.time == time && packet.begin >= newest?.begin ?? packet.begin {
            newest = packet
        }
        guard let newest else { return }
        frame.timing.arrival = newest.arrival
        frame.timing.decoding = max(now - waited - newest.begin, .zero)
    }

    /// Notes that a picture has waited until it was due.
    func noteWait(_ time: Duration) { waited += time }

    /// Notes a picture, and what is known of its times.
    ///
    /// - Parameters:
    ///   - frame: the picture; gets its ``VideoFrame/timing``.
    ///   - arrival: when it, or the packet with which it was decoded, arrived.
    ///   - ready: when it was there, whatever the receiver waited for.
    ///   - now: the time.
    /// - Returns: when it is shown, which may have passed; `nil` for at once.
    func place(
        _ frame: inout VideoFrame, arrival: MonotonicTime, ready: MonotonicTime, now: MonotonicTime
    ) -> MonotonicTime? {
        let arrival = frame.timing.arrival ?? arrival
        frame.timing.arrival = arrival
        let time = frame.presentationTime
        let stated = frame.timing.capture ?? time.flatMap(stated)
        let capture = stated.flatMap { captureClock.note($0, arrival: arrival) }
        if stated != nil { meter?.report = captureClock.report }
        frame.timing.capture = capture
        guard let time, let meter else { return nil }
        let due: MonotonicTime?
        if let aligned {
            due = aligned.due(time, arrival: ready, capture: capture, now: now)
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
