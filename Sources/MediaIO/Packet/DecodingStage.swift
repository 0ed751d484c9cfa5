/// Turns the packets of one track into pictures: the one place where packets are decoded, whatever they come from.
///
/// Decoders conceal what is missing. So the stage watches the packets' numbers and marks, and what the decoder says:
/// from a loss on, packets are left out up to the next key frame, or decoded and their pictures marked.
///
/// The codec, its configuration and the size may change with any packet.
///
/// **Thread:** one at a time. **Cost:** every packet; allocates nothing in steady state, beside what the decoder does.
package struct DecodingStage {
    /// What comes out.
    package enum Output {
        /// A picture, in the order in which pictures are shown.
        case picture(VideoFrame)
        /// So many pictures were left out.
        case omitted(Int)
        /// The source should be asked for a key frame, unless one is on its way.
        case needsKeyFrame
        /// No packet can be decoded at present, for this reason.
        case unusable(StreamError)
    }

    /// How packets are decoded.
    package struct Policy: Sendable {
        /// Whether pictures that depend on a loss are delivered, and marked, instead of being left out.
        package var showsDamaged = false
        /// Whether decoding begins with a key frame; if not, with the first packet, as in a file.
        package var beginsWithKeyFrame = true
        /// How long packets are left out for lack of a key frame, by their arrival; `nil` for ever.
        ///
        /// Then decoding begins without one, and later losses are ignored: the stream has none.
        package var longestWait: Duration?
        /// Whether pictures that never come out of the decoder are counted as left out.
        package var countsMissing = true

        package init(
            showsDamaged: Bool = false, beginsWithKeyFrame: Bool = true, longestWait: Duration? = nil,
            countsMissing: Bool = true
        ) {
            self.showsDamaged = showsDamaged
            self.beginsWithKeyFrame = beginsWithKeyFrame
            self.longestWait = longestWait
            self.countsMissing = countsMissing
        }

        /// That of stored media: everything is decoded, and what is wrong is marked.
        package static let stored = Policy(showsDamaged: true, beginsWithKeyFrame: false, countsMissing: false)
        /// That of a live connection.
        package static let live = Policy(longestWait: .seconds(10))
    }

    /// A request for a key frame may be lost on its way, so it is repeated after this many packets.
    private static let packetsBetweenRequests = 120
    /// From a packet to the next one without a time.
    private static let madeUpStep = Duration.microseconds(1)

    private let policy: Policy
    private let name: String
    private let makeDecoder: PacketDecoderMaker
    private var decoder: (any PacketDecoder)?
    /// The track that the decoder was made for.
    private var track: TrackInfo?
    private var sequence = PacketSequence()
    private var awaited = AwaitedPictures()
    /// What the packet that was decoded last came with.
    private var last: (attributes: FrameAttributes?, hasTime: Bool) = (nil, true)
    /// The time that it was decoded with.
    private var lastTime = Duration.zero
    /// Whether pictures depend on something that was lost.
    private var isDamaged = false
    /// Whether the decoder has decoded nothing since it was made or reset.
    private var isFresh = true
    /// Whether packets are left out up to the next key frame.
    private var needsKeyFrame: Bool
    /// Whether the previous packet was marked as corrupt.
    private var wasCorrupt = false
    /// Whether the stream is expected to have key frames: false after a wait for one ended without it.
    private var hasKeyFrames = true
    /// Whether packets are left out because of a loss.
    private var isAfterLoss = false
    /// How long there have been no pictures.
    private var drought = PictureDrought()
    /// The packets left out since a key frame was requested; `nil` if none is awaited.
    private var omittedSinceRequest: Int?
    private var isOmitting = false
    private var isUrgent = false
    private var wants = VideoSinkWants.everything

    /// The packets that were corrupt, undecodable or left out because of that, and the corrupt pictures delivered.
    package private(set) var corruptCount = 0

    /// Makes a stage without a decoder.
    ///
    /// - Parameters:
    ///   - name: the source's name, for errors.
    ///   - policy: how packets are decoded.
    ///   - makeDecoder: makes a decoder for the first packet, and for each one with which the codec changes.
    package init(_ name: String, _ policy: Policy, _ makeDecoder: @escaping PacketDecoderMaker) {
        (self.name, self.policy, self.makeDecoder) = (name, policy, makeDecoder)
        needsKeyFrame = policy.beginsWithKeyFrame
    }

    // MARK: What comes in

    /// Decodes a packet.
    ///
    /// - Parameters:
    ///   - packet: the packet.
    ///   - time: its presentation time, if it has one beside that of its ``EncodedPacket/timing``.
    ///   - attributes: what its frame says of the picture, which takes precedence; `nil` if it did not come as a frame.
    ///   - deliver: gets the pictures, and what became of the others.
    package mutating func decode(
        _ packet: EncodedPacket, time: Duration? = nil, attributes: FrameAttributes? = nil,
        _ deliver: (Output) -> Void
    ) {
        switch sequence.note(packet) {
        case .next: break
        case .old: return
        case .gap(let missing): noteLoss(missing, deliver)
        }
        let isCorrupt = packet.marks.isCorrupt
        defer { wasCorrupt = isCorrupt }
        if isCorrupt {
            // In a file, much of it may be good.
            if policy.showsDamaged || !hasKeyFrames {
                corruptCount += 1
                isDamaged = isDamaged || policy.showsDamaged
            } else {
                noteLoss(1, deliver)
                return
            }
        }
        let time = time ?? packet.timing.presentation
        drought.note(at: packet.timing.arrival ?? time)
        guard !needsKeyFrame || mayBegin(packet, deliver) else { return }
        if packet.isKeyFrame {
            hasKeyFrames = true
            drought.noteKeyFrame(arrival: packet.timing.arrival)
        }
        work(packet, time, attributes, deliver)
    }

    /// Notes that packets were left out before the next one, because there was no time for them.
    ///
    /// - Parameters:
    ///   - count: how many.
    ///   - isAsking: whether a key frame is asked for.
    ///   - deliver: gets the pictures from before the gap.
    package mutating func noteLeftOut(
        _ count: Int, needsKeyFrame isAsking: Bool, _ deliver: (Output) -> Void
    ) {
        sequence.skip(count)
        awaitKeyFrame(deliver)
        isAfterLoss = false
        omit(count, deliver)
        if isAsking { request(after: count, deliver) }
    }

    /// Notes that packets are missing before the next one: how many, as far as that is known.
    private mutating func noteLoss(_ missing: Int, _ deliver: (Output) -> Void) {
        corruptCount += max(missing, 1)
        if policy.showsDamaged, !needsKeyFrame {
            isDamaged = true
            omit(missing, deliver)
        } else if hasKeyFrames {
            awaitKeyFrame(deliver)
            omit(missing, deliver)
        } else {
            omit(missing, deliver)
            return
        }
        request(after: missing, deliver)
    }

    /// Leaves out packets up to the next key frame, after those before it were left out; pictures decoded so far come.
    private mutating func awaitKeyFrame(_ deliver: (Output) -> Void) {
        guard !needsKeyFrame else { return }
        drain(deliver)
        (needsKeyFrame, isAfterLoss) = (true, true)
        drought.endWait()
    }

    /// Delivers the pictures that the decoder still has; the next packet is the first of others.
    package mutating func drain(_ deliver: (Output) -> Void) {
        while let frame = decoder?.drain() { self.deliver(frame, deliver) }
        omitMissing(awaited.end(), deliver)
        resetDecoder()
    }

    /// Forgets everything so far, as before the packets of another connection or place.
    package mutating func reset() {
        resetDecoder()
        _ = awaited.end()
        (sequence, wasCorrupt, hasKeyFrames) = (PacketSequence(), false, true)
        (needsKeyFrame, isAfterLoss, omittedSinceRequest) = (policy.beginsWithKeyFrame, false, nil)
        drought = PictureDrought()
    }

    /// Adapts the decoder to what sinks want.
    package mutating func adapt(to wants: VideoSinkWants) {
        guard wants != self.wants else { return }
        self.wants = wants
        decoder?.adapt(to: wants)
    }

    /// Starts or stops leaving out frames that no other frame is decoded from.
    package mutating func setOmitting(_ isOmitting: Bool) {
        guard isOmitting != self.isOmitting else { return }
        self.isOmitting = isOmitting
        decoder?.setOmitting(isOmitting)
    }

    /// Starts or stops decoding before other streams.
    package mutating func setUrgent(_ isUrgent: Bool) {
        guard isUrgent != self.isUrgent else { return }
        self.isUrgent = isUrgent
        decoder?.setUrgent(isUrgent)
    }

    // MARK: The decoder

    private mutating func work(
        _ packet: EncodedPacket, _ ownTime: Duration?, _ attributes: FrameAttributes?, _ deliver: (Output) -> Void
    ) {
        // A picture comes back with the time of its packet as decoders count it. Without a time, it gets one of its own,
        // which tells it from others, and loses it when it is delivered.
        let known = ownTime.map { Duration.nanoseconds($0.wholeNanoseconds) }
        let time = known ?? lastTime + Self.madeUpStep
        let hasTime = known != nil || packet.timing.decoding != nil
        lastTime = time
        do throws(StreamError) {
            let decoder = try decoder(for: packet, deliver)
            let isRestart = packet.isKeyFrame && (isDamaged || isFresh)
            if packet.isKeyFrame, !packet.marks.isCorrupt { (isDamaged, omittedSinceRequest) = (false, nil) }
            if isDamaged { request(after: 1, deliver) }
            isFresh = false
            last = (attributes, hasTime)
            if packet.hasPicture {
                // As an argument below, it would be called while `self` is copied, and so would copy the array, too.
                let missing = awaited.await(
                    .init(time: time, hasTime: hasTime, isDamaged: isDamaged, isRestart: isRestart))
                omitMissing(missing, deliver)
            }
            var hasFailed = false
            var next = try decoder.decode(packet, at: time)
            while let frame = next {
                hasFailed = hasFailed || frame.attributes.isDamaged
                self.deliver(frame, deliver)
                next = decoder.next()
            }
            drought.endWait()
            if hasFailed { recover(deliver) }
            explain(packet, hasFailed: hasFailed, deliver)
        } catch {
            fail(error, deliver)
            explain(packet, hasFailed: true, deliver)
        }
    }

    /// Says, once, that nothing can be decoded.
    private mutating func explain(_ packet: EncodedPacket, hasFailed: Bool, _ deliver: (Output) -> Void) {
        guard drought.isToBeSaid(hasFailed: hasFailed) else { return }
        deliver(
            .unusable(
                StreamError(
                    .malformed,
                    "Nothing of what \(name) sends can be decoded as \(packet.codec): check that the network loses no packets, and that this is the codec."
                )))
    }

    /// Continues after a packet that could not be decoded.
    private mutating func fail(_ error: StreamError, _ deliver: (Output) -> Void) {
        corruptCount += 1
        if error.code != .malformed { deliver(.unusable(error)) }
        // A picture that was awaited is counted as left out when it turns out not to come.
        if decoder == nil { omit(1, deliver) } else { awaited.spoilLast() }
        while let frame = decoder?.next() { self.deliver(frame, deliver) }
        recover(deliver)
    }

    /// Continues after a packet whose picture is damaged or could not be decoded.
    private mutating func recover(_ deliver: (Output) -> Void) {
        if policy.showsDamaged, decoder != nil {
            isDamaged = true
        } else if hasKeyFrames {
            awaitKeyFrame(deliver)
        } else {
            return
        }
        request(after: 1, deliver)
    }

    private mutating func decoder(
        for packet: EncodedPacket, _ deliver: (Output) -> Void
    ) throws(StreamError) -> any PacketDecoder {
        if let decoder, track?.isDecodedLike(packet.track) == true { return decoder }
        let wasDamaged = isDamaged
        drain(deliver)
        // If the key frame that brings the new codec is lost, the new decoder begins in the middle.
        (decoder, isDamaged) = (nil, wasDamaged && !packet.isKeyFrame)
        let made = try makeDecoder(packet)
        made.adapt(to: wants)
        made.setOmitting(isOmitting)
        made.setUrgent(isUrgent)
        (decoder, track) = (made, packet.track)
        return made
    }

    private mutating func resetDecoder() {
        if decoder?.reset() != true { decoder = nil }
        (isFresh, isDamaged) = (true, false)
    }

    // MARK: What comes out

    /// Delivers a picture with the attributes of its packet, unless it is damaged and damaged pictures are left out.
    private mutating func deliver(_ decoded: VideoFrame, _ deliver: (Output) -> Void) {
        var frame = decoded
        var hasTime = last.hasTime
        if let time = decoded.presentationTime {
            let known = awaited.take(time, isDamaged: decoded.attributes.isDamaged)
            frame.attributes.isDamaged = known.isDamaged
            hasTime = known.hasTime ?? hasTime
            omitMissing(known.omitted, deliver)
        }
        if decoded.attributes.isDamaged { corruptCount += 1 }
        if frame.attributes.isDamaged, !policy.showsDamaged, hasKeyFrames { return omit(1, deliver) }
        if let track {
            // Tags in the encoded stream take precedence over those of its container.
            let container = track.attributes
            frame.attributes.colorTags = container.colorTags.overridden(by: frame.attributes.colorTags)
            if container.pixelAspectRatio != .one { frame.attributes.pixelAspectRatio = container.pixelAspectRatio }
        }
        if let attributes = last.attributes {
            frame.attributes.rotation = attributes.rotation
            frame.attributes.mirror = attributes.mirror
            frame.attributes.colorTags = frame.attributes.colorTags.overridden(by: attributes.colorTags)
        }
        if !hasTime { frame.presentationTime = nil }
        drought.end()
        deliver(.picture(frame))
    }

    private func omitMissing(_ count: Int, _ deliver: (Output) -> Void) {
        if policy.countsMissing { omit(count, deliver) }
    }

    /// Asks for a key frame, unless one was already requested for the same loss.
    private mutating func request(after omitted: Int, _ deliver: (Output) -> Void) {
        if let count = omittedSinceRequest, count + omitted < Self.packetsBetweenRequests {
            omittedSinceRequest = count + omitted
        } else {
            omittedSinceRequest = 0
            deliver(.needsKeyFrame)
        }
    }

    private func omit(_ count: Int, _ deliver: (Output) -> Void) {
        if count > 0 { deliver(.omitted(count)) }
    }

    /// Whether decoding can begin with a packet, after a loss or at first; if not, the packet is left out.
    private mutating func mayBegin(_ packet: EncodedPacket, _ deliver: (Output) -> Void) -> Bool {
        // Where FFmpeg splits a stream into pictures itself, it marks the picture before the corrupt one instead.
        if packet.isKeyFrame, !wasCorrupt {
            needsKeyFrame = false
            return true
        }
        let wait = drought.waitForKeyFrame()
        if let longest = policy.longestWait, wait >= longest {
            (needsKeyFrame, hasKeyFrames, isFresh) = (false, false, false)
            return true
        }
        if isAfterLoss { corruptCount += 1 }
        omit(1, deliver)
        request(after: 1, deliver)
        if isAfterLoss, drought.hasChanged {
            deliver(
                .unusable(
                    StreamError(
                        .readFailed,
                        "Nothing of what \(name) sends can be decoded any more: its codec may have changed.")))
        } else if let count = drought.countToBeSaid() {
            deliver(
                .unusable(
                    StreamError(
                        .malformed,
                        "None of the last \(count) packets of \(name) is a key frame, so no picture can be decoded: "
                            + "have the sender make one when it is asked to, or mark those that decoding can begin with."
                    )))
        }
        return false
    }
}

extension EncodedPacket {
    /// Whether decoding it gives a picture: VP8 has packets that are only references for others (RFC 6386, 9.1).
    fileprivate var hasPicture: Bool { codec != .vp8 || withUnsafeBytes { $0[0] & 0x10 != 0 } }
}
