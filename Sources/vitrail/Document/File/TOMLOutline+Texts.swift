/// Texts of TOML.
extension TOMLOutline {
    /// Reads a text in one or three quotation marks of either kind.
    mutating func text() throws(OutlineError) -> String { try marks() >= 3 ? longText() : shortText() }

    /// The number of equal quotation marks here; up to five belong together.
    private func marks() -> Int { bytes[position...].prefix(5).prefix { $0 == bytes[position] }.count }

    /// Reads a text in single quotation marks, one at each end.
    mutating func shortText() throws(OutlineError) -> String {
        let mark = bytes[position]
        position += 1
        var text: [UInt8] = []
        while let byte = peek, byte != mark {
            guard byte != 0x0A, byte != 0x0D else { throw mistake("the text does not end in its line") }
            try character(byte, mark, isLong: false, &text)
        }
        guard peek != nil else { throw mistake("the text has no end") }
        position += 1
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads a text in three quotation marks at each end; its ends of lines are line feeds.
    private mutating func longText() throws(OutlineError) -> String {
        let mark = bytes[position]
        position += 3
        _ = takeNewline()
        var text: [UInt8] = []
        while let byte = peek {
            let count = byte == mark ? marks() : 0
            if count >= 3 {
                // Up to two more before the last three belong to the text.
                text += Array(repeating: mark, count: count - 3)
                position += count
                return String(decoding: text, as: UTF8.self)
            }
            if takeNewline() {
                text.append(0x0A)
            } else {
                try character(byte, mark, isLong: true, &text)
            }
        }
        throw mistake("the text has no end")
    }

    private mutating func character(
        _ byte: UInt8, _ mark: UInt8, isLong: Bool, _ text: inout [UInt8]
    ) throws(OutlineError) {
        if byte == UInt8(ascii: "\\"), mark == UInt8(ascii: "\"") { return text += try escape(isLong).utf8 }
        try skipCharacter(byte)
        text.append(byte)
    }

    // MARK: Escapes

    private static let escapes: [UInt8: String] = [
        UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "b"): "\u{8}", UInt8(ascii: "f"): "\u{C}",
        UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
    ]

    /// Reads a backslash and what belongs to it.
    private mutating func escape(_ isLong: Bool) throws(OutlineError) -> String {
        position += 1
        switch peek {
        case UInt8(ascii: "u"): return try code(digits: 4)
        case UInt8(ascii: "U"): return try code(digits: 8)
        case let byte?:
            if let character = Self.escapes[byte] {
                position += 1
                return character
            }
        case nil: break
        }
        let start = position
        if isLong { skipSpace() }
        guard isLong, takeNewline() else {
            position = start
            throw mistake("after \\ in a text comes one of \" \\ b f n r t u U, or take single quotation marks")
        }
        // The text goes on at the next character that is no space.
        try skipLines(withComments: false)
        return ""
    }

    private mutating func code(digits count: Int) throws(OutlineError) -> String {
        position += 1
        let digits = bytes[position...].prefix(count).prefix { Character(Unicode.Scalar($0)).isHexDigit }
        guard digits.count == count, let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
            let scalar = Unicode.Scalar(code)
        else { throw mistake("\\u needs four digits of 0 to 9 and a to f, \\U eight, for a character that exists") }
        position += count
        return String(scalar)
    }
}
