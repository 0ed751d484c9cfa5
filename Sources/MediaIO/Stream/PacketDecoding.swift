/// The work of the thread that decodes: packets from a queue become pictures.
struct PacketDecoding {
    /// A request for a key frame may be lost on its way, so it is repeated after this many packets.
    private static let packetsBetweenRequests = 120
    /// From a packet to the next one without a time.
    private static let madeUpStep = Duration.microseconds(1)

    private let source: any VideoSource
    private let queue: PacketQueue
    private let gate: SourceGate
    private let showsDamaged: Bool
    private let makeDecoder: DecodingSource.DecoderMaker
    private var decoder: (any PacketDecoder)?
    /// What the decoder was made for.
    private var codec: PacketCodec?
    private var configuration: [UInt8] = []
    private var framing = EncodedPacket.Framing.startCodes
    /// The packet that was decoded last, without its bytes.
    private var last: (attributes: FrameAttributes, hasTime: Bool) = (FrameAttributes(), true)
    /// The time that it was decoded with.
    private var lastTime = Duration.zero
    private var awaited = AwaitedPictures()
    /// Whether packets depend on something that was lost.
    private var isDamaged = false
    /// Whether the decoder has decoded nothing since it was made or reset.
    private var isFresh = true
    /// The packets left out since a key frame was requested; `nil` if none is awaited.
    private var omittedSinceRequest: Int?
    /// The reason, last reported to the consumer, why packets cannot be decoded at present.
    private var problem: String?

    init(
        _ source: any VideoSource, _ queue: PacketQueue, _ gate: SourceGate, showsDamaged: Bool,
        _ makeDecoder: @escaping DecodingSource.DecoderMaker
    ) {
        (self.source, self.queue, self.gate) = (source, queue, gate)
        (self.showsDamaged, self.makeDecoder) = (showsDamaged, makeDecoder)
    }

    /// Decodes until the queue ends.
    mutating func run() {
        while let entry = queue.next() {
            switch entry {
            case .frame(let frame):
                if case .encoded(let packet) = frame.image { decode(packet, frame) } else { pass(frame) }
            case .condition(let condition):
                if condition == .ended { drain() }
                _ = gate.pass { $0.consumer?.sourceDidChange(condition) }
            case .restart(let omitted, let needsKeyFrame):
                // Pictures from before the loss are undamaged.
                drain()
                tellOmitted(omitted)
                if needsKeyFrame { requestKeyFrame(after: omitted) }
            case .gap(let missing):
                isDamaged = true
                tellOmitted(missing)
                requestKeyFrame(after: missing)
            case .noKeyFrame(let count):
                // Another reason explains why packets are left out.
                guard problem == nil else { continue }
                tell(
                    "None of the last \(count) packets of \(source.name) is a key frame, so no picture can be decoded: set "
                        + "isKeyFrame on the packets that decoding can begin with, or have the sender make one when it is "
                        + "asked to.")
            case .reset:
                resetDecoder()
                _ = awaited.end()
                (omittedSinceRequest, problem) = (nil, nil)
            }
        }
    }

    private mutating func decode(_ packet: EncodedPacket, _ frame: VideoFrame) {
        // A picture comes back with the time of its packet as decoders count it. Without a time, it gets one of its own,
        // which tells it from others, and loses it when it is delivered.
        let ownTime = frame.presentationTime.map { Duration.nanoseconds($0.wholeNanoseconds) }
        let time = ownTime ?? lastTime + Self.madeUpStep
        lastTime = time
        var hasFailed = false
        do throws(StreamError) {
            let decoder = try decoder(for: packet)
            let isRestart = packet.isKeyFrame && (isDamaged || isFresh)
            if packet.isKeyFrame {
                (isDamaged, omittedSinceRequest) = (false, nil)
            } else if showsDamaged, isDamaged {
                requestKeyFrame(after: 1)
            }
            isFresh = false
            decoder.adapt(to: gate.target.wants)
            last = (frame.attributes, ownTime != nil)
            if packet.hasPicture {
                tellOmitted(
                    awaited.await(
                        .init(time: time, hasTime: ownTime != nil, isDamaged: isDamaged, isRestart: isRestart)))
            }
            let decoded = try packet.bytes.withUnsafeBytes { bytes in
                Result { () throws(StreamError) in try decoder.decode(bytes, at: time) }
            }.get()
            if let decoded {
                deliver(decoded)
                hasFailed = decoded.attributes.isDamaged
            }
        } catch {
            if error.code == .unsupported { tell(error.description) }
            // A picture that was awaited is counted as omitted when it turns out not to come.
            if decoder == nil { tellOmitted(1) } else { awaited.spoilLast() }
            hasFailed = true
        }
        if hasFailed { recover() }
    }

    /// Continues after a packet whose picture is damaged or could not be decoded.
    private mutating func recover() {
        if showsDamaged, decoder != nil {
            isDamaged = true
            requestKeyFrame(after: 1)
        } else {
            queue.skipToKeyFrame()
        }
    }

    private mutating func decoder(for packet: EncodedPacket) throws(StreamError) -> any PacketDecoder {
        let isSame = codec == packet.codec && framing == packet.framing && configuration == packet.configuration
        if let decoder, isSame { return decoder }
        let wasDamaged = isDamaged
        drain()
        // If the key frame that brings the new codec is lost, the new decoder begins in the middle.
        (decoder, isDamaged) = (nil, wasDamaged && !packet.isKeyFrame)
        let made = try makeDecoder(packet)
        (decoder, codec, framing, configuration) = (made, packet.codec, packet.framing, packet.configuration)
        return made
    }

    /// Delivers the pictures that the decoder still has, and resets the decoder.
    private mutating func drain() {
        while let frame = decoder?.drain() { deliver(frame) }
        tellOmitted(awaited.end())
        resetDecoder()
    }

    private mutating func resetDecoder() {
        if decoder?.reset() != true { decoder = nil }
        (isFresh, isDamaged) = (true, false)
    }

    /// Delivers a picture with the attributes of its packet, unless it is damaged and damaged pictures are left out.
    private mutating func deliver(_ decoded: VideoFrame) {
        var frame = decoded
        var hasTime = last.hasTime
        if let time = decoded.presentationTime {
            let known = awaited.take(time, isDamaged: decoded.attributes.isDamaged)
            frame.attributes.isDamaged = known.isDamaged
            hasTime = known.hasTime ?? hasTime
            tellOmitted(known.omitted)
        }
        if frame.attributes.isDamaged, !showsDamaged { return tellOmitted(1) }
        frame.attributes.rotation = last.attributes.rotation
        frame.attributes.mirror = last.attributes.mirror
        frame.attributes.colorTags = decoded.attributes.colorTags.overridden(by: last.attributes.colorTags)
        if !hasTime { frame.presentationTime = nil }
        if problem != nil {
            problem = nil
            _ = gate.pass { $0.consumer?.sourceDidChange(.live) }
        }
        pass(frame)
    }

    private func pass(_ frame: VideoFrame) { _ = gate.pass { $0.consumer?.consume(frame) } }

    private func tellOmitted(_ count: Int) {
        if count > 0 { _ = gate.pass { $0.consumer?.sourceDidOmit(count) } }
    }

    /// Reports to the consumer why there are no pictures, once for each reason.
    private mutating func tell(_ reason: String) {
        guard problem != reason else { return }
        problem = reason
        _ = gate.pass { $0.consumer?.sourceDidChange(.waiting(reason)) }
    }

    /// Asks for a key frame, unless one was already requested for the same loss.
    private mutating func requestKeyFrame(after omitted: Int) {
        if let count = omittedSinceRequest, count + omitted < Self.packetsBetweenRequests {
            omittedSinceRequest = count + omitted
        } else {
            omittedSinceRequest = 0
            source.requestKeyFrame()
        }
    }
}

extension EncodedPacket {
    /// Whether decoding it gives a picture: VP8 has packets that are only references for others (RFC 6386, 9.1).
    fileprivate var hasPicture: Bool { codec != .vp8 || bytes[0] & 0x10 != 0 }
}
