import CVitrailFFmpeg
import MediaIO

/// The colour tags that FFmpeg's decoder of a codec fills in by itself, where the stream has none or cannot have any.
///
/// The table describes libavcodec 5.1; a test checks it by decoding untagged streams.
struct DecoderTags {
    private typealias Part = ColorTags.Part

    /// A value that the decoder fills in; `nil` for any.
    private struct Filled {
        let part: Part
        let value: String?
        /// Whether the stream cannot have this tag, so that it is always the decoder's.
        let isOwn: Bool

        init(_ part: Part, _ value: String? = nil, isOwn: Bool = true) {
            (self.part, self.value, self.isOwn) = (part, value, isOwn)
        }
    }

    private let filled: [Filled]

    /// Looks up a codec; for an unknown codec, any tag may be filled in by the decoder.
    init(_ codec: AVCodecID) {
        filled =
            switch codec {
            // The decoders of these fill in nothing: every tag comes from the stream or its container.
            case AV_CODEC_ID_RAWVIDEO, AV_CODEC_ID_V210, AV_CODEC_ID_FFV1, AV_CODEC_ID_HUFFYUV, AV_CODEC_ID_FFVHUFF,
                AV_CODEC_ID_UTVIDEO, AV_CODEC_ID_AV1, AV_CODEC_ID_VP9, AV_CODEC_ID_H264:
                []
            case _ where vitrail_is_packed_raw_video(codec) != 0: []
            // VP8 has only one matrix, and FFmpeg derives a range from the bit that says whether decoders clamp.
            case AV_CODEC_ID_VP8: [Filled(.matrix), Filled(.range)]
            case AV_CODEC_ID_HEVC, AV_CODEC_ID_VVC: [Filled(.range, "limited", isOwn: false)]
            case AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO: [Filled(.chroma), Filled(.range)]
            case AV_CODEC_ID_MPEG4, AV_CODEC_ID_H263, AV_CODEC_ID_H263P, AV_CODEC_ID_THEORA, AV_CODEC_ID_VP3,
                AV_CODEC_ID_DVVIDEO:
                [Filled(.chroma)]
            // JFIF has no tags; a comment, "CS=ITU601", makes the range limited.
            case AV_CODEC_ID_MJPEG, AV_CODEC_ID_MJPEGB, AV_CODEC_ID_LJPEG, AV_CODEC_ID_AMV, AV_CODEC_ID_SPEEDHQ:
                [Filled(.matrix), Filled(.chroma), Filled(.range, "full")]
            case AV_CODEC_ID_PRORES, AV_CODEC_ID_DNXHD: [Filled(.range, isOwn: false)]
            default: Part.allCases.map { Filled($0, isOwn: false) }
            }
    }

    /// The note on a tag with this value.
    func note(_ part: ColorTags.Part, _ value: String) -> ColorTags.Note? {
        let known = filled.first { $0.part == part && ($0.value ?? value) == value }
        return known.map { $0.isOwn ? .inferred : .perhapsInferred }
    }
}
