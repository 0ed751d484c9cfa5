/// The colour tags of Video4Linux, in the kernel's own numbers: four fields of `v4l2_pix_format`.
///
/// In each, 0 is the default.
public struct V4L2Color: Hashable, Sendable {
    /// `enum v4l2_colorspace`.
    public var colorspace: UInt32
    /// `enum v4l2_ycbcr_encoding`.
    public var encoding: UInt32
    /// `enum v4l2_quantization`.
    public var quantization: UInt32
    /// `enum v4l2_xfer_func`.
    public var transferFunction: UInt32

    /// Creates tags; omitted ones are the default.
    public init(
        colorspace: UInt32 = 0, encoding: UInt32 = 0, quantization: UInt32 = 0, transferFunction: UInt32 = 0
    ) {
        self.colorspace = colorspace
        self.encoding = encoding
        self.quantization = quantization
        self.transferFunction = transferFunction
    }

    /// Replaces defaults by the kernel's own values: `V4L2_MAP_*_DEFAULT` of `videodev2.h`.
    ///
    /// The default colour space is sRGB, as for every input that is not a television signal.
    ///
    /// - Parameter isRGB: whether the pixel format is RGB, HSV or Bayer.
    /// - Returns: tags without defaults.
    public func resolved(isRGB: Bool) -> V4L2Color {
        var color = self
        if color.colorspace == 0 { color.colorspace = Colorspace.sRGB }
        if color.encoding == 0 {
            color.encoding =
                switch color.colorspace {
                case Colorspace.bt709, Colorspace.dciP3: Encoding.bt709
                case Colorspace.bt2020: Encoding.bt2020
                case Colorspace.smpte240M: Encoding.smpte240M
                default: Encoding.bt601
                }
        }
        if color.quantization == 0 {
            let isFull = isRGB || color.colorspace == Colorspace.jpeg
            color.quantization = isFull ? Quantization.full : Quantization.limited
        }
        if color.transferFunction == 0 {
            color.transferFunction =
                switch color.colorspace {
                case Colorspace.opRGB: Transfer.opRGB
                case Colorspace.smpte240M: Transfer.smpte240M
                case Colorspace.dciP3: Transfer.dciP3
                case Colorspace.raw: Transfer.none
                case Colorspace.sRGB, Colorspace.jpeg: Transfer.sRGB
                default: Transfer.bt709
                }
        }
        return color
    }

    fileprivate enum Colorspace {
        static let smpte170M: UInt32 = 1
        static let smpte240M: UInt32 = 2
        static let bt709: UInt32 = 3
        static let bt878: UInt32 = 4
        static let bt470BG: UInt32 = 6
        static let jpeg: UInt32 = 7
        static let sRGB: UInt32 = 8
        static let opRGB: UInt32 = 9
        static let bt2020: UInt32 = 10
        static let raw: UInt32 = 11
        static let dciP3: UInt32 = 12
    }

    fileprivate enum Encoding {
        static let bt601: UInt32 = 1
        static let bt709: UInt32 = 2
        static let xv601: UInt32 = 3
        static let xv709: UInt32 = 4
        static let sYCC: UInt32 = 5
        static let bt2020: UInt32 = 6
        static let bt2020ConstantLuminance: UInt32 = 7
        static let smpte240M: UInt32 = 8
    }

    fileprivate enum Quantization {
        static let full: UInt32 = 1
        static let limited: UInt32 = 2
    }

    fileprivate enum Transfer {
        static let bt709: UInt32 = 1
        static let sRGB: UInt32 = 2
        static let opRGB: UInt32 = 3
        static let smpte240M: UInt32 = 4
        static let none: UInt32 = 5
        static let dciP3: UInt32 = 6
        static let pq: UInt32 = 7
    }
}

extension ColorTags {
    /// Creates tags from those of a camera, with the kernel's own rules for defaults.
    ///
    /// xvYCC keeps the limited range of its base standards, whatever is said besides (IEC 61966-2-4); the kernel's test
    /// driver does so, too.
    ///
    /// So the usual webcam, which tags its YUYV as sRGB and nothing else, has the matrix of BT.601 and limited range.
    /// Values without an equivalent become missing tags: the primaries of NTSC of 1953 (`470_SYSTEM_M`) and of `RAW`,
    /// the gamma 2.6 of `DCI_P3`, and all numbers added later. Video4Linux has no tag for the chroma location.
    ///
    /// - Parameters:
    ///   - color: from `v4l2_pix_format` or `v4l2_pix_format_mplane`.
    ///   - isRGB: whether the pixel format is RGB, HSV or Bayer, which have no matrix.
    public init(v4l2 color: V4L2Color, isRGB: Bool) {
        var color = color.resolved(isRGB: isRGB)
        let isExtended = color.encoding == V4L2Color.Encoding.xv601 || color.encoding == V4L2Color.Encoding.xv709
        if isExtended, !isRGB { color.quantization = V4L2Color.Quantization.limited }
        self.init(
            matrix: isRGB ? nil : .init(v4l2: color.encoding), range: .init(v4l2: color.quantization),
            primaries: .init(v4l2: color.colorspace), transfer: .init(v4l2: color.transferFunction))
    }
}

extension ColorSpace.Matrix {
    /// xvYCC has the matrices of its base standards; constant luminance is closest to non-constant luminance.
    fileprivate init?(v4l2 encoding: UInt32) {
        switch encoding {
        case V4L2Color.Encoding.bt601, V4L2Color.Encoding.xv601, V4L2Color.Encoding.sYCC: self = .bt601
        case V4L2Color.Encoding.bt709, V4L2Color.Encoding.xv709: self = .bt709
        case V4L2Color.Encoding.bt2020, V4L2Color.Encoding.bt2020ConstantLuminance: self = .bt2020
        case V4L2Color.Encoding.smpte240M: self = .smpte240m
        default: return nil
        }
    }
}

extension ColorSpace.Range {
    fileprivate init?(v4l2 quantization: UInt32) {
        switch quantization {
        case V4L2Color.Quantization.full: self = .full
        case V4L2Color.Quantization.limited: self = .limited
        default: return nil
        }
    }
}

extension ColorSpace.Primaries {
    /// According to the kernel, BT878 is a misreading of a data sheet, and means SMPTE 170M.
    fileprivate init?(v4l2 colorspace: UInt32) {
        switch colorspace {
        case V4L2Color.Colorspace.smpte170M, V4L2Color.Colorspace.smpte240M, V4L2Color.Colorspace.bt878:
            self = .bt601Lines525
        case V4L2Color.Colorspace.bt470BG: self = .bt601Lines625
        case V4L2Color.Colorspace.bt709, V4L2Color.Colorspace.jpeg, V4L2Color.Colorspace.sRGB: self = .bt709
        case V4L2Color.Colorspace.opRGB: self = .adobe
        case V4L2Color.Colorspace.bt2020: self = .bt2020
        case V4L2Color.Colorspace.dciP3: self = .dciP3
        default: return nil
        }
    }
}

extension ColorSpace.Transfer {
    /// SMPTE 240M differs from BT.709 by less than 0.01; opRGB is a gamma of 563/256, about 2.2.
    fileprivate init?(v4l2 transferFunction: UInt32) {
        switch transferFunction {
        case V4L2Color.Transfer.bt709, V4L2Color.Transfer.smpte240M: self = .bt709
        case V4L2Color.Transfer.sRGB: self = .sRGB
        case V4L2Color.Transfer.opRGB: self = .gamma22
        case V4L2Color.Transfer.none: self = .linear
        case V4L2Color.Transfer.pq: self = .pq
        default: return nil
        }
    }
}
