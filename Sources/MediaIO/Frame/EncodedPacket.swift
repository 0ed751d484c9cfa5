/// One encoded picture: the bytes of a packet, and what its decoder must know.
///
/// It travels as a frame, as pixels do: ``FrameImage/encoded(_:)``. ``DecodingSource`` decodes it.
///
/// **Thread:** any. **Cost:** making one copies the bytes.
public final class EncodedPacket: Sendable {
    /// How the units of H.264 and HEVC are told apart.
    public enum Framing: Hashable, Sendable {
        /// Each unit follows a start code (Annex B of ITU-T H.264 and H.265). Use this for all other codecs, too.
        case startCodes
        /// Each unit follows its length, a big-endian number of 1, 2 or 4 bytes (ISO/IEC 14496-15), as in MP4.
        case lengths(byteCount: Int)
    }

    /// The codec.
    public let codec: PacketCodec
    /// The encoded bytes.
    public let bytes: [UInt8]
    /// The size of the picture in pixels, as stated by the sender; the decoder reads the real one from the stream.
    public let size: VideoSize
    /// Whether decoding can begin with this packet.
    public let isKeyFrame: Bool
    /// How units are told apart.
    public let framing: Framing
    /// The decoder configuration record (`avcC`, `hvcC`, `av1C`) or parameter sets, if they are not in the packets.
    public let configuration: [UInt8]
    /// The number of the packet, one more than that of the packet before it in decoding order; `nil` if it has none.
    ///
    /// A missing number means a lost packet. Numbers have 64 bits and do not wrap around: extend the numbers of a
    /// protocol that has fewer bits. RTP numbers the parts of pictures: number the pictures yourself, or set
    /// ``discontinuity`` where one of its numbers is missing.
    ///
    /// A packet that is up to 15 behind the newest one came twice or too late, and is not decoded. One that is further
    /// behind, or more than 10,000 ahead, begins a new count, after a loss of unknown length. If a sender may begin
    /// anew sooner than that, set ``discontinuity`` on its first packet.
    public let sequence: Int64?
    /// Whether packets before this one were lost, for senders without numbers.
    public let discontinuity: Bool

    /// The most bytes in a packet: far more than any picture has.
    public static let maximumByteCount = 1 << 28

    /// Copies a packet.
    ///
    /// - Parameters:
    ///   - bytes: all of its bytes, at least 1 and at most ``maximumByteCount``.
    ///   - codec: the codec.
    ///   - size: the size of the picture, each side 1…``PixelBuffer/maximumSide``.
    ///   - isKeyFrame: whether decoding can begin with it.
    ///   - framing: how the units of H.264 and HEVC are told apart.
    ///   - configuration: the configuration record or parameter sets, if they are not in the packets; otherwise empty.
    ///   - sequence: its number in decoding order, without wrapping around; `nil` for none.
    ///   - discontinuity: whether packets before it were lost.
    /// - Throws: ``StreamError/Code/sizeOutOfRange``; ``StreamError/Code/malformed`` for no or too many bytes, and for
    ///   ``Framing/lengths(byteCount:)`` with a codec other than H.264 and HEVC or with another number of bytes.
    public init(
        copying bytes: UnsafeRawBufferPointer, codec: PacketCodec, size: VideoSize, isKeyFrame: Bool,
        framing: Framing = .startCodes, configuration: [UInt8] = [], sequence: Int64? = nil, discontinuity: Bool = false
    ) throws(StreamError) {
        try PixelBuffer.validate(size)
        guard (1...Self.maximumByteCount).contains(bytes.count) else {
            throw StreamError(
                .malformed,
                "A packet of \(codec.rawValue) has \(bytes.count) bytes, but it must have 1 to \(Self.maximumByteCount)."
            )
        }
        if case .lengths(let count) = framing {
            guard codec == .h264 || codec == .hevc, [1, 2, 4].contains(count) else {
                throw StreamError(
                    .malformed,
                    "A packet of \(codec.rawValue) cannot have lengths of \(count) bytes: only H.264 and HEVC have "
                        + "lengths, of 1, 2 or 4 bytes.")
            }
        }
        (self.codec, self.size, self.isKeyFrame) = (codec, size, isKeyFrame)
        (self.framing, self.configuration) = (framing, configuration)
        (self.sequence, self.discontinuity) = (sequence, discontinuity)
        self.bytes = [UInt8](bytes)
    }
}
