/// The order in which a wall file is written: what a reader looks for first comes first.
enum WallOrder {
    private static let input =
        ["name", "url", "id", "secret", "substream"] + WallInput.options.map(\.rawValue) + ["effect", "place", "zoom"]

    /// The names at the top that have tables.
    static let tables = ["layout", "pages", "look", "output", "recording", "history", "input"]

    /// The names in a table, in order.
    ///
    /// - Parameters:
    ///   - table: the table.
    ///   - path: the names that lead to it.
    /// - Returns: each of them once.
    static func keys(of table: [String: WallValue], at path: [String]) -> [String] {
        let order = known(at: path)
        return table.keys.sorted { left, right in
            let (first, second) = (order.firstIndex(of: left), order.firstIndex(of: right))
            return (first ?? order.count, left) < (second ?? order.count, right)
        }
    }

    private static func known(at path: [String]) -> [String] {
        switch path.last {
        case nil: ["include"] + WallDocument.keys
        case "layout": LayoutSettings.keys
        case "pages": PageSettings.keys
        case "look": WallLook.keys
        case "output": WallOutput.keys
        case "recording": RecordingPlan.keys
        case "history": HistoryPlan.keys
        case "input": input
        case "place": ["x", "y", "width", "height"]
        case "zoom": ["scale", "x", "y"]
        default: []
        }
    }
}
