/// Changes values in the text of a wall file, and leaves everything else as it is.
struct TOMLEditor {
    private let bytes: [UInt8]
    private let scan: TOMLOutline
    private var edits: [(range: Range<Int>, text: String)] = []
    /// Whether a change cannot be made in place.
    private(set) var hasFailed = false

    /// Opens a text, which ends with a line break.
    ///
    /// - Throws: ``OutlineError``.
    init(_ bytes: [UInt8]) throws(OutlineError) {
        self.bytes = bytes
        scan = try TOMLOutline(bytes)
    }

    /// The text with all changes.
    var result: [UInt8] {
        let isWindows = bytes.firstIndex(of: 0x0A).map { $0 > 0 && bytes[$0 - 1] == 0x0D } ?? false
        var (result, position) = ([UInt8](), 0)
        // Of those at one place, what is added precedes what is replaced, each in the order in which it was asked for.
        let order = edits.enumerated().sorted { left, right in
            let (first, second) = (left.element.range, right.element.range)
            return (first.lowerBound, first.isEmpty ? 0 : 1, left.offset)
                < (second.lowerBound, second.isEmpty ? 0 : 1, right.offset)
        }
        for (_, edit) in order {
            guard edit.range.lowerBound >= position else { continue }
            result += bytes[position..<edit.range.lowerBound]
            result += (isWindows ? edit.text.replacing("\n", with: "\r\n") : edit.text).utf8
            position = edit.range.upperBound
        }
        return result + bytes[position...]
    }

    /// Changes a table.
    ///
    /// - Parameters:
    ///   - path: the names and indices that lead to it.
    ///   - old: what is in it, in the canonical form.
    ///   - new: what shall be in it, in the same form: what is equal in both is left as it is written.
    mutating func change(_ path: [String], from old: [String: WallValue], to new: [String: WallValue]) {
        let names = path.filter { Int($0) == nil }
        let keys = WallOrder.keys(of: old.merging(new) { $1 }, at: names).filter { old[$0] != new[$0] }
        guard !keys.isEmpty else { return }
        guard let node = scan.outline.find(path) else { return addTable(names, new.filter { keys.contains($0.key) }) }
        let members = scan.outline.nodes[node].members
        if scan.outline.nodes[node].kind == .inline {
            guard keys.allSatisfy({ members[$0] != nil && new[$0] != nil && new[$0]?.table == nil }) else {
                edits.append((scan.outline.nodes[node].value, TOMLText.inline(.table(new), at: names)))
                return
            }
        }
        var additions: [String] = []
        // The options of an input may be in its address, which must then be written without them.
        var isInAddress = path.first == "input" && path.count == 2 && keys.contains("url")
        for key in keys {
            switch (members[key], new[key]) {
            case (let member?, nil): remove(member)
            case (let member?, let value?): replace(member, path + [key], old[key], value)
            case (nil, let value):
                if old[key] != nil, path.count == 2 { isInAddress = true }
                if value != nil { additions.append(key) }
            }
        }
        if isInAddress {
            if !keys.contains("url"), let member = members["url"], let url = new["url"] {
                replace(member, path + ["url"], nil, url)
            }
            additions = WallOrder.keys(of: new, at: names).filter { members[$0] == nil }
        }
        add(additions.map { ($0, new[$0] ?? .table([:])) }, to: node, names)
    }

    // MARK: Values

    private mutating func replace(_ member: Int, _ path: [String], _ old: WallValue?, _ value: WallValue) {
        let node = scan.outline.nodes[member]
        switch (node.kind, value) {
        case (.table, .table(let table)), (.inline, .table(let table)):
            change(path, from: old?.table ?? [:], to: table)
        case (.table, _), (.tables, _): hasFailed = true
        default: edits.append((node.value, TOMLText.inline(value, at: path.filter { Int($0) == nil })))
        }
    }

    /// Removes a value or a table, with the comments directly above its lines, which are about it.
    private mutating func remove(_ member: Int) {
        let node = scan.outline.nodes[member]
        if let lines = node.lines {
            edits.append((scan.start(ofStatementAt: lines.lowerBound)..<lines.upperBound, ""))
        } else if node.kind == .table {
            for inner in node.members.values { remove(inner) }
            for (index, block) in scan.blocks.enumerated() where block.node == member {
                let end = bytes[block.lines].firstIndex(of: 0x0A).map { $0 + 1 } ?? block.lines.upperBound
                edits.append((scan.start(of: index)..<end, ""))
            }
        } else {
            hasFailed = true
        }
    }

    /// Adds values at the end of a table.
    private mutating func add(_ values: [(String, WallValue)], to node: Int, _ path: [String]) {
        guard !values.isEmpty else { return }
        var text = values.map { TOMLText.statement($0, $1, at: path) }
        let last = scan.outline.nodes[node].members.values.map { scan.outline.nodes[$0] }
            .max { ($0.lines?.upperBound ?? 0) < ($1.lines?.upperBound ?? 0) }
        if let block = scan.blocks.first(where: { $0.node == node && !($0.path.isEmpty && $0.lines.isEmpty) }) {
            if let lines = last?.lines {
                let space = bytes[lines].prefix { $0 == 0x20 || $0 == 0x09 }
                text = text.map { String(decoding: space, as: UTF8.self) + $0 }
            }
            edits.append((block.lines.upperBound..<block.lines.upperBound, text.joined()))
        } else if node == 0 {
            let top = scan.endOfHeading
            edits.append((top..<top, text.joined() + "\n"))
        } else if let last, let lines = last.lines {
            // A table of dotted keys: the new ones begin like the others.
            let prefix = String(decoding: bytes[lines.lowerBound..<last.key.lowerBound], as: UTF8.self)
            edits.append((lines.upperBound..<lines.upperBound, text.map { prefix + $0 }.joined()))
        } else {
            hasFailed = true
        }
    }

    /// Adds a table with its header, before those that usually come after it.
    private mutating func addTable(_ path: [String], _ values: [String: WallValue]) {
        guard path.count == 1, let rank = WallOrder.tables.firstIndex(of: path[0]) else {
            hasFailed = true
            return
        }
        guard !values.isEmpty else { return }
        let text = "[\(path[0])]\n" + TOMLText.statements(values, at: path)
        let next = scan.blocks.indices.first { index in
            let known = scan.blocks[index].path.first.flatMap { WallOrder.tables.firstIndex(of: $0) }
            return known.map { $0 > rank } ?? false
        }
        if let next {
            let start = scan.start(of: next)
            edits.append((start..<start, text + "\n"))
        } else {
            edits.append((bytes.count..<bytes.count, "\n" + text))
        }
    }
}

extension TOMLOutline {
    /// Where a block begins with the comments directly above it.
    func start(of block: Int) -> Int {
        startOfComments(
            above: blocks[block].lines.lowerBound, after: block > 0 ? blocks[block - 1].lines.upperBound : 0)
    }

    /// Where a statement begins with the comments directly above it.
    func start(ofStatementAt line: Int) -> Int {
        // The last line of a text over several lines may look like a comment.
        let limit = outline.nodes.lazy.compactMap { $0.lines?.upperBound }.filter { $0 <= line }.max()
        return startOfComments(above: line, after: limit ?? 0)
    }

    private func startOfComments(above line: Int, after limit: Int) -> Int {
        // What marks the file as UTF-8 stays.
        let limit = limit == 0 && bytes.starts(with: TextPlace.byteOrderMark) ? 3 : limit
        var start = line
        while start > limit {
            let above = bytes[limit..<start - 1].lastIndex(of: 0x0A).map { $0 + 1 } ?? limit
            guard bytes[above..<start].first(where: { $0 != 0x20 && $0 != 0x09 }) == UInt8(ascii: "#") else { break }
            start = above
        }
        return start
    }

    /// Where the comments at the top of the file end, with the empty lines after them.
    var endOfHeading: Int {
        var position = bytes.starts(with: TextPlace.byteOrderMark) ? 3 : 0
        var hasSpace = false
        while position < bytes.count {
            let end = bytes[position...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
            let first = bytes[position..<end].first { $0 > 32 }
            guard first == nil || (first == UInt8(ascii: "#") && !hasSpace) else { break }
            if first == nil { hasSpace = true }
            position = end
        }
        return position
    }
}
