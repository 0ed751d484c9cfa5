import CVitrailFFmpeg
import MediaIO

// FFmpeg's tags (ITU-T H.273) for what is encoded.

extension AVColorSpace {
    /// The tag of a matrix.
    init(_ matrix: ColorSpace.Matrix) {
        self =
            switch matrix {
            case .bt601: AVCOL_SPC_SMPTE170M
            case .bt709: AVCOL_SPC_BT709
            case .bt2020: AVCOL_SPC_BT2020_NCL
            case .smpte240m: AVCOL_SPC_SMPTE240M
            case .fcc: AVCOL_SPC_FCC
            case .ycgco: AVCOL_SPC_YCGCO
            case .rgb: AVCOL_SPC_RGB
            }
    }
}

extension AVColorPrimaries {
    /// The tag of primaries; Adobe RGB has none.
    init(_ primaries: ColorSpace.Primaries) {
        self =
            switch primaries {
            case .bt709: AVCOL_PRI_BT709
            case .bt601Lines525: AVCOL_PRI_SMPTE170M
            case .bt601Lines625: AVCOL_PRI_BT470BG
            case .bt2020: AVCOL_PRI_BT2020
            case .displayP3: AVCOL_PRI_SMPTE432
            case .dciP3: AVCOL_PRI_SMPTE431
            case .adobe: AVCOL_PRI_UNSPECIFIED
            }
    }
}

extension AVColorTransferCharacteristic {
    /// The tag of a transfer.
    init(_ transfer: ColorSpace.Transfer) {
        self =
            switch transfer {
            case .bt709: AVCOL_TRC_BT709
            case .sRGB: AVCOL_TRC_IEC61966_2_1
            case .linear: AVCOL_TRC_LINEAR
            case .gamma22: AVCOL_TRC_GAMMA22
            case .gamma28: AVCOL_TRC_GAMMA28
            case .pq: AVCOL_TRC_SMPTE2084
            case .hlg: AVCOL_TRC_ARIB_STD_B67
            }
    }
}

extension AVChromaLocation {
    /// The tag of a location.
    init(_ location: ChromaLocation) {
        self =
            switch location {
            case .left: AVCHROMA_LOC_LEFT
            case .center: AVCHROMA_LOC_CENTER
            case .topLeft: AVCHROMA_LOC_TOPLEFT
            case .top: AVCHROMA_LOC_TOP
            case .bottomLeft: AVCHROMA_LOC_BOTTOMLEFT
            case .bottom: AVCHROMA_LOC_BOTTOM
            }
    }
}
