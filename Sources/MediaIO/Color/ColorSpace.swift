/// The meaning of a frame's samples as colours.
///
/// Travels with every frame.
public struct ColorSpace: Hashable, Sendable {
    /// How the three components are made from R, G and B (ITU-T H.273, table 4).
    public enum Matrix: String, CaseIterable, Hashable, Sendable {
        /// ITU-R BT.601: Kr 0.299, Kb 0.114.
        case bt601
        /// ITU-R BT.709: Kr 0.2126, Kb 0.0722.
        case bt709
        /// ITU-R BT.2020 with non-constant luminance: Kr 0.2627, Kb 0.0593.
        case bt2020
        /// SMPTE ST 240: Kr 0.212, Kb 0.087.
        case smpte240m
        /// FCC Title 47, 73.682: Kr 0.30, Kb 0.11.
        case fcc
        /// Luma, green against magenta, orange against blue.
        case ycgco
        /// No matrix: Y is G, Cb is B, Cr is R.
        case rgb

        /// The weights of red and blue in luma; `nil` for a matrix without such weights.
        public var weights: (kr: Double, kb: Double)? {
            switch self {
            case .bt601: (0.299, 0.114)
            case .bt709: (0.2126, 0.0722)
            case .bt2020: (0.2627, 0.0593)
            case .smpte240m: (0.212, 0.087)
            case .fcc: (0.30, 0.11)
            case .ycgco, .rgb: nil
            }
        }
    }

    /// The code values of black and white.
    public enum Range: String, CaseIterable, Hashable, Sendable {
        /// At 8 bits, luma, R, G and B use 16…235 and chroma 16…240.
        case limited
        /// All code values are used.
        case full
    }

    /// The colour primaries: the chromaticities of red, green and blue (ITU-T H.273, table 2).
    public enum Primaries: String, CaseIterable, Hashable, Sendable {
        /// BT.709 and sRGB.
        case bt709
        /// BT.601 with 525 lines, SMPTE 170M and 240M.
        case bt601Lines525
        /// BT.601 with 625 lines, BT.470 BG.
        case bt601Lines625
        /// BT.2020 and BT.2100.
        case bt2020
        /// SMPTE EG 432-1: P3 with a D65 white point.
        case displayP3
        /// SMPTE RP 431-2: P3 with the white point of digital cinema.
        case dciP3
        /// Adobe RGB (1998).
        case adobe
    }

    /// How code values relate to light (ITU-T H.273, table 3).
    public enum Transfer: String, CaseIterable, Hashable, Sendable {
        /// BT.709, BT.601 and BT.2020 at 8 to 12 bits: shown by BT.1886.
        case bt709
        /// IEC 61966-2-1.
        case sRGB
        /// Proportional to light.
        case linear
        /// A power of 2.2.
        case gamma22
        /// A power of 2.8.
        case gamma28
        /// SMPTE ST 2084, BT.2100.
        case pq
        /// ARIB STD-B67, BT.2100.
        case hlg
    }

    /// How the three components are made from R, G and B; meaningless for RGB formats.
    public var matrix: Matrix
    /// The code values of black and white.
    public var range: Range
    /// The chromaticities of red, green and blue.
    public var primaries: Primaries
    /// How code values relate to light.
    public var transfer: Transfer

    /// Creates a colour space from its four parts.
    public init(matrix: Matrix, range: Range, primaries: Primaries = .bt709, transfer: Transfer = .bt709) {
        self.matrix = matrix
        self.range = range
        self.primaries = primaries
        self.transfer = transfer
    }

    /// The colour space to assume for an untagged frame; see ``ColorTags``.
    public static func unspecified(for size: VideoSize, format: PixelFormat = .i420) -> ColorSpace {
        ColorTags().colorSpace(of: format, size: size)
    }
}
