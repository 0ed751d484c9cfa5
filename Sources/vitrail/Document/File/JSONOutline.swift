/// Reads JSON, and notes where everything is.
///
/// Foundation's decoder on Linux does not say where a mistake is, and takes one of two values of the same name.
struct JSONOutline {
    /// What ends a number or a word, besides spaces.
    private static let ends = Array(",]}:\"[{".utf8)

    private let bytes: [UInt8]
    private var position = 0
    private var outline = Outline()

    /// Reads a text.
    ///
    /// - Parameter bytes: UTF-8.
    /// - Returns: what it says, and where.
    /// - Throws: ``OutlineError`` for the first mistake.
    static func read(_ bytes: [UInt8]) throws(OutlineError) -> (value: WallValue, outline: Outline) {
        var reader = JSONOutline(bytes)
        reader.skipSpace()
        let start = reader.position
        guard reader.peek == UInt8(ascii: "{") else { throw reader.error("a wall must begin with {") }
        let value = try reader.value(of: 0)
        reader.outline.change(0) { $0.value = start..<start + 1 }
        reader.skipSpace()
        guard reader.peek == nil else { throw reader.error("nothing may follow the last }") }
        return (value, reader.outline)
    }

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: TextPlace.byteOrderMark) { position = 3 }
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func error(_ message: String) -> OutlineError {
        OutlineError(offset: position, message: peek == nil ? "the file ends too early: \(message)" : message)
    }

    private mutating func skipSpace() {
        while let byte = peek, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    // MARK: Values

    /// Reads the value of a node.
    private mutating func value(of node: Int) throws(OutlineError) -> WallValue {
        let start = position
        guard outline.nodes[node].depth <= Outline.maximumDepth else {
            throw error("values lie in each other more than \(Outline.maximumDepth) deep")
        }
        let value: WallValue
        switch peek {
        case UInt8(ascii: "{"): value = try table(node)
        case UInt8(ascii: "["): value = try list(node)
        case UInt8(ascii: "\""):
            outline.change(node) { $0.kind = .text }
            value = .text(try text())
        default: value = try bare()
        }
        outline.change(node) { [position] in $0.value = start..<position }
        return value
    }

    private mutating func table(_ node: Int) throws(OutlineError) -> WallValue {
        outline.change(node) { $0.kind = .inline }
        position += 1
        var table: [String: WallValue] = [:]
        skipSpace()
        if take("}") { return .table(table) }
        while true {
            skipSpace()
            let start = position
            guard peek == UInt8(ascii: "\"") else { throw error("a name in quotation marks is expected") }
            let name = try text()
            guard table[name] == nil else {
                throw OutlineError(offset: start, message: "“\(name)” is there twice")
            }
            let key = start..<position
            skipSpace()
            guard take(":") else { throw error("“:” is expected") }
            skipSpace()
            let depth = outline.nodes[node].depth + 1
            let member = outline.add(
                Outline.Node(kind: .bare, key: key, value: position..<position, depth: depth), named: name, to: node)
            table[name] = try value(of: member)
            skipSpace()
            if take("}") { return .table(table) }
            guard take(",") else { throw error("“,” or “}” is expected") }
        }
    }

    private mutating func list(_ node: Int) throws(OutlineError) -> WallValue {
        outline.change(node) { $0.kind = .list }
        position += 1
        var list: [WallValue] = []
        skipSpace()
        if take("]") { return .list(list) }
        while true {
            skipSpace()
            let depth = outline.nodes[node].depth + 1
            let place = position..<position + 1
            let element = outline.add(
                Outline.Node(kind: .bare, key: place, value: place, depth: depth), toList: node)
            list.append(try value(of: element))
            skipSpace()
            if take("]") { return .list(list) }
            guard take(",") else { throw error("“,” or “]” is expected") }
        }
    }

    private mutating func bare() throws(OutlineError) -> WallValue {
        let start = position
        while let byte = peek, byte > 32, !Self.ends.contains(byte) { position += 1 }
        let word = String(decoding: bytes[start..<position], as: UTF8.self)
        switch word {
        case "true": return .flag(true)
        case "false": return .flag(false)
        default: break
        }
        if Self.isNumber(bytes[start..<position]) {
            if let number = Int(word) { return .whole(number) }
            if let number = Double(word), number.isFinite { return .number(number) }
        }
        position = start
        guard !word.isEmpty, word != "null" else {
            throw error(word.isEmpty ? "a value is expected" : "null is no value here: leave the name out")
        }
        throw error("“\(word)” is no value: a text needs quotation marks")
    }

    /// Whether a word is written as JSON wants numbers: without a plus, zeros in front, or a point at an end.
    static func isNumber(_ word: ArraySlice<UInt8>) -> Bool {
        var rest = word
        func digits() -> Int {
            let count = rest.prefix { (0x30...0x39).contains($0) }.count
            rest = rest.dropFirst(count)
            return count
        }
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        let isZero = rest.first == 0x30
        let count = digits()
        guard count == 1 || (count > 1 && !isZero) else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            guard digits() > 0 else { return false }
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
            guard digits() > 0 else { return false }
        }
        return rest.isEmpty
    }

    // MARK: Texts

    private mutating func text() throws(OutlineError) -> String {
        position += 1
        var result: [UInt8] = []
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return String(decoding: result, as: UTF8.self)
            case UInt8(ascii: "\\"): result += try escape().utf8
            case ..<32: throw error("the text does not end in this line, or has a control character: write \\n or \\t")
            default:
                result.append(byte)
                position += 1
            }
        }
        throw error("the text has no end")
    }

    private mutating func escape() throws(OutlineError) -> String {
        position += 1
        let simple: [UInt8: String] = [
            UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/", UInt8(ascii: "b"): "\u{8}",
            UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
        ]
        if let byte = peek, let character = simple[byte] {
            position += 1
            return character
        }
        guard take("u") else { throw error("after \\ in a text comes one of \" \\ / b f n r t u") }
        var code = try hexadecimal()
        if (0xD800..<0xDC00).contains(code), take("\\"), take("u") {
            let low = try hexadecimal()
            guard (0xDC00..<0xE000).contains(low) else { throw error("\\u is followed by half a character") }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw error("\\u is followed by half a character") }
        return String(Character(scalar))
    }

    private mutating func hexadecimal() throws(OutlineError) -> UInt32 {
        let digits = bytes[position..<min(position + 4, bytes.count)]
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw error("\\u needs four digits of 0 to 9 and a to f") }
        position += 4
        return code
    }
}
