/// Reads TOML 1.0, and notes where everything is.
///
/// Dates, times, infinities and NaN are refused: a wall has no use for them.
struct TOMLOutline: Sendable {
    /// The lines from a header to the next, or those before the first.
    struct Block: Sendable {
        /// The names in the header; empty before the first.
        var path: [String]
        /// Whether the header is `[[…]]`.
        var isElement = false
        /// Its table.
        var node: Int
        /// The lines of the header and of all that is set below it, without the comments that follow.
        var lines: Range<Int>
    }

    /// Where the keys and values are.
    var outline = Outline()
    /// The parts of the text, in its order; the first is what precedes all headers.
    var blocks = [Block(path: [], node: 0, lines: 0..<0)]
    let bytes: [UInt8]
    var position = 0
    /// The texts, numbers and flags, by their nodes.
    var scalars: [Int: WallValue] = [:]
    /// The table that keys belong to.
    private var table = 0
    /// What has made tables; those that headers only go through may still have a header of their own.
    private var origins: [Int: Origin] = [:]

    /// What says that a table is there.
    private enum Origin {
        case header
        case dottedKey
    }

    /// Reads a text.
    ///
    /// - Parameter bytes: UTF-8.
    /// - Throws: ``OutlineError`` for the first mistake.
    init(_ bytes: [UInt8]) throws(OutlineError) {
        self.bytes = bytes
        if bytes.starts(with: TextPlace.byteOrderMark) { position = 3 }
        blocks[0].lines = position..<position
        while position < bytes.count { try line() }
    }

    /// What the text says.
    var value: WallValue { value(at: 0) }

    private func value(at index: Int) -> WallValue {
        if let scalar = scalars[index] { return scalar }
        let node = outline.nodes[index]
        switch node.kind {
        case .list, .tables: return .list(node.elements.map(value(at:)))
        default: return .table(node.members.mapValues(value(at:)))
        }
    }

    // MARK: Lines

    private mutating func line() throws(OutlineError) {
        let start = position
        skipSpace()
        switch peek {
        case nil, 0x0A, 0x0D, UInt8(ascii: "#"): try endLine()
        case UInt8(ascii: "["): try header(start)
        default: try statement(start)
        }
    }

    private mutating func header(_ start: Int) throws(OutlineError) {
        let bracket = position
        position += 1
        let isElement = peek == UInt8(ascii: "[")
        if isElement { position += 1 }
        let parts = try keys()
        for _ in 0..<(isElement ? 2 : 1) {
            guard peek == UInt8(ascii: "]") else { throw mistake("“]” is expected") }
            position += 1
        }
        let header = bracket..<position
        guard let last = parts.last else { throw mistake("a name is expected") }
        let parent = try descend(from: 0, parts.dropLast())
        table = try isElement ? element(last, of: parent, header) : open(last, of: parent)
        outline.change(table) { $0.value = header }
        try endLine()
        blocks.append(Block(path: parts.map(\.name), isElement: isElement, node: table, lines: start..<position))
    }

    /// Makes the table of a header, or takes one that other headers have gone through.
    private mutating func open(_ key: Key, of parent: Int) throws(OutlineError) -> Int {
        let node = try child(key, of: parent)
        guard outline.nodes[node].kind == .table, origins[node] == nil else { throw taken(key, node) }
        origins[node] = .header
        return node
    }

    private mutating func element(_ key: Key, of parent: Int, _ header: Range<Int>) throws(OutlineError) -> Int {
        let depth = outline.nodes[parent].depth + 1
        let known = outline.nodes[parent].members[key.name]
        let node = Outline.Node(kind: .tables, key: key.range, value: header, depth: depth)
        let list = known ?? outline.add(node, named: key.name, to: parent)
        guard outline.nodes[list].kind == .tables else { throw taken(key, list, isList: true) }
        return try add(Outline.Node(kind: .table, key: header, value: header, depth: depth + 1), toList: list)
    }

    /// Goes down a path of tables, which are made where they are missing.
    ///
    /// Dotted keys make their tables: neither a header nor dotted keys of another table may do so once more.
    private mutating func descend(
        from table: Int, _ keys: ArraySlice<Key>, isDotted: Bool = false
    ) throws(OutlineError) -> Int {
        var node = table
        for key in keys {
            node = try child(key, of: node)
            if !isDotted, outline.nodes[node].kind == .tables, let last = outline.nodes[node].elements.last {
                // Further names belong to the newest of them.
                node = last
                continue
            }
            guard outline.nodes[node].kind == .table, !isDotted || origins[node] != .header else {
                throw taken(key, node)
            }
            if isDotted { origins[node] = .dottedKey }
        }
        return node
    }

    /// A mistake: a name has a value already that is of another kind, or one that is complete.
    private func taken(_ key: Key, _ node: Int, isList: Bool = false) -> OutlineError {
        let kinds: [Outline.Kind] = isList ? [.list, .tables] : [.table, .inline]
        let isSame = kinds.contains(outline.nodes[node].kind)
        let reason = isSame ? ": add to it there" : ", and not as a \(isList ? "list" : "table")"
        return OutlineError(offset: key.range.lowerBound, message: "“\(key.name)” is there already\(reason)")
    }

    private mutating func child(_ key: Key, of table: Int) throws(OutlineError) -> Int {
        if let known = outline.nodes[table].members[key.name] { return known }
        let depth = outline.nodes[table].depth + 1
        return try add(
            Outline.Node(kind: .table, key: key.range, value: key.range, depth: depth), named: key.name, to: table)
    }

    private mutating func statement(_ start: Int) throws(OutlineError) {
        let node = try assignment(in: table)
        try endLine()
        let end = position
        outline.change(node) { $0.lines = start..<end }
        let block = blocks.count - 1
        // What comes before the first header may begin with comments.
        let first = blocks[block].lines.isEmpty ? start : blocks[block].lines.lowerBound
        blocks[block].lines = first..<end
    }

    /// Reads `key = value`.
    mutating func assignment(in table: Int) throws(OutlineError) -> Int {
        let keys = try keys()
        guard let last = keys.last, peek == UInt8(ascii: "=") else { throw mistake("“=” is expected after a name") }
        position += 1
        skipSpace()
        let parent = try descend(from: table, keys.dropLast(), isDotted: true)
        guard outline.nodes[parent].members[last.name] == nil else {
            throw OutlineError(offset: last.range.lowerBound, message: "“\(last.name)” is there twice")
        }
        let depth = outline.nodes[parent].depth + 1
        let place = position..<position
        let node = try add(
            Outline.Node(kind: .bare, key: last.range, value: place, depth: depth), named: last.name, to: parent)
        try readValue(of: node)
        return node
    }

    // MARK: Nodes

    private func check(_ node: Outline.Node) throws(OutlineError) {
        guard node.depth > Outline.maximumDepth else { return }
        throw OutlineError(
            offset: node.key.lowerBound, message: "values lie in each other more than \(Outline.maximumDepth) deep")
    }

    private mutating func add(_ node: Outline.Node, named name: String, to table: Int) throws(OutlineError) -> Int {
        try check(node)
        return outline.add(node, named: name, to: table)
    }

    mutating func add(_ node: Outline.Node, toList list: Int) throws(OutlineError) -> Int {
        try check(node)
        return outline.add(node, toList: list)
    }
}
