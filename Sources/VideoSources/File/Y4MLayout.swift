import MediaIO

/// A layout of samples that Y4M supports.
struct Y4MLayout {
    /// The value of the `C` tag.
    let name: String
    /// The format in memory.
    let format: PixelFormat
    /// The chroma location, if the tag specifies it.
    let chromaLocation: ChromaLocation?
    /// The bits per sample in the file, which may be fewer than the format's, as for gray of 9 or 14 bits.
    let depth: Int

    private init(_ name: String, _ format: PixelFormat, _ location: ChromaLocation? = nil, depth: Int? = nil) {
        self.name = name
        self.format = format
        chromaLocation = location
        self.depth = depth ?? format.layout.depth
    }

    /// All layouts that FFmpeg and mjpegtools read and write, and those that Daala, dav1d and x264 add.
    ///
    /// yuv4mpeg(5) gives 420jpeg the siting of JPEG and MPEG-1; FFmpeg's `yuv4_read_header` reads a plain `420` the
    /// same way. For 420paldv, "top left" is the nearest siting with a name, which FFmpeg uses, too: DV has Cr there,
    /// but Cb a row below. The tags for more than 8 bits do not specify the siting.
    private static let all = [
        Y4MLayout("420jpeg", .i420, .center), Y4MLayout("420mpeg2", .i420, .left),
        Y4MLayout("420paldv", .i420, .topLeft), Y4MLayout("420", .i420, .center), Y4MLayout("411", .i411),
        Y4MLayout("422", .i422), Y4MLayout("440", .i440), Y4MLayout("444", .i444), Y4MLayout("444alpha", .i444a),
        Y4MLayout("mono", .gray8), Y4MLayout("mono9", .gray10, depth: 9), Y4MLayout("mono10", .gray10),
        Y4MLayout("mono12", .gray12), Y4MLayout("mono14", .gray16, depth: 14), Y4MLayout("mono16", .gray16),
        Y4MLayout("420p9", .i009), Y4MLayout("420p10", .i010), Y4MLayout("420p12", .i012), Y4MLayout("420p14", .i014),
        Y4MLayout("420p16", .i016), Y4MLayout("422p9", .i209), Y4MLayout("422p10", .i210), Y4MLayout("422p12", .i212),
        Y4MLayout("422p14", .i214), Y4MLayout("422p16", .i216), Y4MLayout("444p9", .i409), Y4MLayout("444p10", .i410),
        Y4MLayout("444p12", .i412), Y4MLayout("444p14", .i414), Y4MLayout("444p16", .i416),
    ]

    /// All tags, for errors.
    static var names: String { all.map(\.name).joined(separator: ", ") }

    /// The layout with this tag, or `nil`.
    init?(named name: String) {
        guard let known = Self.all.first(where: { $0.name == name }) else { return nil }
        self = known
    }

    /// The layout to write a format in, or `nil` if Y4M has none.
    ///
    /// A siting of 8-bit 4:2:0 that Y4M lacks is replaced by the one with the same horizontal position.
    init?(writing format: PixelFormat, _ location: ChromaLocation) {
        let name: String? =
            switch (format, location) {
            case (.i420, .center), (.i420, .top), (.i420, .bottom): "420jpeg"
            case (.i420, .left), (.i420, .bottomLeft): "420mpeg2"
            case (.i420, .topLeft): "420paldv"
            default: Self.all.first { $0.format == format && $0.depth == format.layout.depth }?.name
            }
        guard let name else { return nil }
        self.init(named: name)
    }

    /// Whether samples must be scaled to fill the format's depth.
    var isWidened: Bool { depth < format.layout.depth }

    /// Scales the samples of a row to the format's depth, so that white stays white.
    func widen(_ row: UnsafeMutableRawBufferPointer, _ range: ColorSpace.Range) {
        let missing = format.layout.depth - depth
        for offset in stride(from: 0, to: row.count - 1, by: 2) {
            let value = UInt16(littleEndian: row.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
            // White is 235 times a power of two in limited range, and all ones in full range.
            let filling = range == .full ? value >> UInt16(depth - missing) : 0
            row.storeBytes(of: (value << UInt16(missing) | filling).littleEndian, toByteOffset: offset, as: UInt16.self)
        }
    }
}
