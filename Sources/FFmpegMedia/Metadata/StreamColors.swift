import CVitrailFFmpeg
import MediaIO

/// The colour tags of a frame, or else those of its stream, in FFmpeg's terms.
struct StreamColors {
    private let matrix: AVColorSpace
    private let range: AVColorRange
    private let primaries: AVColorPrimaries
    private let transfer: AVColorTransferCharacteristic
    private let chromaLocation: AVChromaLocation
    private let codec: AVCodecID
    private let format: DeliveredFormat

    /// Reads the tags.
    ///
    /// - Parameters:
    ///   - frame: the decoded frame.
    ///   - stream: the parameters of its stream; `nil` if it has no container.
    ///   - codec: the codec of its stream.
    ///   - format: how the frame is delivered.
    init(
        _ frame: UnsafePointer<AVFrame>, orElse stream: UnsafePointer<AVCodecParameters>?, _ codec: AVCodecID,
        _ format: DeliveredFormat
    ) {
        var none = AVCodecParameters()
        (none.color_space, none.color_range) = (AVCOL_SPC_UNSPECIFIED, AVCOL_RANGE_UNSPECIFIED)
        (none.color_primaries, none.color_trc) = (AVCOL_PRI_UNSPECIFIED, AVCOL_TRC_UNSPECIFIED)
        let (own, other) = (frame.pointee, stream?.pointee ?? none)
        matrix = own.colorspace == AVCOL_SPC_UNSPECIFIED ? other.color_space : own.colorspace
        range = own.color_range == AVCOL_RANGE_UNSPECIFIED ? other.color_range : own.color_range
        primaries = own.color_primaries == AVCOL_PRI_UNSPECIFIED ? other.color_primaries : own.color_primaries
        transfer = own.color_trc == AVCOL_TRC_UNSPECIFIED ? other.color_trc : own.color_trc
        chromaLocation = own.chroma_location == AVCHROMA_LOC_UNSPECIFIED ? other.chroma_location : own.chroma_location
        self.codec = codec
        self.format = format
    }

    /// The tags that have an equivalent in ``ColorTags`` and can be right.
    var tags: ColorTags {
        ColorTags(
            matrix: isImpossibleMatrix ? nil : ColorSpace.Matrix(matrix), range: usableRange,
            primaries: ColorSpace.Primaries(primaries), transfer: ColorSpace.Transfer(transfer),
            chromaLocation: isAmbiguousLocation ? nil : ChromaLocation(chromaLocation))
    }

    private var usableRange: ColorSpace.Range? {
        if isImpossibleRange { return nil }
        return format.isFullRange ? .full : ColorSpace.Range(range)
    }

    /// R, G and B are never subsampled (H.273, clause 8.3).
    private var isImpossibleMatrix: Bool { matrix == AVCOL_SPC_RGB && format.format.layout.isSubsampled }

    /// Full range is impossible in v210: SDI reserves the code values at both ends for synchronisation.
    private var isImpossibleRange: Bool { codec == AV_CODEC_ID_V210 && range == AVCOL_RANGE_JPEG }

    /// Whether the siting may be a default: decoders of H.264, HEVC and VVC also report "left" for untagged streams.
    private var isAmbiguousLocation: Bool {
        chromaLocation == AVCHROMA_LOC_LEFT
            && (codec == AV_CODEC_ID_H264 || codec == AV_CODEC_ID_HEVC || codec == AV_CODEC_ID_VVC)
    }

    /// Where the tags come from, and which of them are approximated or unusable.
    ///
    /// - Parameter container: the tags in the container's header.
    /// - Returns: the notes by part; none for a usable tag that the stream itself states.
    ///
    /// **Cost:** allocates; once per stream.
    func notes(_ container: ContainerTags?) -> [ColorTags.Part: ColorTags.Note] {
        var notes: [ColorTags.Part: ColorTags.Note] = [:]
        let tags = tags
        let fills = DecoderTags(codec)
        for part in ColorTags.Part.allCases {
            guard let value = tags.name(of: part) else { continue }
            notes[part] = fills.note(part, value)
            if notes[part] == .inferred, let tag = container?.name(of: part) {
                notes[part] = tag == value ? nil : .overruled(tag)
            }
        }
        // Only the decoder's pixel format implies full range; the stream states no range.
        if format.isFullRange, range == AVCOL_RANGE_UNSPECIFIED { notes[.range] = .inferred }
        if isAmbiguousLocation { notes[.chroma] = .ambiguous(ChromaLocation.left.rawValue) }
        if matrix == AVCOL_SPC_BT2020_CL { notes[.matrix] = .approximated("bt2020c (constant luminance)") }
        if primaries == AVCOL_PRI_EBU3213 { notes[.primaries] = .approximated(primariesName) }
        // The other tags that map to BT.709 have exactly its curve (H.273, table 3).
        if transfer == AVCOL_TRC_SMPTE240M || transfer == AVCOL_TRC_IEC61966_2_4 || transfer == AVCOL_TRC_BT1361_ECG {
            notes[.transfer] = .approximated(transferName)
        }
        let missing = "no equivalent"
        if tags.matrix == nil, matrix != AVCOL_SPC_UNSPECIFIED {
            let name = Self.name(av_color_space_name(matrix), matrix.rawValue)
            let isRGB = isImpossibleMatrix
            notes[.matrix] = .unusable(
                isRGB ? "rgb" : name, because: isRGB ? "impossible with subsampled chroma" : missing)
        }
        if isImpossibleRange { notes[.range] = .unusable("full", because: "impossible in v210") }
        if tags.primaries == nil, primaries != AVCOL_PRI_UNSPECIFIED {
            notes[.primaries] = .unusable(primariesName, because: missing)
        }
        if tags.transfer == nil, transfer != AVCOL_TRC_UNSPECIFIED {
            notes[.transfer] = .unusable(transferName, because: missing)
        }
        return notes
    }

    private var primariesName: String { Self.name(av_color_primaries_name(primaries), primaries.rawValue) }

    private var transferName: String { Self.name(av_color_transfer_name(transfer), transfer.rawValue) }

    private static func name(_ known: UnsafePointer<CChar>?, _ number: UInt32) -> String {
        known.map { String(cString: $0) } ?? "number \(number)"
    }
}
