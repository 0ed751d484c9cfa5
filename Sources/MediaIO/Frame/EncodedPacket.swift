/// One encoded picture: the bytes of a packet, and what its decoder must know.
///
/// It travels as a frame, as pixels do: ``FrameImage/encoded(_:)``. ``DecodingSource`` decodes it.
///
/// **Thread:** any. **Cost:** making one copies the bytes.
public final class EncodedPacket: Sendable {
    /// How the units of H.264 and HEVC are told apart.
    public enum Framing: Hashable, Sendable {
        /// Each after a start code (Annex B of ITU-T H.264 and H.265); for other codecs, as they are.
        case startCodes
        /// Each after its length as a big-endian number of 1, 2 or 4 bytes (ISO/IEC 14496-15), as in MP4.
        case lengths(byteCount: Int)
    }

    /// The codec.
    public let codec: PacketCodec
    /// The encoded bytes.
    public let bytes: [UInt8]
    /// The size of the picture, in pixels, as the sender has it; the decoder finds out itself.
    public let size: VideoSize
    /// Whether decoding can begin with this packet.
    public let isKeyFrame: Bool
    /// How units are told apart.
    public let framing: Framing
    /// The decoder configuration record (`avcC`, `hvcC`, `av1C`) or parameter sets, if they are not in the packets.
    public let configuration: [UInt8]

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
    ///   - configuration: what the decoder must know and the packets do not say; empty for nothing.
    /// - Throws: ``StreamError/Code/sizeOutOfRange``; ``StreamError/Code/malformed`` for no or too many bytes, and for
    ///   lengths in front of the units of a codec that has none, or of another number of bytes.
    public init(
        copying bytes: UnsafeRawBufferPointer, codec: PacketCodec, size: VideoSize, isKeyFrame: Bool,
        framing: Framing = .startCodes, configuration: [UInt8] = []
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
        self.bytes = [UInt8](bytes)
    }
}
