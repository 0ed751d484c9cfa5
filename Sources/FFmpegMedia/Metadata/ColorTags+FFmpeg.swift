import CVitrailFFmpeg
import MediaIO

extension ColorSpace.Matrix {
    /// Reads the matrix; BT.2020 with constant luminance is approximated by non-constant luminance.
    ///
    /// SMPTE 2085, ICtCp and matrices derived from the primaries have no equivalent.
    init?(_ tag: AVColorSpace) {
        switch tag {
        case AVCOL_SPC_RGB: self = .rgb
        case AVCOL_SPC_BT709: self = .bt709
        case AVCOL_SPC_FCC: self = .fcc
        case AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M: self = .bt601
        case AVCOL_SPC_SMPTE240M: self = .smpte240m
        case AVCOL_SPC_YCGCO: self = .ycgco
        case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: self = .bt2020
        default: return nil
        }
    }
}

extension ColorSpace.Range {
    init?(_ tag: AVColorRange) {
        switch tag {
        case AVCOL_RANGE_MPEG: self = .limited
        case AVCOL_RANGE_JPEG: self = .full
        default: return nil
        }
    }
}

extension ColorSpace.Primaries {
    /// Reads the primaries; SMPTE 240M has those of SMPTE 170M, and EBU 3213 differs by less than 0.02 from them.
    ///
    /// NTSC of 1953, film and X, Y, Z have no equivalent.
    init?(_ tag: AVColorPrimaries) {
        switch tag {
        case AVCOL_PRI_BT709: self = .bt709
        case AVCOL_PRI_BT470BG: self = .bt601Lines625
        case AVCOL_PRI_SMPTE170M, AVCOL_PRI_SMPTE240M, AVCOL_PRI_EBU3213: self = .bt601Lines525
        case AVCOL_PRI_BT2020: self = .bt2020
        case AVCOL_PRI_SMPTE431: self = .dciP3
        case AVCOL_PRI_SMPTE432: self = .displayP3
        default: return nil
        }
    }
}

extension ColorSpace.Transfer {
    /// Reads the transfer; BT.601, BT.2020 and, between black and white, xvYCC and BT.1361 have BT.709's curve.
    ///
    /// SMPTE 240M differs from BT.709's curve by less than 0.01. The logarithmic curves and the power of 2.6 of SMPTE
    /// 428 have no equivalent.
    init?(_ tag: AVColorTransferCharacteristic) {
        switch tag {
        case AVCOL_TRC_BT709, AVCOL_TRC_SMPTE170M, AVCOL_TRC_SMPTE240M, AVCOL_TRC_BT2020_10, AVCOL_TRC_BT2020_12,
            AVCOL_TRC_IEC61966_2_4, AVCOL_TRC_BT1361_ECG:
            self = .bt709
        case AVCOL_TRC_IEC61966_2_1: self = .sRGB
        case AVCOL_TRC_LINEAR: self = .linear
        case AVCOL_TRC_GAMMA22: self = .gamma22
        case AVCOL_TRC_GAMMA28: self = .gamma28
        case AVCOL_TRC_SMPTE2084: self = .pq
        case AVCOL_TRC_ARIB_STD_B67: self = .hlg
        default: return nil
        }
    }
}

extension ChromaLocation {
    init?(_ tag: AVChromaLocation) {
        switch tag {
        case AVCHROMA_LOC_LEFT: self = .left
        case AVCHROMA_LOC_CENTER: self = .center
        case AVCHROMA_LOC_TOPLEFT: self = .topLeft
        case AVCHROMA_LOC_TOP: self = .top
        case AVCHROMA_LOC_BOTTOMLEFT: self = .bottomLeft
        case AVCHROMA_LOC_BOTTOM: self = .bottom
        default: return nil
        }
    }
}
