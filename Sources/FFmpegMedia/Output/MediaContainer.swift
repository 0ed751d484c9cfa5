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
