import CVitrailGStreamer
import MediaIO

extension ColorTags {
    /// Reads the tags of a stream.
    ///
    /// - Parameters:
    ///   - info: its layout and colours.
    ///   - hasColors: whether the stream states its colours.
    ///   - hasSite: whether it states the position of its chroma samples.
    init(_ info: GstVideoInfo, hasColors: Bool, hasSite: Bool) {
        self.init()
        if hasColors {
            matrix = ColorSpace.Matrix(info.colorimetry.matrix)
            range = ColorSpace.Range(info.colorimetry.range)
            primaries = ColorSpace.Primaries(info.colorimetry.primaries)
            transfer = ColorSpace.Transfer(info.colorimetry.transfer)
        }
        if hasSite { chromaLocation = ChromaLocation(info.chroma_site) }
    }
}

extension ColorSpace.Matrix {
    fileprivate init?(_ matrix: GstVideoColorMatrix) {
        switch matrix {
        case GST_VIDEO_COLOR_MATRIX_RGB: self = .rgb
        case GST_VIDEO_COLOR_MATRIX_FCC: self = .fcc
        case GST_VIDEO_COLOR_MATRIX_BT709: self = .bt709
        case GST_VIDEO_COLOR_MATRIX_BT601: self = .bt601
        case GST_VIDEO_COLOR_MATRIX_SMPTE240M: self = .smpte240m
        case GST_VIDEO_COLOR_MATRIX_BT2020: self = .bt2020
        default: return nil
        }
    }
}

extension ColorSpace.Range {
    fileprivate init?(_ range: GstVideoColorRange) {
        switch range {
        case GST_VIDEO_COLOR_RANGE_0_255: self = .full
        case GST_VIDEO_COLOR_RANGE_16_235: self = .limited
        default: return nil
        }
    }
}

extension ColorSpace.Primaries {
    /// SMPTE 240M has the primaries of SMPTE 170M, and EBU 3213 differs by less than 0.02 from them.
    fileprivate init?(_ primaries: GstVideoColorPrimaries) {
        switch primaries {
        case GST_VIDEO_COLOR_PRIMARIES_BT709: self = .bt709
        case GST_VIDEO_COLOR_PRIMARIES_BT470BG: self = .bt601Lines625
        case GST_VIDEO_COLOR_PRIMARIES_SMPTE170M, GST_VIDEO_COLOR_PRIMARIES_SMPTE240M,
            GST_VIDEO_COLOR_PRIMARIES_EBU3213:
            self = .bt601Lines525
        case GST_VIDEO_COLOR_PRIMARIES_BT2020: self = .bt2020
        case GST_VIDEO_COLOR_PRIMARIES_ADOBERGB: self = .adobe
        case GST_VIDEO_COLOR_PRIMARIES_SMPTERP431: self = .dciP3
        case GST_VIDEO_COLOR_PRIMARIES_SMPTEEG432: self = .displayP3
        default: return nil
        }
    }
}

extension ColorSpace.Transfer {
    /// BT.601 and BT.2020 have BT.709's curve; SMPTE 240M differs by less than 0.01 from it.
    fileprivate init?(_ transfer: GstVideoTransferFunction) {
        switch transfer {
        case GST_VIDEO_TRANSFER_BT709, GST_VIDEO_TRANSFER_BT601, GST_VIDEO_TRANSFER_BT2020_10,
            GST_VIDEO_TRANSFER_BT2020_12, GST_VIDEO_TRANSFER_SMPTE240M:
            self = .bt709
        case GST_VIDEO_TRANSFER_SRGB: self = .sRGB
        case GST_VIDEO_TRANSFER_GAMMA10: self = .linear
        case GST_VIDEO_TRANSFER_GAMMA22, GST_VIDEO_TRANSFER_ADOBERGB: self = .gamma22
        case GST_VIDEO_TRANSFER_GAMMA28: self = .gamma28
        case GST_VIDEO_TRANSFER_SMPTE2084: self = .pq
        case GST_VIDEO_TRANSFER_ARIB_STD_B67: self = .hlg
        default: return nil
        }
    }
}

extension ChromaLocation {
    fileprivate init?(_ site: GstVideoChromaSite) {
        switch site {
        case GST_VIDEO_CHROMA_SITE_MPEG2: self = .left
        case GST_VIDEO_CHROMA_SITE_JPEG: self = .center
        case GST_VIDEO_CHROMA_SITE_COSITED: self = .topLeft
        case GST_VIDEO_CHROMA_SITE_V_COSITED: self = .top
        default: return nil
        }
    }
}
