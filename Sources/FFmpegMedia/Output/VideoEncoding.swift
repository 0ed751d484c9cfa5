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

    /// What code values mean as colours.
    public enum Colors: String, CaseIterable, Hashable, Sendable {
        /// BT.709, which every receiver shows.
        case bt709
        /// BT.2020 (standard dynamic range), with colours that BT.709 has not; 10 bits.
        case bt2020
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

    /// The bits per sample, 8 or 10; `nil` for 8, with ``Colors/bt2020`` for 10.
    public var depth: Int?
    /// What code values mean as colours.
    public var colors: Colors

    /// Describes an encoding; everything has a usable default.
    public init(
        codec: PacketCodec? = nil, rate: Rate? = nil, keyFrameInterval: Int? = nil, tuning: Tuning = .quality,
        depth: Int? = nil, colors: Colors = .bt709
    ) {
        (self.codec, self.rate, self.keyFrameInterval, self.tuning) = (codec, rate, keyFrameInterval, tuning)
        (self.depth, self.colors) = (depth, colors)
    }

    /// The colours in which a wall must be drawn for it.
    public var colorTarget: ColorTarget {
        colors == .bt2020 ? ColorTarget(primaries: .bt2020, transfer: .bt709) : .sRGB
    }

    /// The format of its pictures.
    ///
    /// - Throws: ``StreamError/Code/unsupported`` for another depth, or BT.2020 with 8 bits, for which it is not defined
    ///   (ITU-R BT.2020-2, table 5).
    func format(_ subject: String) throws(StreamError) -> PixelFormat {
        switch (depth, colors) {
        case (nil, .bt709), (8, .bt709): return .i420
        case (nil, .bt2020), (10, _): return .i010
        case (8, .bt2020):
            throw StreamError(.unsupported, "\(subject) cannot be BT.2020 with 8 bits: choose 10, or bt709.")
        case (let depth?, _):
            throw StreamError(.unsupported, "\(subject) cannot have \(depth) bits: choose 8 or 10.")
        }
    }

    /// The codecs that can be encoded, if this FFmpeg has their encoders.
    public static let codecs: [PacketCodec] = [.h264, .hevc, .vp8, .vp9, .av1, .motionJPEG, .ffv1]
}

extension PacketCodec {
    /// FFV1 (RFC 9043), which loses nothing.
    public static let ffv1 = PacketCodec(rawValue: "ffv1")
}
