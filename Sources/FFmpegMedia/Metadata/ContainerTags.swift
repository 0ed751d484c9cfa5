import CVitrailFFmpeg
import MediaIO

/// The colour tags of a stream in its container's header, before a decoder's own values replace them.
struct ContainerTags {
    private let matrix: AVColorSpace
    private let range: AVColorRange
    private let chromaLocation: AVChromaLocation

    /// Reads the tags; valid until the streams are examined (`avformat_find_stream_info`).
    init(_ stream: AVCodecParameters) {
        (matrix, range, chromaLocation) = (stream.color_space, stream.color_range, stream.chroma_location)
    }

    /// The name of a tag; `nil` if the tag is missing, or of a kind that no decoder replaces.
    ///
    /// A matrix that ``ColorSpace`` does not have gets FFmpeg's name.
    func name(of part: ColorTags.Part) -> String? {
        switch part {
        case .matrix:
            guard matrix != AVCOL_SPC_UNSPECIFIED else { return nil }
            return ColorSpace.Matrix(matrix)?.rawValue ?? av_color_space_name(matrix).map { String(cString: $0) }
        case .range: return ColorSpace.Range(range)?.rawValue
        case .chroma: return ChromaLocation(chromaLocation)?.rawValue
        case .primaries, .transfer: return nil
        }
    }
}
