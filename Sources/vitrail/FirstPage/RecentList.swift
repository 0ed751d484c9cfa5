import FFmpegMedia
import FoundationEssentials

/// The walls and addresses that were last opened, the last one first.
struct RecentList: Hashable, Sendable {
    /// One of them.
    enum Entry: Hashable, Sendable {
        /// A wall file.
        case wall(path: String)
        /// A file or an address with its options, as on the command line.
        case input(String)
    }

    /// The most entries: each has a digit key.
    static let mostEntries = 8

    /// The entries; none of them has a secret.
    private(set) var entries: [Entry] = []

    /// Creates a list of nothing.
    init() {}

    /// Reads a list; lines that are none of its own are left out.
    init(text: String) {
        for line in text.split(whereSeparator: \.isNewline) {
            guard let entry = Entry(line: line), entry.isPublic, !entries.contains(entry) else { continue }
            entries.append(entry)
            if entries.count == Self.mostEntries { return }
        }
    }

    /// Adds entries that were opened together, before all others; those with secrets are left out.
    mutating func add(_ opened: [Entry]) {
        var new: [Entry] = []
        for entry in opened where entry.isPublic && !new.contains(entry) { new.append(entry) }
        entries = Array((new + entries.filter { !new.contains($0) }).prefix(Self.mostEntries))
    }

    /// The list as text, one entry a line.
    var text: String { entries.map { $0.line + "\n" }.joined() }
}

extension RecentList.Entry {
    /// The entry of an input as it was typed or dropped; `nil` for one that cannot be opened later.
    init?(typed text: String) {
        guard let specification = try? InputSpecification(text), specification.kind != .standardInput else {
            return nil
        }
        guard let path = specification.path else {
            self = .input(text)
            return
        }
        guard InputSpecification.fileExists(path) else { return nil }
        self = .input(text.hasPrefix("file:") && !InputSpecification.fileExists(text) ? text : Self.absolute(text))
    }

    /// The entry of a wall file.
    init(wallFile path: String) { self = .wall(path: Self.absolute(path)) }

    /// The path from the root: the next start may be in another folder.
    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    }

    /// What is opened.
    private var address: String {
        switch self {
        case .wall(let address), .input(let address): address
        }
    }

    /// What a user calls it: the name of a wall, or the address.
    var title: String {
        switch self {
        case .wall(let path): WallNames.short(path)
        case .input(let text): text
        }
    }

    fileprivate var line: String {
        switch self {
        case .wall(let path): "wall \(path)"
        case .input(let text): "input \(text)"
        }
    }

    fileprivate init?(line: Substring) {
        let parts = line.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        switch parts[0] {
        case "wall": self = .wall(path: String(parts[1]))
        case "input": self = .input(String(parts[1]))
        default: return nil
        }
    }

    /// Whether it may be stored and shown: it has no secret, and fits in a line.
    fileprivate var isPublic: Bool {
        (1...4096).contains(address.utf8.count) && address.utf8.allSatisfy { $0 >= 32 && $0 != 127 }
            && address.first != " " && MediaLocation.hidingSecrets(in: address) == address
    }
}
