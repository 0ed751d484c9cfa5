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
    /// - Parameters:
    ///   - packet: all of its bytes, valid only during the call.
    ///   - time: its presentation time.
    /// - Returns: the frame, with what the stream says of its attributes; `nil` if the decoder needs more packets first.
    /// - Throws: ``StreamError/Code/malformed`` for a packet that cannot be decoded; the next one may be.
    func decode(_ packet: UnsafeRawBufferPointer, at time: Duration) throws(StreamError) -> VideoFrame?

    /// Returns the next of the frames that the decoder still has; `nil` if it has none.
    ///
    /// The decoder takes no further packets.
    func drain() -> VideoFrame?

    /// Adapts the next frames to what sinks want, such as the memory that they are decoded into.
    func adapt(to wants: VideoSinkWants)
}

extension PacketDecoder {
    /// `nil`, for decoders that return each frame for its packet.
    public func drain() -> VideoFrame? { nil }

    /// Does nothing: frames stay the same.
    public func adapt(to wants: VideoSinkWants) {}
}
