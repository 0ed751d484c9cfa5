/// The actions, explained: over the wall, in `--help`, and in the manual.
enum ActionHelp {
    /// The keys of an action, as in `Left, Right`, `Alt+arrows` or `[ ]`; empty if it has none.
    static func keys(of action: ViewerAction) -> String {
        let names = action.bindings.map(\.key.text)
        if let first = names.first, first.hasSuffix("Left") {
            let held = first.dropLast(4)
            if names == ["Left", "Right", "Up", "Down"].map({ held + $0 }) { return held + "arrows" }
        }
        guard names.count > 4, let first = names.first, let last = names.last else {
            // Between a comma and a full stop, another comma would be a riddle.
            return names.joined(separator: names.allSatisfy { $0.count == 1 } ? " " : ", ")
        }
        return "\(first) … \(last)"
    }

    /// The first key of an action that stands for these words; empty if there is none.
    static func firstKey(of action: ViewerAction, _ words: [String]) -> String {
        action.bindings.first { $0.words == words }?.key.text ?? ""
    }

    /// All keys as rows of text, under the headings of their sections.
    ///
    /// - Parameters:
    ///   - indent: what precedes each row.
    ///   - width: the most characters of a row.
    /// - Returns: the rows.
    static func keys(indent: String = "", width: Int) -> [String] {
        sections { action in keys(of: action).isEmpty ? nil : (keys(of: action), action.help) }
            .flatMap { section, rows in [indent + section] + table(rows, indent: indent + "  ", width: width) }
    }

    /// All verbs of control as rows of text, under the headings of their sections.
    static func verbs(indent: String, width: Int) -> [String] {
        sections { action in
            (action.usage.isEmpty ? action.name : "\(action.name) \(action.usage)", action.help)
        }.flatMap { section, rows in [indent + section] + table(rows, indent: indent + "  ", width: width) }
    }

    private static func sections(
        _ row: (ViewerAction) -> (String, String)?
    ) -> [(String, [(String, String)])] {
        ViewerAction.Section.allCases.map { section in
            (section.rawValue, ActionTable.all.filter { $0.section == section }.compactMap(row))
        }
    }

    /// Two columns; a first column that is too long has a row of its own.
    private static func table(_ rows: [(String, String)], indent: String, width: Int) -> [String] {
        let column = min(18, rows.map(\.0.count).max() ?? 0) + 2
        return rows.flatMap { left, right in
            var lines = wrapped(right, width - indent.count - column)
            var text: [String] = []
            if left.count > column - 2 {
                text.append(indent + left)
            } else {
                let first = lines.isEmpty ? "" : lines.removeFirst()
                text.append(indent + left + String(repeating: " ", count: column - left.count) + first)
            }
            return text + lines.map { indent + String(repeating: " ", count: column) + $0 }
        }
    }

    private static func wrapped(_ text: String, _ width: Int) -> [String] {
        var lines = [""]
        for word in text.split(separator: " ") {
            let line = lines[lines.count - 1]
            if line.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if line.count + 1 + word.count <= width {
                lines[lines.count - 1] = "\(line) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
