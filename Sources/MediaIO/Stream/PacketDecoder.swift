/// A codec of encoded frames.
public enum PacketCodec: String, CaseIterable, Hashable, Sendable {
    /// One JPEG picture a frame.
    case motionJPEG = "mjpeg"
    /// H.264.
    case h264
    /// H.265.
    case hevc
    /// VP8 (RFC 6386).
    case vp8
    /// VP9.
    case vp9
    /// AV1, in temporal units.
    case av1
}

/// Decodes encoded frames, one after the other.
///
/// **Thread:** one at a time.
public protocol PacketDecoder: AnyObject {
    /// Decodes the next encoded frame.
    ///
    /// Frames come in the order in which they are shown, each with the time of its packet.
    ///
    /// - Parameters:
    ///   - packet: all of its bytes, valid only during the call.
    ///   - time: its presentation time. For a packet that has none, ``DecodingSource`` makes up a time, later than that of
    ///     the packet before it, and takes it off the frame again.
    /// - Returns: the frame, with the attributes that the stream states; `nil` if the decoder needs more packets first.
    ///   If the decoder knows that parts of it are wrong, it is marked (``FrameAttributes/isDamaged``).
    /// - Throws: ``StreamError/Code/malformed`` for a packet that cannot be decoded; the next one may be.
    func decode(_ packet: UnsafeRawBufferPointer, at time: Duration) throws(StreamError) -> VideoFrame?

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
}

extension PacketDecoder {
    /// `nil`, for decoders that return each frame for its packet.
    public func drain() -> VideoFrame? { nil }

    /// `false`: another decoder must be made.
    public func reset() -> Bool { false }

    /// Does nothing: frames stay the same.
    public func adapt(to wants: VideoSinkWants) {}
}
