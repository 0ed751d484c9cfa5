import Glibc
import VitrailSupport

/// The paths in a wall file, which are relative to its folder.
struct WallFilePaths: Sendable {
    /// The folder, absolute and with a slash at its end.
    let folder: String

    /// Takes the folder of a file.
    init(ofFile path: String) {
        let absolute = Self.absolute(path)
        let folder = absolute.lastIndex(of: "/").map { String(absolute[...$0]) } ?? "/"
        self.folder = folder.replacing("/./", with: "/")
    }

    /// A path that does not depend on the current folder.
    static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/") else { return path }
        guard let current = getcwd(nil, 0) else { return path }
        defer { free(current) }
        let start = String(cString: current)
        return (start.hasSuffix("/") ? start : start + "/") + path
    }

    // MARK: Reading

    /// The absolute path that a path of the file means.
    func resolved(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        if path.hasPrefix("~/"), let home = getenv("HOME") { return String(cString: home) + path.dropFirst() }
        var rest = path[...]
        while rest.hasPrefix("./") { rest = rest.dropFirst(2) }
        return folder + rest
    }

    /// The values of a file with absolute paths in them.
    func resolved(_ value: WallValue) -> WallValue {
        let result = Self.map(value, path: resolved)
        guard var table = result.table, let focus = table["focus"]?.text, let inputs = table["input"]?.list else {
            return result
        }
        // An input without a name and an id is found by its address.
        let isName = inputs.contains { $0.table?["name"]?.text == focus || $0.table?["id"]?.text == focus }
        let address = Self.map(address: focus, resolved)
        if !isName, inputs.contains(where: { Self.isIdentity(address, of: $0) }) { table["focus"] = .text(address) }
        return .table(table)
    }

    // MARK: Writing

    /// How a path is written in the file: relative if it is below the folder.
    func written(_ path: String) -> String {
        let absolute = Self.absolute(path)
        guard absolute.hasPrefix(folder), absolute.utf8.count > folder.utf8.count else { return absolute }
        let rest = String(absolute.dropFirst(folder.count))
        return Self.isPath(rest) && !rest.hasPrefix("~/") && !rest.hasPrefix("/") ? rest : "./" + rest
    }

    /// The values of a document as they are written in the file.
    func written(_ value: WallValue) -> WallValue {
        let result = Self.map(value, path: written)
        guard var table = result.table, let focus = table["focus"]?.text, let old = value.table?["input"]?.list else {
            return result
        }
        if old.contains(where: { Self.isIdentity(focus, of: $0) }) {
            table["focus"] = .text(Self.map(address: focus, written))
        }
        return .table(table)
    }

    /// Whether an identity follows from the address of an input, which may have options.
    private static func isIdentity(_ id: String, of input: WallValue) -> Bool {
        guard let url = input.table?["url"]?.text else { return false }
        let address = id.replacing(/#[0-9]+$/, with: "")
        return url == id || url == address || url.hasPrefix(address + "?")
    }

    // MARK: Places of paths

    /// Whether an address is a path, and no URL, pattern, camera or standard input.
    private static func isPath(_ address: String) -> Bool {
        !address.isEmpty && !address.contains("://") && address != "-" && !address.hasPrefix("-?")
            && !InputSpecification.prefixes.contains { address.hasPrefix($0) }
    }

    private static func map(address: String, _ change: (String) -> String) -> String {
        isPath(address) ? change(address) : address
    }

    /// Changes every path in a wall.
    private static func map(_ value: WallValue, path: (String) -> String) -> WallValue {
        guard var table = value.table else { return value }
        map(&table, "look") { look in
            for key in ["effect", "wall-effect"] { map(&look, key) { chain($0, path) } }
        }
        map(&table, "output") { map(&$0, "snapshots", path) }
        map(&table, "recording") { map(&$0, "folder", path) }
        if let inputs = table["input"]?.list {
            table["input"] = .list(inputs.map { map(input: $0, path) })
        }
        return .table(table)
    }

    private static func map(input: WallValue, _ path: (String) -> String) -> WallValue {
        guard var table = input.table else { return input }
        for key in ["url", "substream"] { map(&table, key) { map(address: $0, path) } }
        map(&table, "ca", path)
        map(&table, "secret") { $0.hasPrefix("file:") ? "file:" + path(String($0.dropFirst(5))) : $0 }
        map(&table, "effect") { chain($0, path) }
        return .table(table)
    }

    private static func map(_ table: inout [String: WallValue], _ key: String, _ change: (String) -> String) {
        if let text = table[key]?.text, !text.isEmpty { table[key] = .text(change(text)) }
    }

    private static func map(
        _ table: inout [String: WallValue], _ key: String, _ change: (inout [String: WallValue]) -> Void
    ) {
        guard var inner = table[key]?.table else { return }
        change(&inner)
        table[key] = .table(inner)
    }

    /// Changes the paths in a chain of effects: those of effects, and those of colour tables.
    private static func chain(_ text: String, _ path: (String) -> String) -> String {
        let steps = text.split(separator: ",", omittingEmptySubsequences: false).map { step -> String in
            let pieces = step.split(separator: ":", omittingEmptySubsequences: false)
            let isFile = pieces.contains("shadertoy") || pieces[0].contains { $0 == "/" || $0 == "." }
            let changed = pieces.enumerated().map { index, piece -> String in
                if index == 0 { return isFile ? encoded(path(decoded(piece))) : String(piece) }
                guard let equals = piece.firstIndex(of: "="), piece.lowercased().hasSuffix(".cube") else {
                    return String(piece)
                }
                return String(piece[...equals]) + encoded(path(decoded(piece[equals...].dropFirst())))
            }
            return changed.joined(separator: ":")
        }
        return steps.joined(separator: ",")
    }

    private static func decoded(_ text: Substring) -> String {
        String(text).replacing("%2C", with: ",").replacing("%3A", with: ":").replacing("%25", with: "%")
    }

    private static func encoded(_ text: String) -> String {
        text.replacing("%", with: "%25").replacing(",", with: "%2C").replacing(":", with: "%3A")
    }
}
