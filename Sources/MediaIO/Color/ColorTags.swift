/// A stream's colour tags, and the rule for missing or impossible ones.
///
/// For each part, the first sentence that applies:
///
/// | part | rule |
/// |---|---|
/// | matrix | RGB, Bayer and gray formats have none. The tag, but `rgb` only if chroma is not subsampled (H.273, clause 8.3). Tagged with primaries of BT.2020, PQ or HLG: BT.2020. 1280 × 720 or larger (either side suffices): BT.709. Else BT.601. |
/// | range | ``PixelFormat/v210`` is limited, whatever its tag: code values at both ends are SDI's synchronisation. Components of less than 8 bits are full: limited range has no code values for them. The tag. RGB, Bayer and gray formats: full. Else limited. |
/// | primaries | The tag. Tagged with PQ, HLG or the matrix of BT.2020: BT.2020. RGB and Bayer formats, or 1280 × 720 or larger: BT.709. Else BT.601 with 525 lines, or with 625 for a frame of 576 rows. |
/// | transfer | The tag. Floating-point formats: linear. RGB and Bayer formats: sRGB. Else BT.709. |
/// | chroma | The tag. Tagged with matrix or primaries of BT.2020, PQ or HLG: top left. Tagged (and trusted) full range, as in JPEG: centre. Else left, as in MPEG-2. |
///
/// Players do the same; for cameras see ``init(v4l2:isRGB:)``.
public struct ColorTags: Hashable, Sendable {
    /// How the components are made from R, G and B, or `nil`.
    public var matrix: ColorSpace.Matrix?
    /// The code values of black and white, or `nil`.
    public var range: ColorSpace.Range?
    /// The chromaticities of red, green and blue, or `nil`.
    public var primaries: ColorSpace.Primaries?
    /// How code values relate to light, or `nil`.
    public var transfer: ColorSpace.Transfer?
    /// The position of chroma samples, or `nil`.
    public var chromaLocation: ChromaLocation?

    /// Creates tags; omitted ones are missing.
    public init(
        matrix: ColorSpace.Matrix? = nil, range: ColorSpace.Range? = nil, primaries: ColorSpace.Primaries? = nil,
        transfer: ColorSpace.Transfer? = nil, chromaLocation: ChromaLocation? = nil
    ) {
        self.matrix = matrix
        self.range = range
        self.primaries = primaries
        self.transfer = transfer
        self.chromaLocation = chromaLocation
    }

    /// The colour space of a frame with these tags.
    ///
    /// **Cost:** allocates nothing.
    public func colorSpace(of format: PixelFormat, size: VideoSize) -> ColorSpace {
        ColorSpace(
            matrix: chosenMatrix(format, size).value, range: chosenRange(format).value,
            primaries: chosenPrimaries(format, size).value, transfer: chosenTransfer(format).value)
    }

    /// The chroma location of a frame with these tags.
    ///
    /// **Cost:** allocates nothing.
    public func chromaLocation(of format: PixelFormat) -> ChromaLocation { chosenChromaLocation(format).value }

    /// The tags, the values used, and why, part by part, for people.
    public func explanation(of format: PixelFormat, size: VideoSize) -> [Explanation] {
        func row<Value: RawRepresentable<String>>(
            _ part: String, _ said: Value?, _ taken: (value: Value, reason: Reason)
        ) -> Explanation {
            Explanation(part: part, said: said?.rawValue, taken: taken.value.rawValue, reason: taken.reason.rawValue)
        }
        return [
            row("matrix", matrix, chosenMatrix(format, size)), row("range", range, chosenRange(format)),
            row("primaries", primaries, chosenPrimaries(format, size)),
            row("transfer", transfer, chosenTransfer(format)),
            row("chroma", chromaLocation, chosenChromaLocation(format)),
        ]
    }

    /// One part of ``explanation(of:size:)``.
    public struct Explanation: Hashable, Sendable {
        /// `matrix`, `range`, `primaries`, `transfer` or `chroma`.
        public let part: String
        /// The stream's tag, or `nil`.
        public let said: String?
        /// The value used.
        public let taken: String
        /// The reason for that value.
        public let reason: String
    }

    private enum Reason: String {
        case fewBits = "limited range needs 8 bits or more"
        case said = "tagged by the stream"
        case noMatrix = "the format has no Y, Cb, Cr"
        case subsampledRGB = "R, G and B are never subsampled, so the tag cannot be right"
        case wide = "the stream's other tags say BT.2020, PQ or HLG"
        case large = "untagged; 1280x720 or larger"
        case small = "untagged; below 1280x720"
        case lines625 = "untagged; 576 rows"
        case sdi = "v210 reserves both ends for synchronisation"
        case rgbFormat = "untagged; the format is RGB"
        case grayFormat = "untagged; the format is gray"
        case yCbCrFormat = "untagged; the format is YCbCr"
        case floatFormat = "untagged; the format has floating-point samples"
        case fullRange = "untagged; full range, as in JPEG"
        case mpeg = "untagged; as in MPEG-2 and H.264"
    }

    private typealias Choice<Value> = (value: Value, reason: Reason)

    private var saysHDR: Bool { transfer == .pq || transfer == .hlg }

    private func isLarge(_ size: VideoSize) -> Bool { size.width >= 1280 || size.height >= 720 }

    private func chosenMatrix(_ format: PixelFormat, _ size: VideoSize) -> Choice<ColorSpace.Matrix> {
        let layout = format.layout
        guard layout.model == .yCbCr else { return (.rgb, .noMatrix) }
        if let matrix, matrix != .rgb || !layout.isSubsampled { return (matrix, .said) }
        if primaries == .bt2020 || saysHDR { return (.bt2020, .wide) }
        let isContradiction = matrix == .rgb
        return isLarge(size)
            ? (.bt709, isContradiction ? .subsampledRGB : .large) : (.bt601, isContradiction ? .subsampledRGB : .small)
    }

    private func chosenRange(_ format: PixelFormat) -> Choice<ColorSpace.Range> {
        if format == .v210 { return (.limited, .sdi) }
        let layout = format.layout
        if layout.depth < 8 { return (.full, .fewBits) }
        if let range { return (range, .said) }
        return switch layout.model {
        case .yCbCr: (.limited, .yCbCrFormat)
        case .gray: (.full, .grayFormat)
        case .rgb, .bayer: (.full, .rgbFormat)
        }
    }

    private func chosenPrimaries(_ format: PixelFormat, _ size: VideoSize) -> Choice<ColorSpace.Primaries> {
        if let primaries { return (primaries, .said) }
        if saysHDR || matrix == .bt2020 { return (.bt2020, .wide) }
        let model = format.layout.model
        if model == .rgb || model == .bayer { return (.bt709, .rgbFormat) }
        if isLarge(size) { return (.bt709, .large) }
        return size.height == 576 ? (.bt601Lines625, .lines625) : (.bt601Lines525, .small)
    }

    private func chosenTransfer(_ format: PixelFormat) -> Choice<ColorSpace.Transfer> {
        if let transfer { return (transfer, .said) }
        let layout = format.layout
        if layout.isFloat { return (.linear, .floatFormat) }
        return layout.model == .rgb || layout.model == .bayer ? (.sRGB, .rgbFormat) : (.bt709, .yCbCrFormat)
    }

    private func chosenChromaLocation(_ format: PixelFormat) -> Choice<ChromaLocation> {
        if let chromaLocation { return (chromaLocation, .said) }
        if matrix == .bt2020 || primaries == .bt2020 || saysHDR { return (.topLeft, .wide) }
        return range == .full && chosenRange(format).value == .full ? (.center, .fullRange) : (.left, .mpeg)
    }
}
