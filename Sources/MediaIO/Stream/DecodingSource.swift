/// Decodes the packets of another source on a thread of its own.
///
///     let packets = PushSource(name: "door", bufferKind: .encoded)
///     let source = DecodingSource(packets) { packet in try MediaPacketDecoder(for: packet) }
///
/// A packet that is broken or missing costs pictures until the next key frame, never the stream; they are counted
/// (``VideoFrameConsumer/sourceDidOmit(_:)``). The codec, its configuration and the size may change with any key frame.
/// Frames that are not encoded are passed on.
///
/// **Thread:** any; the consumer gets one call at a time, on the thread that decodes, and packets on that of the other
/// source.
public final class DecodingSource: VideoSource {
    /// Makes a decoder for a packet and those that follow it with the same codec and configuration.
    public typealias DecoderMaker = @Sendable (EncodedPacket) throws(StreamError) -> any PacketDecoder

    /// The name of the other source.
    public var name: String { source.name }
    /// That of the other source.
    public var contentHint: VideoContentHint { source.contentHint }
    /// That of the other source.
    public var captureType: VideoCaptureType { source.captureType }

    /// The source of the packets.
    public let source: any VideoSource
    private let makeDecoder: DecoderMaker
    private let keepsPackets: Bool
    private let life: SourceLife
    private let queue = PacketQueue()

    /// Wraps a source.
    ///
    /// - Parameters:
    ///   - source: delivers packets; not used elsewhere.
    ///   - keepsPackets: whether the consumer gets the packets, too, each before the picture that is decoded from it; all
    ///     of them, however slow the decoder is.
    ///   - makeDecoder: makes a decoder, on the thread that decodes.
    public init(_ source: any VideoSource, keepsPackets: Bool = false, makeDecoder: @escaping DecoderMaker) {
        (self.source, self.keepsPackets, self.makeDecoder) = (source, keepsPackets, makeDecoder)
        life = SourceLife(name: source.name)
    }

    deinit {
        source.stop()
        source.dispose()
        queue.end()
    }

    /// Initializes the other source and starts the thread.
    public func initialize(consumer: any VideoFrameConsumer) throws(StreamError) {
        try source.initialize(consumer: PacketConsumer(queue, keepsPackets ? life.gate : nil))
        let (queue, gate, makeDecoder) = (queue, life.gate, makeDecoder)
        do throws(StreamError) {
            try life.initialize(consumer, open: {}) {
                var decoding = PacketDecoding(queue, gate, makeDecoder)
                decoding.run()
            }
        } catch {
            source.dispose()
            throw error
        }
    }

    /// Starts the other source.
    public func start() throws(StreamError) {
        try life.start()
        do throws(StreamError) {
            try source.start()
        } catch {
            life.stop()
            throw error
        }
    }

    /// Stops the other source, and forgets the packets that are not decoded yet.
    ///
    /// When it returns, no call to the consumer is running and none will come. The consumer itself may call this: then
    /// its own call is the last.
    public func stop() {
        // First its own calls: one of the other source may wait for the one that this is called from.
        life.stop()
        source.stop()
        queue.clear()
    }

    /// Disposes of the other source, and ends the thread.
    public func dispose() {
        stop()
        source.dispose()
        queue.end()
        life.dispose()
    }

    /// Passes the wants on to the other source and to the decoder.
    public func adapt(to wants: VideoSinkWants) {
        life.adapt(to: wants)
        source.adapt(to: wants)
    }
}

/// Puts what a source delivers into a queue.
private final class PacketConsumer: VideoFrameConsumer {
    private let queue: PacketQueue
    /// The way of packets past the queue; `nil` if nobody wants them.
    private let gate: SourceGate?

    init(_ queue: PacketQueue, _ gate: SourceGate?) { (self.queue, self.gate) = (queue, gate) }

    func consume(_ frame: VideoFrame) {
        if let gate, frame.image.isOf(.encoded) { _ = gate.pass { $0.consumer?.consume(frame) } }
        queue.append(frame)
    }

    func sourceDidChange(_ condition: SourceCondition) { queue.append(condition) }
}

/// The work of the thread that decodes.
private struct PacketDecoding {
    private let queue: PacketQueue
    private let gate: SourceGate
    private let makeDecoder: DecodingSource.DecoderMaker
    private var decoder: (any PacketDecoder)?
    /// What the decoder was made for.
    private var codec: PacketCodec?
    private var configuration: [UInt8] = []
    private var framing = EncodedPacket.Framing.startCodes
    /// Why packets cannot be decoded at present, as the consumer was told.
    private var problem: String?

    init(_ queue: PacketQueue, _ gate: SourceGate, _ makeDecoder: @escaping DecodingSource.DecoderMaker) {
        (self.queue, self.gate, self.makeDecoder) = (queue, gate, makeDecoder)
    }

    mutating func run() {
        while let entry = queue.next() {
            switch entry {
            case .frame(let frame):
                guard case .encoded(let packet) = frame.image else {
                    deliver(frame)
                    continue
                }
                decode(packet, frame)
            case .condition(let condition):
                if condition == .ended { drain() }
                _ = gate.pass { $0.consumer?.sourceDidChange(condition) }
            case .restart(let omitted):
                decoder = nil
                if omitted > 0 { _ = gate.pass { $0.consumer?.sourceDidOmit(omitted) } }
            }
        }
    }

    private func deliver(_ frame: VideoFrame) { _ = gate.pass { $0.consumer?.consume(frame) } }

    private mutating func decode(_ packet: EncodedPacket, _ frame: VideoFrame) {
        do throws(StreamError) {
            let decoder = try decoder(for: packet)
            decoder.adapt(to: gate.target.wants)
            let time = frame.presentationTime ?? .zero
            let decoded = try packet.bytes.withUnsafeBytes { bytes in
                Result { () throws(StreamError) in try decoder.decode(bytes, at: time) }
            }.get()
            if let decoded { deliver(decoded, with: frame) }
            problem = nil
        } catch {
            tell(error)
            _ = gate.pass { $0.consumer?.sourceDidOmit(1) }
            queue.skipToKeyFrame()
        }
    }

    /// Delivers a picture with what was said of its packet.
    private func deliver(_ decoded: VideoFrame, with packet: VideoFrame) {
        var frame = decoded
        frame.attributes.rotation = packet.attributes.rotation
        frame.attributes.mirror = packet.attributes.mirror
        frame.attributes.colorTags = decoded.attributes.colorTags.overridden(by: packet.attributes.colorTags)
        if packet.presentationTime == nil { frame.presentationTime = nil }
        deliver(frame)
    }

    private mutating func decoder(for packet: EncodedPacket) throws(StreamError) -> any PacketDecoder {
        let isSame = codec == packet.codec && framing == packet.framing && configuration == packet.configuration
        if let decoder, isSame { return decoder }
        drain()
        let made = try makeDecoder(packet)
        (decoder, codec, framing, configuration) = (made, packet.codec, packet.framing, packet.configuration)
        return made
    }

    /// Delivers the pictures that the decoder still has, and gives it up.
    private mutating func drain() {
        while let frame = decoder?.drain() { deliver(frame) }
        decoder = nil
    }

    /// Tells why there are no pictures, once for each reason that a program can do something about.
    private mutating func tell(_ error: StreamError) {
        guard error.code == .unsupported, problem != error.description else { return }
        problem = error.description
        _ = gate.pass { $0.consumer?.sourceDidChange(.waiting(error.description)) }
    }
}
