/// A codec of encoded frames.
public enum PacketCodec: String, CaseIterable, Hashable, Sendable {
    /// One JPEG picture a frame.
    case motionJPEG = "mjpeg"
    /// H.264, with start codes.
    case h264
    /// H.265, with start codes.
    case hevc
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

    /// Adapts the next frames to what sinks want, such as the memory that they are decoded into.
    func adapt(to wants: VideoSinkWants)
}

extension PacketDecoder {
    /// Does nothing: frames stay the same.
    public func adapt(to wants: VideoSinkWants) {}
}
