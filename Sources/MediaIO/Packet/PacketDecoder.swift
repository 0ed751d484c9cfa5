/// Decodes the packets of a track, one after the other.
///
/// **Thread:** one at a time.
public protocol PacketDecoder: AnyObject {
    /// Decodes the next packet.
    ///
    /// Frames come in the order in which they are shown, each with the time of its packet.
    ///
    /// - Parameters:
    ///   - packet: a packet of the track that the decoder was made for.
    ///   - time: its presentation time. For a packet that has none, a ``DecodingStage`` makes up a time, later than that
    ///     of the packet before it, and takes it off the frame again.
    /// - Returns: the next frame, with the attributes that the stream states; `nil` if the decoder needs more packets
    ///   first. If the decoder knows that parts of it are wrong, it is marked (``FrameAttributes/isDamaged``).
    /// - Throws: ``StreamError/Code/malformed`` for a packet that cannot be decoded; the next one may be.
    ///   ``StreamError/Code/unsupported`` if pictures like this can never be decoded.
    func decode(_ packet: EncodedPacket, at time: Duration) throws(StreamError) -> VideoFrame?

    /// Returns another frame that is ready after ``decode(_:at:)``; `nil` if there is none.
    func next() -> VideoFrame?

    /// Returns the next of the frames that the decoder still has; `nil` if it has none.
    ///
    /// The decoder takes no further packets before ``reset()``.
    func drain() -> VideoFrame?

    /// Forgets the packets so far, even after it was drained; the next one is a key frame.
    ///
    /// Parameter sets that were in earlier packets still hold.
    ///
    /// - Returns: false if the decoder cannot be reset, so that another one must be made.
    func reset() -> Bool

    /// Adapts the next frames to what sinks want, such as the memory that they are decoded into.
    func adapt(to wants: VideoSinkWants)

    /// Starts or stops leaving out frames that no other frame is decoded from, if that saves work.
    func setOmitting(_ isOmitting: Bool)

    /// Starts or stops going before other decoders that it takes turns with, because somebody waits for its next picture.
    func setUrgent(_ isUrgent: Bool)
}

extension PacketDecoder {
    /// `nil`, for decoders that return at most one frame for each packet.
    public func next() -> VideoFrame? { nil }

    /// `nil`, for decoders that return each frame for its packet.
    public func drain() -> VideoFrame? { nil }

    /// `false`: another decoder must be made.
    public func reset() -> Bool { false }

    /// Does nothing: frames stay the same.
    public func adapt(to wants: VideoSinkWants) {}

    /// Does nothing: no frame is left out.
    public func setOmitting(_ isOmitting: Bool) {}

    /// Does nothing: it takes turns with no other.
    public func setUrgent(_ isUrgent: Bool) {}
}

/// Makes a decoder for a packet and those that follow it in tracks that are decoded alike.
public typealias PacketDecoderMaker = @Sendable (EncodedPacket) throws(StreamError) -> any PacketDecoder
