public import MediaIO

/// Encodes pictures at a constant rate, and sends them: a wall as a stream.
///
///     let sender = try StreamSender(to: .network(url: "rtsp://server:8554/wall"), size: size, frameRate: 25)
///     while isRunning {
///         try renderer.render(wall, into: target)
///         try sender.send(try target.readPlanes(as: sender.format, colorSpace: sender.colorSpace, pool: pool))
///     }
///     sender.end()
///
/// Sending is the work of a thread of its own (``PacketSender``): a receiver that is slow or gone delays nobody. What
/// waits for it is bounded, four seconds at most; beyond that, pictures up to the next key frame are left out and counted.
///
/// **Thread:** one at a time. **Cost:** every frame; that of the encoder.
public final class StreamSender: PictureSender {
    private let encoder: VideoEncoder
    private let sender: PacketSender
    private let outlet: PacketOutlet
    private var lastRequest: MonotonicTime?
    private var count = 0
    private var hasEnded = false

    /// Opens the encoder; the receiver is opened with the first picture, in the background.
    ///
    /// - Parameters:
    ///   - destination: where to.
    ///   - size: the size of the pictures. If a side is odd, the last column or row is repeated.
    ///   - frameRate: the pictures per second.
    ///   - encoding: the codec, H.264 if it names none, quality and speed.
    ///   - timeout: how long a receiver may take nothing before it counts as lost.
    ///   - onChange: called when the condition of the receiver changes, on the thread that sends.
    /// - Throws: ``StreamError/Code/unsupported`` if there is no such encoder, it refuses the encoding, or receivers do
    ///   not take its codec; ``StreamError/Code/noMemory``; ``StreamError/Code/cannotOpen`` if no thread can be started.
    public init(
        to destination: MediaDestination, size: VideoSize, frameRate: Rational,
        encoding: VideoEncoding = VideoEncoding(tuning: .live), timeout: Duration = .seconds(10),
        onChange: @escaping @Sendable (SenderCondition) -> Void = { _ in }
    ) throws(StreamError) {
        if let codec = encoding.codec { try destination.check(codec) }
        encoder = try VideoEncoder(
            size: size, frameRate: frameRate, encoding: encoding,
            hasConfigurationInPackets: !destination.hasGlobalHeader, name: "\(destination)")
        sender = PacketSender(to: destination, timeout: timeout, onChange: onChange)
        outlet = PacketOutlet(name: "\(destination)")
        try outlet.attach(sender)
    }

    deinit { end() }

    /// The format that pictures must have: I420, with 10 bits I010.
    public var format: PixelFormat { encoder.format }

    /// The colour space that pictures must have: BT.709 or BT.2020 in limited range; BT.601 for VP8.
    public var colorSpace: ColorSpace { encoder.colorSpace }

    /// How the receiver is.
    public var condition: SenderCondition { sender.condition }

    /// How many packets were sent, and left out.
    public var counts: SenderCounts {
        var counts = sender.counts
        // While it waits for the receiver, the sender is not told what it loses.
        let lost = hasEnded ? count - counts.sent - counts.omitted : outlet.lostCount(of: sender) - sender.lost
        counts.omitted += max(0, lost)
        return counts
    }

    /// Encodes a picture, and has it sent.
    ///
    /// - Parameters:
    ///   - picture: a picture in ``format``, of the size that the sender was made with.
    ///   - number: its number at the frame rate, from 0 and greater than that of the picture before it; `nil` for one
    ///     more.
    /// - Throws: ``StreamError/Code/unsupported`` for another format or size; ``StreamError/Code/writeFailed`` if the
    ///   encoder fails.
    public func send(_ picture: PixelBuffer, at number: Int64? = nil) throws(StreamError) {
        // A receiver that comes back need not wait for the next key frame; a slow one must not get more of them.
        let mayBeKey = lastRequest.map { .now - $0 > .seconds(1) } ?? true
        let isKeyFrame = mayBeKey && sender.takeKeyFrameRequest()
        if isKeyFrame { lastRequest = .now }
        try encoder.encode(picture, at: number, isKeyFrame: isKeyFrame, distribute)
    }

    private func distribute(_ packet: EncodedPacket) {
        count += 1
        outlet.distribute(packet)
    }

    package func finish() { end() }

    /// Sends what waits, says goodbye to the receiver, and closes the connection; nothing may be sent afterwards.
    ///
    /// - Parameter time: how long the receiver may take for what waits, and then for the end.
    public func end(within time: Duration = .seconds(1)) {
        guard !hasEnded else { return }
        hasEnded = true
        // An encoder that fails now has nothing more to send.
        try? encoder.finish(distribute)
        sender.wait(forPackets: count, until: .now + time)
        sender.end(within: time)
        outlet.end()
        sender.close(within: time)
    }
}
