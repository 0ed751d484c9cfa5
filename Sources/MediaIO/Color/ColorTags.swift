/// The colour tags of a stream, and the rule for those that are missing.
///
/// Sources pass on the tags that they find and nothing else. The rule is applied only where a frame is used, when its
/// format and size are known (``VideoFrame/colorSpace``, ``VideoFrame/chromaLocation``), after values set by a person
/// have replaced the tags (``overridden(by:)``). So such a value has the same consequences for every source.
///
/// For each part, the first of these that applies:
///
/// | part | rule |
/// |---|---|
/// | matrix | RGB, Bayer and gray formats have none. The tag, if there is one. Tagged with primaries of BT.2020, PQ or HLG: BT.2020. At least 1280 columns or more than 576 rows: BT.709. Else BT.601. |
/// | range | Components of less than 8 bits are full: limited range has no code values for them. The tag, if there is one. RGB, Bayer and gray formats: full. Else limited. |
/// | primaries | The tag, if there is one. Tagged with PQ, HLG or the matrix of BT.2020: BT.2020. RGB and Bayer formats, at least 1280 columns, or more than 576 rows: BT.709. Else BT.601 with 525 lines, or with 625 for a frame of 576 rows. |
/// | transfer | The tag, if there is one. Floating-point formats: linear. RGB and Bayer formats: sRGB. Else BT.709. |
/// | chroma | The tag, if there is one. Tagged with matrix or primaries of BT.2020, PQ or HLG: top left. Else left, as in MPEG-2. |
///
/// For cameras see ``init(v4l2:isRGB:)``. Values that a decoder infers from its standard count as tags, such as the
/// centred chroma of JPEG. Sources leave out `left` of H.264, HEVC and VVC, because their decoders report it for
/// streams without a tag, too. They also leave out tags that cannot be right: `rgb` with subsampled chroma (H.273,
/// clause 8.3), and full range of the codec v210, which reserves the code values at both ends for SDI's
/// synchronisation. A value set by a person is used wherever the format has that part.
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

    /// Creates the tags of a complete colour space.
    public init(_ space: ColorSpace, chromaLocation: ChromaLocation? = nil) {
        self.init(
            matrix: space.matrix, range: space.range, primaries: space.primaries, transfer: space.transfer,
            chromaLocation: chromaLocation)
    }

    /// These tags, with those of `others` taking precedence, part by part.
    public func overridden(by others: ColorTags) -> ColorTags {
        ColorTags(
            matrix: others.matrix ?? matrix, range: others.range ?? range, primaries: others.primaries ?? primaries,
            transfer: others.transfer ?? transfer, chromaLocation: others.chromaLocation ?? chromaLocation)
    }

    /// The colour space of a frame with these tags.
    ///
    /// **Cost:** allocates nothing.
    public func colorSpace(of format: PixelFormat, size: VideoSize) -> ColorSpace {
        let layout = format.layout
        return ColorSpace(
            matrix: chosenMatrix(layout, size).value, range: chosenRange(layout).value,
            primaries: chosenPrimaries(layout, size).value, transfer: chosenTransfer(layout).value)
    }

    /// The chroma location of a frame with these tags.
    ///
    /// **Cost:** allocates nothing.
    public func chromaLocation(of format: PixelFormat) -> ChromaLocation {
        chosenChromaLocation(format.layout).value
    }

    /// Why a value is used.
    enum Reason {
        case tag, noMatrix, fewBits, notSubsampled
        case wide, large, small, lines625, rgbFormat, grayFormat, yCbCrFormat, floatFormat, mpeg
    }

    typealias Choice<Value> = (value: Value, reason: Reason)

    private var saysHDR: Bool { transfer?.isHDR ?? false }

    private func isLarge(_ size: VideoSize) -> Bool { size.width >= 1280 || size.height > 576 }

    func chosenMatrix(_ layout: PixelLayout, _ size: VideoSize) -> Choice<ColorSpace.Matrix> {
        guard layout.model == .yCbCr else { return (.rgb, .noMatrix) }
        if let matrix { return (matrix, .tag) }
        if primaries == .bt2020 || saysHDR { return (.bt2020, .wide) }
        return isLarge(size) ? (.bt709, .large) : (.bt601, .small)
    }

    func chosenRange(_ layout: PixelLayout) -> Choice<ColorSpace.Range> {
        if layout.depth < 8 { return (.full, .fewBits) }
        if let range { return (range, .tag) }
        return switch layout.model {
        case .yCbCr: (.limited, .yCbCrFormat)
        case .gray: (.full, .grayFormat)
        case .rgb, .bayer: (.full, .rgbFormat)
        }
    }

    func chosenPrimaries(_ layout: PixelLayout, _ size: VideoSize) -> Choice<ColorSpace.Primaries> {
        if let primaries { return (primaries, .tag) }
        if saysHDR || matrix == .bt2020 { return (.bt2020, .wide) }
        if layout.model == .rgb || layout.model == .bayer { return (.bt709, .rgbFormat) }
        if isLarge(size) { return (.bt709, .large) }
        return size.height == 576 ? (.bt601Lines625, .lines625) : (.bt601Lines525, .small)
    }

    func chosenTransfer(_ layout: PixelLayout) -> Choice<ColorSpace.Transfer> {
        if let transfer { return (transfer, .tag) }
        if layout.isFloat { return (.linear, .floatFormat) }
        return switch layout.model {
        case .rgb, .bayer: (.sRGB, .rgbFormat)
        case .gray: (.bt709, .grayFormat)
        case .yCbCr: (.bt709, .yCbCrFormat)
        }
    }

    func chosenChromaLocation(_ layout: PixelLayout) -> Choice<ChromaLocation> {
        let isSubsampled = layout.isSubsampled
        func choice(_ value: ChromaLocation, _ reason: Reason) -> Choice<ChromaLocation> {
            (value, isSubsampled ? reason : .notSubsampled)
        }
        if let chromaLocation { return choice(chromaLocation, .tag) }
        if matrix == .bt2020 || primaries == .bt2020 || saysHDR { return choice(.topLeft, .wide) }
        return choice(.left, .mpeg)
    }
}
