import CVitrailFFmpeg
public import MediaIO

/// A format of files that hold encoded streams.
public enum MediaContainer: String, CaseIterable, Hashable, Sendable {
    /// MP4 (ISO/IEC 14496-14).
    case mp4
    /// QuickTime.
    case mov
    /// Matroska (RFC 9559).
    case matroska = "mkv"
    /// WebM, which has VP8, VP9 and AV1 only.
    case webm
    /// MPEG-TS (ITU-T H.222.0), which can be read from any point on.
    case transportStream = "ts"

    /// The container of a file, by the extension of its name; `nil` if it has another one.
    public init?(path: String) {
        guard let ending = pathExtension(path) else { return nil }
        self.init(rawValue: ending)
    }

    /// The codec of pictures, if none is chosen.
    public var usualCodec: PacketCodec { self == .webm ? .vp9 : .h264 }

    /// The codecs of ``VideoEncoding/codecs`` that it can hold.
    public var codecs: [PacketCodec] {
        // FFmpeg does not say it of MPEG-TS.
        if self == .transportStream { return [.h264, .hevc] }
        return VideoEncoding.codecs.filter { codec in
            guard let number = avcodec_descriptor_get_by_name(codec.rawValue)?.pointee.id else { return false }
            return avformat_query_codec(muxer, number, FF_COMPLIANCE_NORMAL) == 1
        }
    }

    /// Whether it can hold a codec of video or sound.
    func holds(_ codec: PacketCodec) -> Bool {
        // FFmpeg does not say it of MPEG-TS, and writes what it does not know as private data, which nobody reads.
        if self == .transportStream { return Self.transportStreamCodecs.contains(codec.rawValue) }
        guard let muxer, let number = avcodec_descriptor_get_by_name(codec.rawValue)?.pointee.id else { return false }
        if avformat_query_codec(muxer, number, FF_COMPLIANCE_NORMAL) == 1 { return true }
        // Matroska has the tags of AVI and WAV, too, such as those of the G.711 of cameras; FFmpeg does not say that.
        var tag: UInt32 = 0
        return self == .matroska && av_codec_get_tag2(muxer.pointee.codec_tag, number, &tag) != 0
    }

    private static let transportStreamCodecs: Set = [
        "h264", "hevc", "mpeg1video", "mpeg2video", "mpeg4", "aac", "aac_latm", "mp2", "mp3", "ac3", "eac3", "dts",
        "opus",
    ]

    /// An error that says that it cannot hold a codec, and which one can.
    func refusal(of codec: PacketCodec, _ name: String) -> StreamError {
        let others = Self.allCases.filter { $0.holds(codec) }.map { ".\($0.rawValue)" }
        let advice = others.isEmpty ? "no container can" : "name the files \(others.joined(separator: " or "))"
        return StreamError(.unsupported, "\(name) is \(codec), which .\(rawValue) cannot hold: \(advice).")
    }

    /// Whether it is MP4 or QuickTime.
    var isMP4: Bool { self == .mp4 || self == .mov }

    /// FFmpeg's writer; `nil` if FFmpeg was built without it.
    var muxer: UnsafePointer<AVOutputFormat>? {
        let name =
            switch self {
            case .transportStream: "mpegts"
            default: "\(self)"
            }
        return av_guess_format(name, nil, nil)
    }
}
