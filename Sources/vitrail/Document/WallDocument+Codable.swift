import MediaIO
import VideoEffects
import VideoWall

/// The form of a document in a wall file: TOML's tables, or JSON's objects, of the same names.
extension WallDocument: Codable {
    /// The names at the top of a wall file.
    static let keys = ["title", "focus", "align", "layout", "pages", "look", "output", "recording", "history", "input"]

    init(from decoder: any Decoder) throws {
        // “include” is read by WallFile.
        let table = try WallTable(decoder, "the wall", keys: Self.keys + ["include"])
        title = try table.text("title")
        layout = try table.value("layout", as: "a table") ?? layout
        pages = try table.value("pages", as: "a table") ?? pages
        look = try table.value("look", as: "a table") ?? look
        output = try table.value("output", as: "a table") ?? output
        recording = try table.value("recording", as: "a table") ?? recording
        history = try table.value("history", as: "a table") ?? history
        if let text = try table.text("align") {
            guard let plan = AlignmentPlan(text) else {
                throw table.problem("align", "“\(text)” cannot be used: write \(AlignmentPlan.forms)")
            }
            alignment = plan
        }
        try addInputs(table)
        focus = try readFocus(table)
        if pages.page >= pages.count(of: inputs.count) { pages.page = 0 }
    }

    /// The input that fills the wall: by its name, or by its number from 1.
    private func readFocus(_ table: WallTable) throws -> WallInput.ID? {
        guard let value: EffectText = try table.value("focus", as: "the name of an input, or its number") else {
            return nil
        }
        let text = value.text
        if let input = inputs.first(where: { $0.id == text }) ?? inputs.first(where: { $0.name == text }) {
            return input.id
        }
        if let number = Int(text), inputs.indices.contains(number - 1) { return inputs[number - 1].id }
        let names = inputs.compactMap(\.name)
        throw table.problem("focus", "no input has the name “\(text)”\(WallTable.suggestion(for: text, among: names))")
    }

    /// How the focus is written: as a name if only one input has it, or else as a number.
    private func put(focus: WallInput.ID, _ table: inout WallTableEncoder) throws {
        guard let index = index(of: focus) else { return }
        if let name = inputs[index].name, inputs.count(where: { $0.name == name || $0.id == name }) == 1 {
            try table.put("focus", name)
        } else {
            try table.put("focus", index + 1)
        }
    }

    private mutating func addInputs(_ table: WallTable) throws {
        let read: [WallInput] = try table.value("input", as: "a list of tables, each [[input]]") ?? []
        var explicit: Set<String> = []
        for (index, input) in read.enumerated() {
            // One that is derived from the address gets a number where several inputs have the same.
            if input.id != input.address, !explicit.insert(input.id).inserted {
                throw WallProblem(
                    "two inputs have the id “\(input.id)”",
                    at: [WallKey("input"), WallKey("\(index)"), WallKey("id")])
            }
            if layout.kind == .free, let place = input.place,
                let other = read[..<index].firstIndex(where: { $0.place == place })
            {
                throw WallProblem(
                    "inputs \(other + 1) and \(index + 1) have the same place",
                    at: [WallKey("input"), WallKey("\(index)"), WallKey("place")])
            }
        }
        inputs = Self.identified(read)
    }

    func encode(to encoder: any Encoder) throws {
        var table = WallTableEncoder(encoder)
        let usual = WallDocument()
        try table.put("title", title)
        if let focus { try put(focus: focus, &table) }
        try table.put("align", alignment.description, unless: usual.alignment.description)
        try table.put("layout", layout, unless: usual.layout)
        try table.put("pages", pages, unless: usual.pages)
        try table.put("look", look, unless: usual.look)
        try table.put("output", output, unless: usual.output)
        try table.put("recording", recording, unless: usual.recording)
        try table.put("history", history, unless: usual.history)
        try table.put("input", inputs, unless: [])
    }
}

extension LayoutSettings: Codable {
    /// The names in the table.
    static let keys = [
        "kind", "rows", "columns", "gap", "margin", "share", "column-shares", "row-shares", "edge", "corner",
    ]

    init(from decoder: any Decoder) throws {
        let table = try WallTable(decoder, "[layout]", keys: Self.keys)
        try table.choice("kind", &kind)
        rows = try table.number("rows", in: 1...1000)
        columns = try table.number("columns", in: 1...1000)
        gap = try table.number("gap", in: 0...1000) ?? gap
        margin = try table.number("margin", in: 0...1000) ?? margin
        share = try table.number("share", in: 0.05...0.95)
        columnShares = try Self.shares("column-shares", table)
        rowShares = try Self.shares("row-shares", table)
        try table.choice("edge", &edge)
        try table.choice("corner", &corner)
    }

    private static func shares(_ key: String, _ table: WallTable) throws -> [Double] {
        let shares: [Double] = try table.value(key, as: "a list of numbers above 0") ?? []
        guard shares.allSatisfy({ $0 > 0 && $0 <= 1000 }), shares.count <= 1000 else {
            throw table.problem(key, "“\(key)” must be a list of numbers above 0, up to 1000")
        }
        return shares
    }

    func encode(to encoder: any Encoder) throws {
        var table = WallTableEncoder(encoder)
        let usual = LayoutSettings()
        try table.put("kind", choice: kind, unless: usual.kind)
        try table.put("rows", rows)
        try table.put("columns", columns)
        try table.put("gap", gap, unless: usual.gap)
        try table.put("margin", margin, unless: usual.margin)
        try table.put("share", share)
        try table.put("column-shares", columnShares, unless: [])
        try table.put("row-shares", rowShares, unless: [])
        try table.put("edge", choice: edge, unless: usual.edge)
        try table.put("corner", choice: corner, unless: usual.corner)
    }
}

extension PageSettings: Codable {
    /// The names in the table.
    static let keys = ["size", "page", "tour"]
    /// The seconds that a tour may show a page.
    static let tourTimes = 1.0...86_400.0

    init(from decoder: any Decoder) throws {
        let table = try WallTable(decoder, "[pages]", keys: Self.keys)
        size = try table.number("size", in: 1...1000)
        page = try table.number("page", in: 1...1000).map { $0 - 1 } ?? 0
        tour = try table.number("tour", in: Self.tourTimes)
    }

    func encode(to encoder: any Encoder) throws {
        var table = WallTableEncoder(encoder)
        try table.put("size", size)
        try table.put("page", page + 1, unless: 1)
        try table.put("tour", tour)
    }
}

extension WallLook: Codable {
    /// The names in the table.
    static let keys = [
        "content", "filter", "linear-light", "color", "animation", "names", "clock", "effect", "wall-effect",
    ]

    init(from decoder: any Decoder) throws {
        let table = try WallTable(decoder, "[look]", keys: Self.keys)
        try table.choice("content", &content)
        try table.choice("filter", &filter)
        try table.flag("linear-light", &linearLight)
        try table.choice("color", &color)
        try table.flag("animation", &animation)
        try table.flag("names", &names)
        try table.flag("clock", &clock)
        effects = try table.effects("effect") ?? ""
        wallEffects = try table.effects("wall-effect") ?? ""
    }

    func encode(to encoder: any Encoder) throws {
        var table = WallTableEncoder(encoder)
        let usual = WallLook()
        try table.put("content", choice: content, unless: usual.content)
        try table.put("filter", choice: filter, unless: usual.filter)
        try table.put("linear-light", linearLight, unless: usual.linearLight)
        try table.put("color", choice: color, unless: usual.color)
        try table.put("animation", animation, unless: usual.animation)
        try table.put("names", names, unless: usual.names)
        try table.put("clock", clock, unless: usual.clock)
        try table.put("effect", effects, unless: "")
        try table.put("wall-effect", wallEffects, unless: "")
    }
}

extension WallOutput: Codable {
    /// The names in the table.
    static let keys = ["snapshots"]

    init(from decoder: any Decoder) throws {
        snapshots = try WallTable(decoder, "[output]", keys: Self.keys).text("snapshots")
    }

    func encode(to encoder: any Encoder) throws {
        var table = WallTableEncoder(encoder)
        try table.put("snapshots", snapshots)
    }
}
