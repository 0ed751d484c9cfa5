/// One file of a wall: the wall file, or one that it includes.
struct WallFileSource: Sendable {
    /// The path, as it was named.
    let path: String
    /// The content.
    let bytes: [UInt8]
    /// What it says; its paths are as they are written.
    let value: WallValue
    /// Where it says so.
    let outline: Outline

    /// Whether the name of a file says that it is JSON.
    static func isJSON(_ path: String) -> Bool { path.lowercased().hasSuffix(".json") }

    /// Reads a text.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8 without zeros.
    ///   - path: the path of the file, whose ending says what it is.
    /// - Throws: ``WallFileError``, with the place of the first mistake.
    init(_ bytes: [UInt8], _ path: String) throws(WallFileError) {
        (self.path, self.bytes) = (path, bytes)
        do throws(OutlineError) {
            if Self.isJSON(path) {
                (value, outline) = try JSONOutline.read(bytes)
            } else {
                let scan = try TOMLOutline(bytes)
                (value, outline) = (scan.value, scan.outline)
            }
        } catch {
            let place = TextPlace(of: error.offset, in: bytes)
            let message = error.message
            throw WallFileError(path, place, message, hiding: WallFileText.secrets(in: bytes))
        }
    }

    /// The place of a problem.
    func error(_ problem: WallProblem) -> WallFileError {
        let (node, count) = outline.closest(to: problem.path)
        let found = outline.nodes[node]
        let isKey = count < problem.path.count || problem.isOfKey
        return WallFileError(
            path, TextPlace(of: isKey ? found.key.lowerBound : found.value.lowerBound, in: bytes), problem.message,
            hiding: WallFileText.secrets(in: bytes))
    }
}
