internal import Synchronization

/// Where the packets of a live source go: to the thread that decodes them, and to the sinks of packets.
///
/// **Thread:** the one that receives; the pictures are delivered on another.
final class LivePackets: Sendable {
    /// The most bytes of pictures that wait until they are shown with those of other streams.
    private static let mostPictureBytes = 128 << 20

    private struct Decoding {
        let queue: PacketQueue
        let thread: SystemThread
    }

    private let name: String
    private let makeDecoder: PacketDecoderMaker?
    private let demand: ReadingDemand
    private let delivery: LiveDelivery
    private let outlet: PacketOutlet
    private let playout: PlayoutMeter
    private let decoding = Monitor<Decoding?>(nil)
    private let failure = Failure()
    /// What was received of the video that is shown.
    let counter = PacketCounter()

    init(
        _ name: String, _ makeDecoder: PacketDecoderMaker?, _ demand: ReadingDemand, _ delivery: LiveDelivery,
        _ outlet: PacketOutlet, _ playout: PlayoutMeter
    ) {
        (self.name, self.makeDecoder, self.demand) = (name, makeDecoder, demand)
        (self.delivery, self.outlet, self.playout) = (delivery, outlet, playout)
    }

    /// Passes on a packet that came as a frame, as those of cameras do.
    ///
    /// - Parameters:
    ///   - packet: the packet.
    ///   - frame: the frame that it came as.
    ///   - queue: what ``begin()`` has returned for the connection.
    /// - Throws: ``StreamError/Code/unsupported`` if the stream can never be decoded.
    func pass(_ packet: EncodedPacket, _ frame: VideoFrame, to queue: PacketQueue) throws(StreamError) {
        counter.note(packet)
        outlet.distribute(packet, as: frame)
        queue.append(frame)
        if let failure = failure.error { throw failure }
    }

    /// Passes on the packets of a connection, until it ends: those of the video that is shown, and what sinks want.
    ///
    /// - Throws: what the reader throws; ``StreamError/Code/unsupported`` if the stream can never be decoded,
    ///   ``StreamError/Code/readFailed`` if it cannot be any more; ``StreamError/Code/cannotOpen`` if no thread can be started.
    func receive(_ reader: any PacketReader) throws(StreamError) {
        let queue = try begin()
        let gate = delivery.gate
        var (changes, trackCount, shown) = (0, 0, -1)
        while true {
            if outlet.hasChanged(since: &changes) || reader.tracks.count != trackCount || reader.shown.id != shown {
                (trackCount, shown) = (reader.tracks.count, reader.shown.id)
                reader.select(Set(reader.tracks.filter(outlet.wants).map(\.id) + [shown]))
            }
            guard let packet = try reader.next() else { break }
            outlet.distribute(packet)
            if packet.track.id == reader.shown.id {
                counter.note(packet)
                queue.append(packet)
            }
            if gate.hasEnded { return }
            if let failure = failure.error { throw failure }
        }
        // Of a stream that ends at once, it says more than the end.
        if let failure = failure.error { throw failure }
    }

    /// Tells the consumer and the sinks of packets of a condition, after the packets so far.
    func report(_ condition: SourceCondition) {
        outlet.distribute(condition)
        if let queue = decoding.withLock({ $0?.queue }) { queue.append(condition) } else { delivery.report(condition) }
    }

    /// Tells why no frames come, once for each reason, and those who could not hear it before.
    func explain(_ error: StreamError) {
        let condition = SourceCondition.waiting(error.description, code: error.code)
        if delivery.lastCondition == condition { delivery.tellRest() } else { report(condition) }
    }

    /// Ends the thread that decodes.
    func end() {
        let decoding = decoding.withLock { decoding in
            defer { decoding = nil }
            return decoding
        }
        decoding?.queue.end()
        // The consumer may have the last reference to its source.
        decoding?.thread.finish()
    }

    /// Begins a connection, whose packets do not continue those before.
    ///
    /// - Returns: the queue of the thread that decodes, which is started if need be.
    /// - Throws: ``StreamError/Code/unsupported`` without a decoder; ``StreamError/Code/cannotOpen`` if no thread can be
    ///   started.
    func begin() throws(StreamError) -> PacketQueue {
        failure.error = nil
        outlet.beginConnection()
        return try beginQueue()
    }

    /// Whether pictures that are not encoded are shown with those of other streams, too.
    var isAligned: Bool { playout.alignment != nil }

    /// How many pictures like this one fit into memory in a second, while they wait for other streams; `nil` for any.
    func fittingRate(of frame: VideoFrame) -> Rational? {
        guard let alignment = playout.alignment else { return nil }
        let bytes = Double(max(PacketQueue.byteCount(frame), 1))
        let wait = alignment.delay / .seconds(1)
        return wait > 0 ? Rational(closeTo: Double(Self.mostPictureBytes) / bytes / wait) : nil
    }

    /// Begins a connection of pictures that are not encoded.
    func beginPictures() throws(StreamError) -> PacketQueue { try beginQueue() }

    private func beginQueue() throws(StreamError) -> PacketQueue {
        if let queue = decoding.withLock({ $0?.queue }) {
            queue.appendReset()
            return queue
        }
        let name = name
        @Sendable func refuse(_: EncodedPacket) throws(StreamError) -> any PacketDecoder {
            throw StreamError(.unsupported, "\(name) delivers packets, and has no decoder: make the source with one.")
        }
        let makeDecoder = makeDecoder ?? refuse
        // The longest playout delay at 120 pictures a second.
        let longest = playout.alignment?.longest ?? PlayoutDelay.maximum
        var limits = PacketQueueLimits(
            count: Int(300 * (longest / PlayoutDelay.maximum)), duration: .seconds(2) + longest)
        if isAligned { limits.byteCount = 2 * Self.mostPictureBytes }
        let queue = PacketQueue(limits)
        let thread = try SystemThread(for: name, niceness: SourceLife.captureNiceness) {
            [name, demand, delivery, failure, playout] in
            let output = DecodingLoop.Output(
                consume: { delivery.hand($0) }, omit: { delivery.omit($0) },
                change: { condition in
                    // That pictures come again is told with the first of them.
                    if condition != .live { delivery.report(condition) }
                },
                explain: { error in
                    // A sender that returns may at first describe its stream so incompletely that it seems unsupported.
                    // What has changed within a connection may be described by the next one.
                    if error.code == .readFailed || error.code == .unsupported && !delivery.hasDelivered {
                        failure.error = error
                    } else {
                        delivery.explain(error)
                    }
                }, requestKeyFrame: {})
            var loop = DecodingLoop(
                queue, DecodingStage(name, .live, makeDecoder), demand, output, playout: playout,
                isSeen: { !delivery.showsPast })
            loop.run()
        }
        decoding.withLock { $0 = Decoding(queue: queue, thread: thread) }
        return queue
    }
}

/// Why a stream cannot be decoded.
///
/// **Cost:** asking takes no lock while there is none.
private final class Failure: Sendable {
    private let stored = Monitor<StreamError?>(nil)
    private let exists = Atomic(false)

    var error: StreamError? {
        get { exists.load(ordering: .acquiring) ? stored.withLock(\.self) : nil }
        set {
            stored.withLock { $0 = newValue }
            exists.store(newValue != nil, ordering: .releasing)
        }
    }
}
