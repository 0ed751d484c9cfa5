/// Numbers and words of TOML.
extension TOMLOutline {
    /// What ends a number or a word, besides the line.
    private static let ends = Array(",]}#".utf8)

    /// Reads a value without quotation marks or brackets.
    mutating func bare() throws(OutlineError) -> WallValue {
        let start = position
        while let byte = peek, byte != 0x0A, byte != 0x0D, !Self.ends.contains(byte) { position += 1 }
        while position > start, bytes[position - 1] == 0x20 || bytes[position - 1] == 0x09 { position -= 1 }
        guard position > start else { throw mistake("a value is expected") }
        let word = bytes[start..<position]
        let text = String(decoding: word, as: UTF8.self)
        func refusal(_ reason: String) -> OutlineError { OutlineError(offset: start, message: "“\(text)” \(reason)") }
        switch text {
        case "true": return .flag(true)
        case "false": return .flag(false)
        case "inf", "+inf", "-inf", "nan", "+nan", "-nan": throw refusal("is no number here")
        default: break
        }
        if Self.isMoment(word) {
            throw refusal("is a date or a time, which a wall file does not use: is it a text? Quote it")
        }
        guard let number = Self.number(word) else { throw refusal("is no value: a text needs quotation marks") }
        if let whole = Int(number.text, radix: number.radix) { return .whole(whole) }
        guard !number.isWhole, let value = Double(number.text), value.isFinite else { throw refusal("is too large") }
        return .number(value)
    }

    /// Whether a word begins as a date or a time does.
    private static func isMoment(_ word: ArraySlice<UInt8>) -> Bool {
        let count = word.prefix { isDigit($0, 10) }.count
        let next = word.dropFirst(count).first
        return (count == 4 && next == UInt8(ascii: "-")) || (count == 2 && next == UInt8(ascii: ":"))
    }

    private static func isDigit(_ byte: UInt8, _ radix: Int) -> Bool {
        Character(Unicode.Scalar(byte)).hexDigitValue.map { $0 < radix } ?? false
    }

    /// A number as Swift writes it; `nil` if the word is none.
    private static func number(_ word: ArraySlice<UInt8>) -> (text: String, radix: Int, isWhole: Bool)? {
        let radix = ["0x": 16, "0o": 8, "0b": 2][String(decoding: word.prefix(2), as: UTF8.self)] ?? 10
        let part = radix == 10 ? word : word.dropFirst(2)
        var digits: [UInt8] = []
        for (index, byte) in zip(part.indices, part) {
            guard byte == UInt8(ascii: "_") else {
                digits.append(byte)
                continue
            }
            // Only between two digits.
            guard index > part.startIndex, index + 1 < part.endIndex, isDigit(part[index - 1], radix),
                isDigit(part[index + 1], radix)
            else { return nil }
        }
        let text = String(decoding: digits, as: UTF8.self)
        let isWhole = digits.allSatisfy { isDigit($0, radix) }
        if radix != 10 { return isWhole && !digits.isEmpty ? (text, radix, true) : nil }
        let hasSign = digits.first == UInt8(ascii: "+") || digits.first == UInt8(ascii: "-")
        // Without its sign, a number is written as in JSON.
        let unsigned = hasSign ? digits.dropFirst() : digits[...]
        guard unsigned.first != UInt8(ascii: "-"), JSONOutline.isNumber(unsigned) else { return nil }
        return (text, radix, unsigned.allSatisfy { isDigit($0, radix) })
    }
}
