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
        let start = position
        switch peek {
        case UInt8(ascii: "\""):
            try basicText()
            // The escapes are almost those of JSON.
            return Self.unescaped(bytes[start + 1..<position - 1])
        case UInt8(ascii: "'"):
            try literalText()
            return String(decoding: bytes[start + 1..<position - 1], as: UTF8.self)
        default:
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
    mutating func value(of node: Int) throws(OutlineError) {
        let start = position
        let kind: Outline.Kind
        switch peek {
        case UInt8(ascii: "\""):
            kind = .text
            try isTripled() ? longText(UInt8(ascii: "\"")) : basicText()
        case UInt8(ascii: "'"):
            kind = .text
            try isTripled() ? longText(UInt8(ascii: "'")) : literalText()
        case UInt8(ascii: "["):
            kind = .list
            try list(node)
        case UInt8(ascii: "{"):
            kind = .inline
            try inlineTable(node)
        default:
            kind = .bare
            try bare()
        }
        outline.change(node) { [position] in ($0.kind, $0.value) = (kind, start..<position) }
    }

    /// What ends a number or a word, besides the line.
    private static let ends = Array(",]}#".utf8)

    private mutating func bare() throws(OutlineError) {
        let start = position
        while let byte = peek, byte != 0x0A, byte != 0x0D, !Self.ends.contains(byte) { position += 1 }
        while position > start, bytes[position - 1] == 0x20 || bytes[position - 1] == 0x09 { position -= 1 }
        guard position > start else { throw mistake("a value is expected") }
        let word = bytes[start..<position]
        guard Self.isValue(word) else {
            let text = String(decoding: word, as: UTF8.self)
            throw OutlineError(offset: start, message: "“\(text)” is no value: a text needs quotation marks")
        }
    }

    /// Whether a word may be a number, a date or a time, or is a word of TOML.
    ///
    /// TOMLKit does not say so of every other word: some letters that are not ASCII are undefined in its parser.
    private static func isValue(_ word: ArraySlice<UInt8>) -> Bool {
        if words.contains(String(decoding: word, as: UTF8.self)) { return true }
        guard let first = word.first, (0x30...0x39).contains(first) || first == 0x2B || first == 0x2D else {
            return false
        }
        return word.allSatisfy { isBare($0) || [0x2B, 0x2E, 0x3A, 0x20].contains($0) }
    }

    /// The words that are values.
    private static let words: Set = ["true", "false", "inf", "nan", "+inf", "-inf", "+nan", "-nan"]

    // MARK: Lists and tables

    private mutating func list(_ node: Int) throws(OutlineError) {
        position += 1
        while true {
            skipLines()
            if peek == UInt8(ascii: "]") { break }
            let place = position..<position
            let depth = outline.nodes[node].depth + 1
            let element = try add(
                Outline.Node(kind: .bare, key: place, value: place, depth: depth), toList: node)
            try value(of: element)
            outline.change(element) { $0.key = $0.value }
            skipLines()
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

    /// Skips spaces, ends of lines and comments.
    private mutating func skipLines(withComments: Bool = true) {
        while let byte = peek {
            if byte == UInt8(ascii: "#"), !withComments { return }
            if byte == UInt8(ascii: "#") { skipComment() }
            guard [0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: "#")].contains(byte) else { return }
            if byte != UInt8(ascii: "#") { position += 1 }
        }
    }

    // MARK: Texts

    private func isTripled() -> Bool {
        position + 2 < bytes.count && bytes[position + 1] == bytes[position] && bytes[position + 2] == bytes[position]
    }

    private mutating func basicText() throws(OutlineError) {
        position += 1
        while let byte = peek, byte != UInt8(ascii: "\"") {
            guard byte != 0x0A else { throw mistake("the text does not end in its line") }
            if byte == UInt8(ascii: "\\") { try escape(isLong: false) } else { position += 1 }
        }
        guard position < bytes.count else { throw mistake("the text has no end") }
        position += 1
    }

    /// Skips what a backslash begins.
    private mutating func escape(isLong: Bool) throws(OutlineError) {
        position += 1
        if let byte = peek, Self.escapes.contains(byte) {
            position += 1
            return
        }
        let start = position
        if isLong { skipLines(withComments: false) }
        guard position > start, peek.map({ $0 < 0x80 }) ?? true else {
            // A letter that is not ASCII is undefined in TOMLKit's parser here.
            throw mistake(
                position > start
                    ? "no such letter may follow a \\ at the end of a line: write the text in one line"
                    : "after \\ in a text comes one of \" \\ b f n r t u U, or take single quotation marks")
        }
    }

    private static let escapes = Array("\"\\bfnrtuU".utf8)

    private mutating func literalText() throws(OutlineError) {
        position += 1
        while let byte = peek, byte != UInt8(ascii: "'") {
            guard byte != 0x0A else { throw mistake("the text does not end in its line") }
            position += 1
        }
        guard position < bytes.count else { throw mistake("the text has no end") }
        position += 1
    }

    /// Skips a text in three quotation marks; up to two more before the last three belong to it.
    private mutating func longText(_ mark: UInt8) throws(OutlineError) {
        position += 3
        var count = 0
        while let byte = peek {
            if byte == mark {
                count += 1
                position += 1
                if count == 5 { return }
                continue
            }
            if count >= 3 { return }
            count = 0
            if byte == UInt8(ascii: "\\"), mark == UInt8(ascii: "\"") {
                try escape(isLong: true)
            } else {
                position += 1
            }
        }
        guard count >= 3 else { throw mistake("the text has no end") }
    }

    private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
        guard bytes.contains(UInt8(ascii: "\\")) else { return String(decoding: bytes, as: UTF8.self) }
        var (result, rest) = ("", String(decoding: bytes, as: UTF8.self)[...])
        let simple: [Character: Character] = [
            "b": "\u{8}", "t": "\t", "n": "\n", "f": "\u{C}", "r": "\r", "e": "\u{1B}",
        ]
        while let character = rest.popFirst() {
            guard character == "\\", let escape = rest.popFirst() else {
                result.append(character)
                continue
            }
            let count = ["u": 4, "U": 8, "x": 2][escape] ?? 0
            if count > 0, let code = UInt32(rest.prefix(count), radix: 16), let scalar = Unicode.Scalar(code) {
                result.unicodeScalars.append(scalar)
                rest = rest.dropFirst(count)
            } else {
                result.append(simple[escape] ?? escape)
            }
        }
        return result
    }
}
