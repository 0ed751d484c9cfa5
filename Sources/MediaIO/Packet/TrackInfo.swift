/// One track of a stream: what its packets have in common.
///
/// **Thread:** any. **Cost:** copying it allocates nothing.
public struct TrackInfo: Sendable {
    /// What is in a track.
    public enum Kind: String, Hashable, Sendable {
        /// Pictures.
        case video
        /// Sound.
        case audio
        /// Anything else, such as subtitles.
        case data
    }

    /// Its number in its connection.
    public var id: Int
    /// What is in it.
    public var kind: Kind
    /// Whether it is the video that its connection shows, or the sound that belongs to that; true unless set.
    ///
    /// Others are further programs, sizes and languages.
    public var isMain = true
    /// The codec of its packets.
    public var codec: PacketCodec
    /// How the units of H.264 and HEVC are told apart.
    public var framing: EncodedPacket.Framing
    /// The decoder configuration record (`avcC`, `hvcC`, `av1C`) or parameter sets, if they are not in the packets.
    public var configuration: [UInt8]
    /// The size of its pictures in pixels, as the sender states it; `nil` if it does not.
    ///
    /// The pictures may differ.
    public var size: VideoSize?
    /// Its pictures per second; `nil` if unknown.
    public var frameRate: Rational?
    /// Its samples of sound per second; `nil` if unknown.
    public var sampleRate: Int?
    /// The number of its channels of sound; `nil` if unknown.
    public var channelCount: Int?
    /// Its language as the sender states it, such as `deu` (ISO 639-2); `nil` if it does not.
    public var language: String?
    /// What the container states of its pictures; a picture's own statement takes precedence.
    public var attributes: FrameAttributes
    /// The demuxer's own description, from which its decoder is opened.
    package var parameters: (any AnyObject & Sendable)?

    /// Describes a track; everything but the codec has a usable default.
    public init(
        id: Int = 0, kind: Kind = .video, codec: PacketCodec, framing: EncodedPacket.Framing = .startCodes,
        configuration: [UInt8] = [], size: VideoSize? = nil, frameRate: Rational? = nil, sampleRate: Int? = nil,
        channelCount: Int? = nil, language: String? = nil, attributes: FrameAttributes = FrameAttributes()
    ) {
        self.id = id
        self.kind = kind
        self.codec = codec
        self.framing = framing
        self.configuration = configuration
        self.size = size
        self.frameRate = frameRate
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.language = language
        self.attributes = attributes
    }

    /// Whether a decoder that was made for one of the two can decode the packets of the other.
    ///
    /// **Cost:** of two tracks with the same array as ``configuration``, its bytes are not compared.
    package func isDecodedLike(_ other: TrackInfo) -> Bool {
        codec == other.codec && framing == other.framing && parameters === other.parameters
            && configuration == other.configuration
    }
}
