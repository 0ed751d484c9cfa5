/// A list of addresses, `.m3u` or `.m3u8`.
struct M3U {
    /// An address of the list.
    struct Entry: Hashable {
        /// The address, which may have options; a relative path starts from the folder of the list.
        let address: String
        /// The name in `#EXTINF:…,NAME` before it.
        let name: String?
    }

    /// The addresses.
    private(set) var entries: [Entry] = []
    /// The name of the list.
    private(set) var title: String?
    /// How often comments with options for other players occur, by their beginning.
    private(set) var playerOptions: [String] = []

    /// Reads a list; `nil` if it is one of segments (HLS), which are one stream.
    ///
    /// - Parameter text: all that is in the file.
    init?(_ text: String) {
        guard !text.contains("#EXT-X-") else { return nil }
        var name: String?
        for line in Self.lines(of: text) {
            guard line.hasPrefix("#") else {
                entries.append(Entry(address: line, name: name))
                name = nil
                continue
            }
            if line.hasPrefix("#EXTINF:") { name = Self.name(in: line) }
            if line.hasPrefix("#PLAYLIST:") { title = String(line.dropFirst(10)) }
            playerOptions += ["#EXTVLCOPT", "#KODIPROP", "#EXTHTTP"].filter { line.hasPrefix($0 + ":") }
        }
    }

    /// The lines that are not blank, without the spaces around them.
    static func lines(of text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map { String($0.trimmingPrefix("\u{FEFF}")).trimmed }
            .filter { !$0.isEmpty }
    }

    /// The name: what follows the first comma outside quotation marks, as in `#EXTINF:-1 group="a, b",Name`.
    private static func name(in line: String) -> String? {
        var (isQuoted, start) = (false, line.startIndex)
        for index in line.indices {
            if line[index] == "\"" { isQuoted.toggle() }
            if line[index] == ",", !isQuoted, start == line.startIndex { start = line.index(after: index) }
        }
        let name = line[start...].trimmingPrefix { $0.isWhitespace }
        return start == line.startIndex || name.isEmpty ? nil : String(name)
    }

    /// An address as the program takes it anywhere.
    ///
    /// - Parameters:
    ///   - line: the address in the list.
    ///   - list: the path of the list.
    /// - Returns: a relative path with the folder of the list, or else `line` itself.
    static func resolved(_ line: String, _ list: String) -> String {
        let isRelative =
            !line.hasPrefix("/") && !line.contains("://")
            && !InputSpecification.prefixes.contains { line.hasPrefix($0) }
        guard isRelative, let slash = list.lastIndex(of: "/") else { return line }
        return list[...slash] + line
    }

    /// Makes a wall of it.
    ///
    /// - Throws: ``ConversionProblem`` if it has no address.
    func convert(into wall: inout WallConversion) throws(ConversionProblem) {
        guard !entries.isEmpty else { throw ConversionProblem("there is no address in it.") }
        wall.document.title = WallConversion.name(title)
        for option in playerOptions { wall.notes.add(.playerOptions, option) }
        for entry in entries {
            guard var input = wall.input(ofList: entry.address) else { continue }
            input.name = input.name ?? WallConversion.name(entry.name)
            wall.add(input)
        }
    }
}
