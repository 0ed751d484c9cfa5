import MediaIO

/// What the first line of a Y4M stream says (yuv4mpeg(5) of mjpegtools; the `X` tags are FFmpeg's).
struct Y4MHeader {
    /// What the line says; with neither a duration nor a check of what sizes are possible.
    private(set) var info: StreamInfo

    /// Every line begins with it.
    static let magic = "YUV4MPEG2"

    /// The layouts that are read, and where their chroma samples lie.
    ///
    /// yuv4mpeg(5) gives 420jpeg the siting of JPEG and MPEG-1 and makes it the default; FFmpeg's `yuv4_read_header`
    /// reads a bare `420` the same way. For 420paldv FFmpeg says "top left"; DV has only Cr there and Cb a row below, for
    /// which there is no name, so that is the nearest.
    private static let chromaLocations: [String: ChromaLocation] = [
        "420": .center, "420jpeg": .center, "420mpeg2": .left, "420paldv": .topLeft,
    ]

    /// Reads the line.
    ///
    /// - Parameters:
    ///   - line: without the line feed.
    ///   - name: what people call the file, for errors.
    /// - Throws: ``StreamError/Code/malformed`` for what breaks the rules, ``StreamError/Code/unsupported`` for a layout
    ///   that is not known here.
    init(_ line: UnsafeRawBufferPointer, name: String) throws(StreamError) {
        let words = line.split(separator: 0x20, omittingEmptySubsequences: true)
            .map { String(decoding: $0, as: UTF8.self) }
        guard words.first == Self.magic else {
            throw StreamError(
                .malformed, "\(name) is not Y4M: it does not begin with \(Self.magic). Check the name of the file.")
        }
        var tags = Tags(name: name)
        for word in words.dropFirst() { try tags.read(word) }
        info = try tags.makeInfo()
    }

    private struct Tags {
        let name: String
        var width: Int?
        var height: Int?
        var frameRate: Rational?
        var pixelAspectRatio: Rational?
        var layout: String?
        var extensionLayout: String?
        var range: ColorSpace.Range?

        mutating func read(_ word: String) throws(StreamError) {
            let value = String(word.dropFirst())
            switch word.first {
            case "W": width = try side(word, value)
            case "H": height = try side(word, value)
            case "F": frameRate = try ratio(word, value)
            case "A": pixelAspectRatio = try ratio(word, value)
            case "C": layout = value
            case "X": readExtension(value)
            // Interlaced pictures come with both fields woven and are shown so; tags of later days change no sample.
            default: break
            }
        }

        private mutating func readExtension(_ value: String) {
            let parts = value.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { return }
            switch (parts[0], parts[1]) {
            case ("YSCSS", let layout): extensionLayout = layout.lowercased()
            case ("COLORRANGE", "FULL"): range = .full
            case ("COLORRANGE", "LIMITED"): range = .limited
            default: break
            }
        }

        private func side(_ word: String, _ value: String) throws(StreamError) -> Int {
            guard let side = decimal(value), side > 0 else { throw malformed("has the size \(word)") }
            return side
        }

        /// 0:0, or one of the two being 0, means unknown.
        private func ratio(_ word: String, _ value: String) throws(StreamError) -> Rational? {
            let parts = value.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, let upper = decimal(parts[0]), let lower = decimal(parts[1]),
                max(upper, lower) <= Int(Int32.max)
            else { throw malformed("has the ratio \(word)") }
            return upper > 0 && lower > 0 ? Rational(upper, lower) : nil
        }

        private func decimal(_ text: some StringProtocol) -> Int? {
            text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
        }

        private func malformed(_ what: String) -> StreamError {
            StreamError(.malformed, "\(name) is damaged: its header \(what). Make the file again.")
        }

        func makeInfo() throws(StreamError) -> StreamInfo {
            guard let width else { throw malformed("has no width (W)") }
            guard let height else { throw malformed("has no height (H)") }
            let size = VideoSize(width: width, height: height)
            try checkSize(size, of: name, .unsupported)
            let layout = layout ?? extensionLayout ?? "420jpeg"
            guard let chromaLocation = Y4MHeader.chromaLocations[layout] else { throw unsupported(layout) }
            var colorSpace = ColorSpace.unspecified(for: size)
            colorSpace.range = range ?? colorSpace.range
            return StreamInfo(
                container: "y4m", format: .i420, size: size, frameRate: frameRate, colorSpace: colorSpace,
                chromaLocation: chromaLocation, pixelAspectRatio: pixelAspectRatio ?? .one)
        }

        private func unsupported(_ layout: String) -> StreamError {
            let depth = layout.split(separator: "p").last.flatMap { decimal($0) }
            let meaning =
                switch layout {
                case "mono": " (no colour)"
                case "444alpha": " (4:4:4 with transparency)"
                case _ where layout.contains("p") && depth != nil: " (\(depth ?? 0) bits a sample)"
                case "411", "422", "440", "444":
                    " (4:\(layout.dropFirst().prefix(1)):\(layout.dropFirst(2)) chroma)"
                default: ""
                }
            return StreamError(
                .unsupported,
                "\(name) has the layout C\(layout)\(meaning), which is not known yet; convert it to 8-bit 4:2:0: ffmpeg -i INPUT -pix_fmt yuv420p OUTPUT.y4m"
            )
        }
    }
}
