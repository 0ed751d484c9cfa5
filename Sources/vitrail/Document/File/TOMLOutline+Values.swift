/// Keys and values of TOML.
extension TOMLOutline {
    /// A part of a key.
    struct Key {
        var name: String
        var range: Range<Int>
    }

    /// Reads a key with all its parts, and the spaces after it.
    mutating func keys() throws(OutlineError) -> [Key] {
        var keys: [Key] = []
        while true {
            skipSpace()
            let start = position
            let name = try name()
            keys.append(Key(name: name, range: start..<position))
            skipSpace()
            guard peek == UInt8(ascii: ".") else { return keys }
            position += 1
        }
    }

    private mutating func name() throws(OutlineError) -> String {
        switch peek {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            return try shortText()
        default:
            let start = position
            while let byte = peek, Self.isBare(byte) { position += 1 }
            guard position > start else {
                throw mistake("a name is expected: letters, digits, - and _, or anything in quotation marks")
            }
            return String(decoding: bytes[start..<position], as: UTF8.self)
        }
    }

    /// Whether a byte may stand in a key without quotation marks.
    static func isBare(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x30...0x39: true
        case UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
    }

    /// Reads the value of a node.
    mutating func readValue(of node: Int) throws(OutlineError) {
        let start = position
        let kind: Outline.Kind
        switch peek {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            kind = .text
            scalars[node] = .text(try text())
        case UInt8(ascii: "["):
            kind = .list
            try list(node)
        case UInt8(ascii: "{"):
            kind = .inline
            try inlineTable(node)
        default:
            kind = .bare
            scalars[node] = try bare()
        }
        outline.change(node) { [position] in ($0.kind, $0.value) = (kind, start..<position) }
    }

    // MARK: Lists and tables

    private mutating func list(_ node: Int) throws(OutlineError) {
        position += 1
        while true {
            try skipLines()
            if peek == UInt8(ascii: "]") { break }
            let place = position..<position
            let depth = outline.nodes[node].depth + 1
            let element = try add(
                Outline.Node(kind: .bare, key: place, value: place, depth: depth), toList: node)
            try readValue(of: element)
            outline.change(element) { $0.key = $0.value }
            try skipLines()
            if peek == UInt8(ascii: "]") { break }
            guard peek == UInt8(ascii: ",") else { throw mistake("“,” or “]” is expected") }
            position += 1
        }
        position += 1
    }

    private mutating func inlineTable(_ node: Int) throws(OutlineError) {
        position += 1
        skipSpace()
        if peek != UInt8(ascii: "}") {
            while true {
                _ = try assignment(in: node)
                skipSpace()
                if peek == UInt8(ascii: "}") { break }
                guard peek == UInt8(ascii: ",") else { throw mistake("“,” or “}” is expected in the same line") }
                position += 1
            }
        }
        position += 1
    }
}
