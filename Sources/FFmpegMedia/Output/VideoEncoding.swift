public import MediaIO

/// How pictures are encoded: the codec, how much it may lose, and how long it may take.
public struct VideoEncoding: Hashable, Sendable {
    /// What decides how many bytes a picture gets.
    public enum Rate: Hashable, Sendable {
        /// The same quality for all pictures, as FFmpeg's `-crf`: the lower, the better, in the units of the codec.
        ///
        /// 0…51 for H.264 and HEVC, 0…63 for VP8, VP9 and AV1, 1…31 for Motion JPEG.
        case quality(Double)
        /// So many bits per second on average, as FFmpeg's `-b:v`.
        case bitRate(Int)
        /// Nothing is lost: a decoder gives the same code values.
        case lossless
    }

    /// Whether speed or size counts.
    public enum Tuning: String, CaseIterable, Hashable, Sendable {
        /// Fast, and every picture leaves the encoder at once.
        case live
        /// Slower, in fewer bytes; the encoder holds back some pictures.
        case quality
    }

    /// The codec, one of ``codecs``; `nil` for the usual one of the container.
    public var codec: PacketCodec?
    /// What decides the number of bytes; `nil` for a quality at which a wall looks as in the window.
    public var rate: Rate?
    /// The most pictures from one key frame to the next; `nil` for those of two seconds with ``Tuning/live``, of ten
    /// otherwise.
    public var keyFrameInterval: Int?
    /// Whether speed or size counts.
    public var tuning: Tuning

    /// Describes an encoding; everything has a usable default.
    public init(
        codec: PacketCodec? = nil, rate: Rate? = nil, keyFrameInterval: Int? = nil, tuning: Tuning = .quality
    ) {
        (self.codec, self.rate, self.keyFrameInterval, self.tuning) = (codec, rate, keyFrameInterval, tuning)
    }

    /// The codecs that can be encoded, if this FFmpeg has their encoders.
    public static let codecs: [PacketCodec] = [.h264, .hevc, .vp8, .vp9, .av1, .motionJPEG, .ffv1]
}

extension PacketCodec {
    /// FFV1 (RFC 9043), which loses nothing.
    public static let ffv1 = PacketCodec(rawValue: "ffv1")
}
