/// What the samples of a picture mean.
///
/// Travels with every frame.
public struct ColorSpace: Hashable, Sendable {
    /// How Y, Cb and Cr are made from R, G and B.
    public enum Matrix: String, CaseIterable, Hashable, Sendable {
        /// ITU-R BT.601: Kr 0.299, Kb 0.114.
        case bt601
        /// ITU-R BT.709: Kr 0.2126, Kb 0.0722.
        case bt709
        /// ITU-R BT.2020 with non-constant luminance: Kr 0.2627, Kb 0.0593.
        case bt2020

        /// The weight of red in luma (ITU-T H.273, table 4).
        public var kr: Double {
            switch self {
            case .bt601: 0.299
            case .bt709: 0.2126
            case .bt2020: 0.2627
            }
        }

        /// The weight of blue in luma (ITU-T H.273, table 4).
        public var kb: Double {
            switch self {
            case .bt601: 0.114
            case .bt709: 0.0722
            case .bt2020: 0.0593
            }
        }
    }

    /// Which code values stand for black and white.
    public enum Range: String, CaseIterable, Hashable, Sendable {
        /// Of 8 bits, luma uses 16…235 and chroma 16…240.
        case limited
        /// All code values are used.
        case full
    }

    /// The colours of the red, green and blue light (ITU-T H.273, table 2).
    public enum Primaries: String, CaseIterable, Hashable, Sendable {
        /// BT.709 and sRGB.
        case bt709
        /// BT.601 with 525 lines, SMPTE 170M.
        case bt601Lines525
        /// BT.601 with 625 lines, BT.470 BG.
        case bt601Lines625
        /// BT.2020 and BT.2100.
        case bt2020
    }

    /// How code values relate to light (ITU-T H.273, table 3).
    public enum Transfer: String, CaseIterable, Hashable, Sendable {
        /// BT.709, BT.601 and BT.2020 at 8 to 12 bits: shown after BT.1886.
        case bt709
        /// IEC 61966-2-1.
        case sRGB
        /// Proportional to light.
        case linear
        /// SMPTE ST 2084.
        case pq
        /// ARIB STD-B67.
        case hlg
    }

    /// How Y, Cb and Cr are made from R, G and B.
    public var matrix: Matrix
    /// Which code values stand for black and white.
    public var range: Range
    /// The colours of the red, green and blue light.
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

    /// What is assumed of a picture that says nothing of itself: BT.709 from 1280 × 720 upwards (either side
    /// suffices), BT.601 below, limited range.
    ///
    /// It is what players do.
    public static func unspecified(for size: VideoSize) -> ColorSpace {
        size.width >= 1280 || size.height >= 720
            ? ColorSpace(matrix: .bt709, range: .limited)
            : ColorSpace(matrix: .bt601, range: .limited, primaries: .bt601Lines525)
    }
}
