import MediaIO

/// The first line of a Y4M stream (yuv4mpeg(5) of mjpegtools; the `X` tags are FFmpeg's).
struct Y4MHeader {
    /// The description in the line; without a duration, and with an unchecked size.
    private(set) var info: StreamInfo

    /// The beginning of the line.
    static let magic = "YUV4MPEG2"

    /// The layout of the samples in the file.
    let layout: Y4MLayout

    /// Parses the line.
    ///
    /// - Parameters:
    ///   - line: the line without the line feed.
    ///   - name: the file's name for errors.
    /// - Throws: ``StreamError/Code/malformed`` for an invalid line, ``StreamError/Code/unsupported`` for an unknown
    ///   layout.
    init(_ line: UnsafeRawBufferPointer, name: String) throws(StreamError) {
        let words = line.split(separator: 0x20, omittingEmptySubsequences: true)
            .map { String(decoding: $0, as: UTF8.self) }
        guard words.first == Self.magic else {
            throw StreamError(
                .malformed, "\(name) is not Y4M: it does not begin with \(Self.magic). Check the file.")
        }
        var tags = Tags(name: name)
        for word in words.dropFirst() { try tags.read(word) }
        layout = try tags.findLayout()
        info = try tags.makeInfo(layout)
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
            // Interlaced frames have both fields woven and are shown so; unknown tags do not change samples.
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

        /// Parses a ratio, in which a 0 means unknown.
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
            StreamError(.malformed, "\(name) is damaged: its header \(what). Create the file again.")
        }

        /// The layout's name, or `nil` if the line has none.
        private var layoutName: String? { layout ?? extensionLayout }

        func findLayout() throws(StreamError) -> Y4MLayout {
            let word = layoutName ?? "420"
            guard let known = Y4MLayout(named: word) else {
                throw StreamError(
                    .unsupported,
                    "\(name) has the unknown layout C\(word); known ones are \(Y4MLayout.names). Convert it: ffmpeg -i INPUT -pix_fmt yuv420p OUTPUT.y4m"
                )
            }
            return known
        }

        func makeInfo(_ layout: Y4MLayout) throws(StreamError) -> StreamInfo {
            guard let width else { throw malformed("has no width (W)") }
            guard let height else { throw malformed("has no height (H)") }
            let size = VideoSize(width: width, height: height)
            try checkSize(size, of: name, .unsupported)
            // A line without a name has the samples of 420, but does not say where its chroma is.
            let chromaLocation = layoutName == nil ? nil : layout.chromaLocation
            return StreamInfo(
                container: "y4m", format: layout.format, size: size, frameRate: frameRate,
                attributes: FrameAttributes(
                    colorTags: ColorTags(range: range, chromaLocation: chromaLocation),
                    pixelAspectRatio: pixelAspectRatio ?? .one))
        }
    }
}
