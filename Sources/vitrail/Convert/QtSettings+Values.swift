/// What stands in a line: names and values, in which some characters have other forms.
extension QtSettings {
    /// The beginning of the keys of a group.
    static func section(_ name: ArraySlice<UInt16>) -> String {
        switch String(decoding: name, as: UTF16.self).lowercased() {
        // Qt writes keys without a group there, and a real group of that name otherwise.
        case "general": ""
        case "%general": "General/"
        default: key(name) + "/"
        }
    }

    /// A name: `%20` for a character, `\` for a slash.
    static func key(_ raw: ArraySlice<UInt16>) -> String {
        var (result, rest): ([UInt16], ArraySlice<UInt16>) = ([], raw)
        while let unit = rest.popFirst() {
            let isWide = rest.first == 0x55
            let digits = rest.dropFirst(isWide ? 1 : 0).prefix(isWide ? 4 : 2)
            if unit == 0x25, digits.count == (isWide ? 4 : 2), let code = number(digits, radix: 16) {
                result.append(code)
                rest = rest[digits.endIndex...]
            } else {
                result.append(unit == backslash ? 0x2F : unit)
            }
        }
        return String(decoding: result, as: UTF16.self)
    }

    /// A value without its quotation marks and escapes; the parts of a list with commas between them.
    static func unescaped(_ raw: ArraySlice<UInt16>) -> String {
        var (result, rest) = ([UInt16](), raw.drop(while: isBlank))
        // Spaces at the end are dropped, but not those that precede `kept`.
        var (isQuoted, wasQuoted, kept) = (false, false, 0)
        func chop() {
            while !wasQuoted, result.count > kept, result.last.map(isBlank) == true { result.removeLast() }
        }
        while let unit = rest.popFirst() {
            switch unit {
            case backslash:
                if let unit = escape(&rest) { result.append(unit) }
                kept = result.count
            case quote:
                (isQuoted, wasQuoted) = (!isQuoted, true)
                if !isQuoted { rest = rest.drop(while: isBlank) }
            case comma where !isQuoted:
                chop()
                result.append(comma)
                (kept, wasQuoted, rest) = (result.count, false, rest.drop(while: isBlank))
            default: result.append(unit)
            }
        }
        chop()
        return String(decoding: result, as: UTF16.self)
    }

    /// What follows a backslash; `nil` for nothing.
    private static func escape(_ rest: inout ArraySlice<UInt16>) -> UInt16? {
        guard let unit = rest.popFirst() else { return nil }
        switch unit {
        case 0x78:
            let digits = rest.prefix { number([$0], radix: 16) != nil }
            rest = rest[digits.endIndex...]
            return number(digits, radix: 16)
        case 0x30...0x37:
            let digits = rest.prefix { (0x30...0x37).contains($0) }
            rest = rest[digits.endIndex...]
            return number([unit] + digits, radix: 8)
        case carriageReturn where rest.first == newline, newline where rest.first == carriageReturn:
            rest = rest.dropFirst()
            return nil
        default: return UnicodeScalar(unit).flatMap { escapes[$0] }
        }
    }

    /// The letters of C, and what means itself; all others mean nothing.
    private static let escapes: [UnicodeScalar: UInt16] = [
        "a": 0x07, "b": 0x08, "f": 0x0C, "n": 0x0A, "r": 0x0D, "t": 0x09, "v": 0x0B, "\"": 0x22, "?": 0x3F, "'": 0x27,
        "\\": 0x5C,
    ]

    /// A number of any length, of which 16 bits are kept, as Qt does; `nil` if there are none, or another character.
    private static func number(_ digits: ArraySlice<UInt16>, radix: UInt16) -> UInt16? {
        guard !digits.isEmpty else { return nil }
        var result: UInt16 = 0
        for digit in digits {
            guard let scalar = UnicodeScalar(digit), scalar.isASCII, let value = Character(scalar).hexDigitValue,
                value < Int(radix)
            else { return nil }
            result = result &* radix &+ UInt16(value)
        }
        return result
    }

    /// A text, which may be marked as one of Qt's types.
    static func variant(_ text: String) -> String? {
        if text.hasPrefix("@@") { return String(text.dropFirst()) }
        guard text.hasPrefix("@"), text.hasSuffix(")") else { return text }
        func inside(_ type: String) -> Substring? {
            text.hasPrefix("@\(type)(") ? text.dropFirst(type.count + 2).dropLast() : nil
        }
        if let bytes = inside("ByteArray") {
            return String(decoding: bytes.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }, as: UTF8.self)
        }
        return inside("String").map(String.init)
    }

    private static func isBlank(_ unit: UInt16) -> Bool { unit == 0x20 || unit == 0x09 }
}
