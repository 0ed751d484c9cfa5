import MediaIO
import VideoWall

/// A playlist of GridPlayer, `.gpls`: lines, or JSON in later versions.
struct GridPlayerFile {
    private var videos: [GridPlayerVideo] = []
    private var grid = JSONValue.null
    private var lineProblems: [Int] = []
    private var playerOptions: [String] = []

    /// The first line of a playlist that is no JSON.
    static let mark = "#GRIDPLAYER"

    /// Reads lines.
    init(lines text: String) {
        var (properties, hasGrid): ([Int: JSONValue], Bool) = ([:], false)
        for (index, piece) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            guard let line = M3U.lines(of: String(piece)).first else { continue }
            guard line.hasPrefix("#") else {
                videos.append(GridPlayerVideo(address: line))
                continue
            }
            let (key, json) = Self.split(line)
            let number = key.hasPrefix("#V") ? Int(key.dropFirst(2)) : nil
            if line.hasPrefix("#VLC") { playerOptions.append("#VLC") }
            guard number != nil || (key == "#P" && !hasGrid) else { continue }
            guard let value = try? JSONValue(json, ""), value.table != nil else {
                lineProblems.append(index + 1)
                continue
            }
            if let number { properties[number] = value } else { (grid, hasGrid) = (value["grid_state"], true) }
        }
        for index in videos.indices { videos[index].properties = properties[index] ?? .null }
    }

    private static func split(_ line: String) -> (key: String, json: String) {
        guard let colon = line.firstIndex(of: ":") else { return (line, "") }
        return (String(line[..<colon]), String(line[line.index(after: colon)...]))
    }

    /// Reads JSON.
    ///
    /// - Throws: ``ConversionProblem`` for a later version.
    init(json: JSONValue) throws(ConversionProblem) {
        let version = json["version"].number ?? 1
        guard version <= 1 else {
            throw ConversionProblem("it is a playlist of a newer GridPlayer than Vitrail knows: save it as text there.")
        }
        grid = json["settings"]["grid_state"]
        let defaults = json["settings"]["video_defaults"]
        videos = (json["videos"].list ?? []).map {
            GridPlayerVideo(address: $0["uri"].text ?? "", properties: $0, defaults: defaults)
        }
    }

    // MARK: A wall

    /// Makes a wall of it.
    ///
    /// - Throws: ``ConversionProblem`` if it has no video.
    func convert(into wall: inout WallConversion) throws(ConversionProblem) {
        guard !videos.isEmpty else { throw ConversionProblem("there is no video in it.") }
        for line in lineProblems { wall.notes.add(.lines, "line \(line)") }
        for option in playerOptions { wall.notes.add(.playerOptions, option) }
        var inputs: [(input: WallInput, id: String?)] = []
        for video in videos {
            guard let input = video.input(&wall) else { continue }
            inputs.append((input, video.properties["id"].text))
        }
        // What is the same on all tiles need not be said of each.
        let contents = Set(inputs.map(\.input.settings[.content]))
        if contents.count == 1, let content = contents.first.flatMap({ $0 }) {
            wall.document.look.content = ContentMode(rawValue: content) ?? wall.document.look.content
            for index in inputs.indices { inputs[index].input.settings[.content] = nil }
        }
        switch grid["mode"].text ?? "auto_rows" {
        case "fixed": try layFixed(inputs, &wall)
        case "auto_cols": layColumns(inputs.map(\.input), &wall)
        case let mode:
            if mode != "auto_rows" { wall.notes.add(.values, "mode") }
            if !inputs.isEmpty {
                wall.document.layout = LayoutSettings(kind: .grid, columns: min(size, inputs.count))
            }
            for (input, _) in inputs { wall.add(input) }
        }
    }

    /// The number of columns or rows that are filled first.
    private var size: Int {
        if let size = grid["size"].int, size > 0 { return min(size, WallConversion.mostInputs) }
        return Int(Double(min(videos.count, WallConversion.mostInputs)).squareRoot().rounded(.up))
    }

    /// Tiles go down the columns: an incomplete last column needs places, because a grid fills rows.
    private func layColumns(_ inputs: [WallInput], _ wall: inout WallConversion) {
        let rows = min(size, inputs.count)
        guard rows > 0, var cells = GridCells(rows: rows, columns: (inputs.count + rows - 1) / rows) else {
            for input in inputs { wall.add(input) }
            return
        }
        for (index, input) in inputs.enumerated() {
            cells.put(input, in: cells.take(GridCells.Span(row: index % rows, column: index / rows)))
        }
        cells.lay(out: &wall)
    }

    /// Tiles stay in their cells; those without one take the empty ones.
    private func layFixed(
        _ inputs: [(input: WallInput, id: String?)], _ wall: inout WallConversion
    ) throws(ConversionProblem) {
        guard var cells = GridCells(rows: grid["rows"].int ?? 1, columns: grid["cols"].int ?? 1) else {
            throw ConversionProblem("its grid must have 1 to \(GridCells.most) rows and columns.")
        }
        let ids = Set(inputs.compactMap(\.id))
        var (spans, used): ([String: GridCells.Span], Set<[Int]>) = ([:], [])
        for cell in grid["cells"].list ?? [] {
            guard let id = cell["video_id"].text, spans[id] == nil, let row = cell["row"].int,
                let column = cell["col"].int, (0..<cells.rows).contains(row), (0..<cells.columns).contains(column),
                ids.contains(id), used.insert([row, column]).inserted
            else { continue }
            spans[id] = cells.take(
                GridCells.Span(
                    row: row, column: column, rows: cell["rowspan"].int ?? 1, columns: cell["colspan"].int ?? 1))
        }
        var loose: [WallInput] = []
        for (input, id) in inputs {
            if let span = id.flatMap({ spans.removeValue(forKey: $0) }) ?? cells.free.map({ cells.take($0) }) {
                cells.put(input, in: span)
            } else {
                wall.notes.add(.loose)
                loose.append(input)
            }
        }
        cells.lay(out: &wall)
        if !loose.isEmpty { wall.document.layout.kind = .free }
        for input in loose { wall.add(input) }
    }
}
