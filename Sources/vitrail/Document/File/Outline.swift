/// Where the keys and values of a wall file are in its text.
///
/// Ranges are in bytes.
struct Outline: Sendable {
    /// A value, or a table or list of values.
    struct Node: Sendable {
        /// The kind of value.
        var kind: Kind
        /// Its key, or that of the table whose element it is.
        var key: Range<Int>
        /// Its value; for a table with a header, the header.
        var value: Range<Int>
        /// The lines that it takes in TOML; `nil` inside another value, and for tables.
        var lines: Range<Int>?
        /// How deep it lies; the whole is at 0.
        var depth: Int
        /// The values in a table.
        var members: [String: Int] = [:]
        /// The values in a list.
        var elements: [Int] = []
    }

    /// The kinds of values, as far as their place needs them.
    enum Kind: Sendable {
        /// Text in quotation marks.
        case text
        /// A number, true, false or a date.
        case bare
        /// A list in brackets.
        case list
        /// A table in braces.
        case inline
        /// A table with a header, or of dotted keys.
        case table
        /// The tables `[[…]]` of one name.
        case tables
    }

    /// How deep values may lie in each other: far more than a wall needs, and far less than any stack bears.
    static let maximumDepth = 16

    /// All nodes; the first is the whole.
    private(set) var nodes = [Node(kind: .table, key: 0..<0, value: 0..<0, depth: 0)]

    /// The node of a path, or of as much of it as there is.
    ///
    /// - Parameter path: names, and the indices of elements.
    /// - Returns: the node, and how many parts of the path lead to it.
    func closest(to path: [String]) -> (node: Int, count: Int) {
        var (node, count) = (0, 0)
        for part in path {
            let next = nodes[node].members[part] ?? element(Int(part), of: node)
            guard let next else { break }
            (node, count) = (next, count + 1)
        }
        return (node, count)
    }

    /// The node of a path; `nil` if there is none.
    func find(_ path: [String]) -> Int? {
        let (node, count) = closest(to: path)
        return count == path.count ? node : nil
    }

    private func element(_ index: Int?, of node: Int) -> Int? {
        guard let index, nodes[node].elements.indices.contains(index) else { return nil }
        return nodes[node].elements[index]
    }

    /// Adds a node to a table.
    mutating func add(_ node: Node, named name: String, to table: Int) -> Int {
        nodes.append(node)
        nodes[table].members[name] = nodes.count - 1
        return nodes.count - 1
    }

    /// Adds a node to a list.
    mutating func add(_ node: Node, toList list: Int) -> Int {
        nodes.append(node)
        nodes[list].elements.append(nodes.count - 1)
        return nodes.count - 1
    }

    /// Changes a node.
    mutating func change(_ node: Int, _ change: (inout Node) -> Void) { change(&nodes[node]) }
}

/// A line and a column of a text, both from 1; a column is one Unicode scalar.
struct TextPlace: Hashable, Sendable {
    /// The line.
    var line: Int
    /// The column.
    var column: Int

    /// A place that a parser reports.
    init(line: Int, column: Int) { (self.line, self.column) = (line, column) }

    /// The place of a byte.
    init(of offset: Int, in bytes: [UInt8]) {
        let before = bytes[..<min(offset, bytes.count)]
        line = 1 + before.count { $0 == UInt8(ascii: "\n") }
        let row = before.suffix(from: before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)
        let isMarked = row.startIndex == 0 && row.starts(with: TextPlace.byteOrderMark)
        column = 1 + row.count { $0 & 0xC0 != 0x80 } - (isMarked ? 1 : 0)
    }

    /// What some editors put at the start of UTF-8.
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
}

/// Why a text cannot be read, and where.
struct OutlineError: Error, Hashable, Sendable {
    /// The byte.
    var offset: Int
    /// What is wrong, in one line.
    var message: String
}
