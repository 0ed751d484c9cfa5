import MediaIO
import VideoWall

/// The configuration of cctv-viewer and its relatives (T171RU, KVision), or the presets that it exports.
struct CCTVViewerFile {
    private let presets: [JSONValue]
    private var current = 0
    private var content: ContentMode?
    private var isCarousel = false
    private var mediaOptions: [String: JSONValue] = [:]

    private static let group = "ViewportsLayoutsCollection"

    /// Whether settings are those of cctv-viewer.
    static func matches(_ settings: QtSettings) -> Bool { settings.has(group: group) }

    /// Reads the configuration.
    ///
    /// - Throws: ``ConversionProblem``, with the line.
    init(_ settings: QtSettings) throws(ConversionProblem) {
        let isBlank = { (value: QtSettings.Value?) in value?.text?.allSatisfy(\.isWhitespace) ?? true }
        let newer = settings[Self.group + "/models"]
        let older = settings[Self.group + "/collection"]
        guard let value = isBlank(newer) ? older : newer, !isBlank(value) else { throw Self.nothing }
        presets = try Self.presets(try Self.json(value, "the list of presets"), line: value.line)
        current = Self.number(settings[Self.group + "/currentIndex"] ?? settings["MainLayout/currentIndex"]) ?? 0
        content = Self.number(settings["Viewport/fillMode"]).flatMap { [0: .stretch, 1: .fit, 2: .fill][$0] }
        isCarousel = ["true", "1"].contains(settings["Presets/carouselRunning"]?.text)
        if let value = settings[Self.group + "/defaultAVFormatOptions"], !isBlank(value) {
            mediaOptions = try Self.json(value, "defaultAVFormatOptions").table ?? [:]
        }
    }

    /// Reads exported presets.
    ///
    /// - Throws: ``ConversionProblem`` if there are none.
    init(export: JSONValue) throws(ConversionProblem) {
        let list = export["presets"]
        presets = try Self.presets(list == .null ? export : list, line: 1)
        current = export["currentIndex"].int ?? 0
    }

    private static var nothing: ConversionProblem {
        ConversionProblem("cctv-viewer has saved no preset in it, so there is nothing to convert.")
    }

    private static func presets(_ value: JSONValue, line: Int) throws(ConversionProblem) -> [JSONValue] {
        guard let list = value.list ?? (value.table == nil ? nil : [value]) else {
            throw ConversionProblem("the presets must be a list.", line: line)
        }
        guard !list.isEmpty else { throw nothing }
        return list
    }

    /// The JSON in a value: as it stands if somebody has written it without the escapes of Qt.
    private static func json(_ value: QtSettings.Value, _ subject: String) throws(ConversionProblem) -> JSONValue {
        let raw = value.raw.drop(while: \.isWhitespace)
        if "[{".contains(raw.first ?? " "), let json = try? JSONValue(String(raw), subject) { return json }
        do throws(ConversionProblem) { return try JSONValue(value.text ?? "", subject) } catch {
            // The line within the text is not one of the file, in which it stands in one line.
            throw ConversionProblem(error.message, line: value.line)
        }
    }

    private static func number(_ value: QtSettings.Value?) -> Int? { value?.text.flatMap { Int($0) } }

    // MARK: A wall

    /// Makes a wall of one preset.
    ///
    /// - Parameters:
    ///   - number: which, from 1; `nil` for the one that was shown last.
    ///   - wall: the wall.
    /// - Throws: ``ConversionProblem`` if there is no such preset.
    func convert(_ number: Int?, into wall: inout WallConversion) throws(ConversionProblem) {
        let index = number.map { $0 - 1 } ?? min(max(0, current), presets.count - 1)
        guard presets.indices.contains(index) else { throw .missing(number: number ?? 1, count: presets.count) }
        if presets.count > 1 {
            wall.notes.remark(
                "This is wall \(index + 1) of \(presets.count): --wall takes another one; each needs a file of its own."
            )
        }
        if isCarousel { wall.notes.remark("The carousel of presets is not kept: each preset is a wall of its own.") }
        wall.document.look.content = content ?? wall.document.look.content
        let preset = presets[index]
        let columnsAndRows = ["size", "division"].lazy.compactMap { preset[$0].pair }.first
        guard let columns = columnsAndRows?.width ?? preset["columns"].int,
            let rows = columnsAndRows?.height ?? preset["rows"].int
        else { return }
        guard var cells = GridCells(rows: rows, columns: columns) else {
            throw ConversionProblem("wall \(index + 1) must have 1 to \(GridCells.most) rows and columns.")
        }
        if let ratio = preset["aspectRatio"].pair, ratio.width * 9 != ratio.height * 16 {
            wall.notes.remark(
                "The shape of the cells, \(ratio.width):\(ratio.height), is not kept: they fill the window.")
        }
        for (index, item) in (preset[["items", "model"]].list ?? []).prefix(rows * columns).enumerated() {
            let (across, down) = (item["columnSpan"].int ?? 1, item["rowSpan"].int ?? 1)
            guard across >= 1, down >= 1 else {
                if item["url"].text != nil { wall.notes.add(.covered) }
                continue
            }
            let span = cells.take(
                GridCells.Span(row: index / columns, column: index % columns, rows: down, columns: across))
            if let input = input(item, &wall) { cells.put(input, in: span) }
        }
        cells.lay(out: &wall)
    }

    /// The input of an item; `nil` if its cell is empty.
    private func input(_ item: JSONValue, _ wall: inout WallConversion) -> WallInput? {
        var inputs: [WallInput] = []
        for key in ["urlHigh", "url", "subStreamUrl", "secondaryUrl"] {
            guard let text = item[key].text, let input = wall.input(at: text),
                !inputs.contains(where: { $0.address == input.address })
            else { continue }
            inputs.append(input)
        }
        guard var input = inputs.first else { return nil }
        // The last one is the smallest.
        if inputs.count > 1 { input.substream = inputs.last?.address }
        if inputs.count > 2 { wall.notes.add(.streams) }
        input.name = WallConversion.name(item[["name", "description"]].text)
        if item["volume"].number ?? 0 > 0 { wall.notes.add(.volume) }
        setOptions(mediaOptions.merging(item["avFormatOptions"].table ?? [:]) { $1 }, of: &input, &wall)
        return input
    }

    private func setOptions(_ options: [String: JSONValue], of input: inout WallInput, _ wall: inout WallConversion) {
        for (name, value) in options.sorted(by: { $0.key < $1.key }) {
            let text = value.text ?? value.int.map { "\($0)" } ?? ""
            let isKept =
                switch (name, text) {
                // Vitrail prefers TCP always.
                case ("rtsp_transport", "tcp"), ("rtsp_flags", "prefer_tcp"): true
                case ("tls_verify", "0"): WallConversion.set(.tls, "insecure", of: &input)
                case ("tls_verify", "1"): WallConversion.set(.tls, "verify", of: &input)
                case ("ca_file", _), ("cafile", _): WallConversion.set(.ca, text, of: &input)
                default: false
                }
            if !isKept { wall.notes.add(.mediaOptions, ConversionNotes.name(name)) }
        }
        if InputSpecification.scheme(of: input.address) == "rtsps", input.settings[.tls] != "insecure" {
            wall.notes.add(.trust)
        }
    }
}
