import TOMLKit

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
            (value, outline) = try Self.isJSON(path) ? JSONOutline.read(bytes) : Self.readTOML(bytes)
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

    // MARK: TOML

    private static func readTOML(_ bytes: [UInt8]) throws(OutlineError) -> (WallValue, Outline) {
        // Depth is limited before TOMLKit has the text: it takes a part of the stack for each level of dotted keys.
        let outline = try TOMLOutline(bytes).outline
        let json: String
        do {
            let table = try TOMLTable(string: String(decoding: bytes, as: UTF8.self))
            try refuseDates(outline, bytes)
            json = table.convert(to: .json, options: [.quoteDateAndTimes, .allowUnicodeStrings])
        } catch let error as TOMLParseError {
            let offset = Self.offset(error.source.begin, bytes)
            throw OutlineError(offset: offset, message: "this is not TOML: \(words(error))")
        } catch let error as OutlineError {
            throw error
        } catch {
            throw OutlineError(offset: 0, message: "this is not TOML: \(error)")
        }
        do throws(OutlineError) {
            return (try JSONOutline.read(Array(json.utf8)).value, outline)
        } catch {
            throw OutlineError(offset: 0, message: "the file cannot be read: \(error.message)")
        }
    }

    /// Refuses what JSON has not, and a wall does not need.
    private static func refuseDates(_ outline: Outline, _ bytes: [UInt8]) throws(OutlineError) {
        for node in outline.nodes where node.kind == .bare {
            let word = String(decoding: bytes[node.value], as: UTF8.self)
            if word.hasSuffix("inf") || word.hasSuffix("nan") {
                throw OutlineError(offset: node.value.lowerBound, message: "“\(word)” is no number here")
            }
            let isDate =
                word.utf8.count >= 10 && [4, 7].allSatisfy { bytes[node.value.lowerBound + $0] == UInt8(ascii: "-") }
            if isDate || word.utf8.contains(UInt8(ascii: ":")) {
                throw OutlineError(
                    offset: node.value.lowerBound,
                    message: "“\(word)” is a date or a time, which a wall file does not use: is it a text? Quote it")
            }
        }
    }

    private static func words(_ error: TOMLParseError) -> String {
        let text = error.description
        let prefix = "Error while parsing "
        return text.hasPrefix(prefix) ? "in the \(text.dropFirst(prefix.count))" : text
    }

    /// The byte at a place that TOMLKit reports.
    private static func offset(_ place: TOMLSourcePosition, _ bytes: [UInt8]) -> Int {
        var (line, offset) = (1, bytes.starts(with: TextPlace.byteOrderMark) ? 3 : 0)
        while line < place.line, offset < bytes.count {
            if bytes[offset] == UInt8(ascii: "\n") { line += 1 }
            offset += 1
        }
        var column = 1
        while column < place.column, offset < bytes.count, bytes[offset] != UInt8(ascii: "\n") {
            offset += 1
            while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
            column += 1
        }
        return offset
    }
}
