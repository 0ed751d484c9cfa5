import CFFmpeg
import MediaIO

/// The colour tags of a picture or of a stream, as FFmpeg numbers them (ITU-T H.273).
struct ColorTags {
    var matrix: AVColorSpace
    var range: AVColorRange
    var primaries: AVColorPrimaries
    var transfer: AVColorTransferCharacteristic
    var chroma: AVChromaLocation

    /// The tags of a picture, and of its stream where the picture is silent.
    init(_ frame: borrowing AVFrame, orElse stream: borrowing AVCodecParameters) {
        matrix = frame.colorspace == AVCOL_SPC_UNSPECIFIED ? stream.color_space : frame.colorspace
        range = frame.color_range == AVCOL_RANGE_UNSPECIFIED ? stream.color_range : frame.color_range
        primaries = frame.color_primaries == AVCOL_PRI_UNSPECIFIED ? stream.color_primaries : frame.color_primaries
        transfer = frame.color_trc == AVCOL_TRC_UNSPECIFIED ? stream.color_trc : frame.color_trc
        chroma = frame.chroma_location == AVCHROMA_LOC_UNSPECIFIED ? stream.chroma_location : frame.chroma_location
    }
}

extension ColorSpace {
    /// What `tags` say; each part that they do not say, or that has no name here, is ``unspecified(for:)``.
    ///
    /// - Parameters:
    ///   - tags: from FFmpeg.
    ///   - isFullRange: the pixel format itself says so.
    ///   - size: in memory.
    init(_ tags: ColorTags, isFullRange: Bool, size: VideoSize) {
        self = .unspecified(for: size)
        matrix = Matrix(tags.matrix) ?? matrix
        range = isFullRange ? .full : Range(tags.range) ?? range
        primaries = Primaries(tags.primaries) ?? primaries
        transfer = Transfer(tags.transfer) ?? transfer
    }
}

extension ColorSpace.Matrix {
    /// The matrix, or the one nearest to it: FCC is BT.601 but for the third digit, SMPTE 240M almost BT.709.
    fileprivate init?(_ tag: AVColorSpace) {
        switch tag {
        case AVCOL_SPC_BT709, AVCOL_SPC_SMPTE240M: self = .bt709
        case AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M, AVCOL_SPC_FCC: self = .bt601
        case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: self = .bt2020
        default: return nil
        }
    }
}

extension ColorSpace.Range {
    fileprivate init?(_ tag: AVColorRange) {
        switch tag {
        case AVCOL_RANGE_MPEG: self = .limited
        case AVCOL_RANGE_JPEG: self = .full
        default: return nil
        }
    }
}

extension ColorSpace.Primaries {
    /// SMPTE 240M has the numbers of SMPTE 170M.
    fileprivate init?(_ tag: AVColorPrimaries) {
        switch tag {
        case AVCOL_PRI_BT709: self = .bt709
        case AVCOL_PRI_BT470BG: self = .bt601Lines625
        case AVCOL_PRI_SMPTE170M, AVCOL_PRI_SMPTE240M: self = .bt601Lines525
        case AVCOL_PRI_BT2020: self = .bt2020
        default: return nil
        }
    }
}

extension ColorSpace.Transfer {
    /// BT.601 and BT.2020 have BT.709's curve.
    fileprivate init?(_ tag: AVColorTransferCharacteristic) {
        switch tag {
        case AVCOL_TRC_BT709, AVCOL_TRC_SMPTE170M, AVCOL_TRC_BT2020_10, AVCOL_TRC_BT2020_12: self = .bt709
        case AVCOL_TRC_IEC61966_2_1: self = .sRGB
        case AVCOL_TRC_LINEAR: self = .linear
        case AVCOL_TRC_SMPTE2084: self = .pq
        case AVCOL_TRC_ARIB_STD_B67: self = .hlg
        default: return nil
        }
    }
}

extension ChromaLocation {
    /// The place, or the nearest one that has a name here.
    ///
    /// Top and bottom are half a sample from the centre, bottom left is half a sample from left. Not said is left, as
    /// it is for most codecs.
    init(_ tag: AVChromaLocation) {
        switch tag {
        case AVCHROMA_LOC_CENTER, AVCHROMA_LOC_TOP, AVCHROMA_LOC_BOTTOM: self = .center
        case AVCHROMA_LOC_TOPLEFT: self = .topLeft
        default: self = .left
        }
    }
}
