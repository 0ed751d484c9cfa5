/// The settings of a program made with Qt: an INI file with rules of its own.
struct QtSettings {
    /// A value.
    struct Value: Hashable {
        /// What it says; `nil` for nothing, and for what is no text.
        let text: String?
        /// The characters in the file.
        let raw: String
        /// Its line, from 1.
        let line: Int
    }

    private var values: [String: Value] = [:]

    /// Reads a file, whatever is in it: what is not understood is skipped, as Qt does.
    init(_ bytes: [UInt8]) {
        let units = Self.units(of: bytes)
        var (position, line, section) = (0, 1, "")
        while let piece = Self.piece(units, &position, &line) {
            let text = units[piece.range]
            if text.first == Self.open {
                let name = text.dropFirst().prefix { $0 != Self.close }
                section = Self.section(Self.trimmed(name))
            } else if let equals = piece.equals {
                let key = section + Self.key(Self.trimmed(units[piece.range.lowerBound..<equals]))
                let value = units[(equals + 1)..<piece.range.upperBound]
                values[key] = Value(
                    text: Self.variant(Self.unescaped(value)), raw: String(decoding: value, as: UTF16.self),
                    line: piece.line)
            }
        }
    }

    /// The value of a key, `GROUP/KEY`.
    subscript(key: String) -> Value? { values[key] }

    /// Whether it has any value in a group.
    func has(group: String) -> Bool { values.keys.contains { $0.hasPrefix(group + "/") } }

    // MARK: Lines

    static let (newline, carriageReturn, quote): (UInt16, UInt16, UInt16) = (0x0A, 0x0D, 0x22)
    private static let (semicolon, equals, open, close): (UInt16, UInt16, UInt16, UInt16) = (0x3B, 0x3D, 0x5B, 0x5D)
    static let (comma, backslash): (UInt16, UInt16) = (0x2C, 0x5C)

    /// The characters: of UTF-8, or else of Latin-1, in which older versions write.
    static func units(of bytes: [UInt8]) -> [UInt16] {
        let rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        return String(validating: rest, as: UTF8.self).map { Array($0.utf16) } ?? rest.map { UInt16($0) }
    }

    /// The next line, which may go on over several lines of the file; `nil` at the end.
    private static func piece(
        _ units: [UInt16], _ position: inout Int, _ line: inout Int
    ) -> (range: Range<Int>, equals: Int?, line: Int)? {
        while position < units.count, isSpace(units[position]) {
            if units[position] == newline { line += 1 }
            position += 1
        }
        let (start, first) = (position, line)
        var (equals, isQuoted): (Int?, Bool) = (nil, false)
        // A comment is what begins with a semicolon, even after a value.
        let isComment = position < units.count && units[position] == semicolon
        scan: while position < units.count {
            let unit = units[position]
            switch unit {
            case newline, carriageReturn:
                guard isQuoted else { break scan }
                if unit == newline { line += 1 }
            case _ where isComment: break
            case quote: isQuoted.toggle()
            case Self.equals where !isQuoted && equals == nil: equals = position
            case semicolon where !isQuoted: break scan
            case backslash where position + 1 < units.count:
                position += 1
                if units[position] == newline { line += 1 }
                // A line may end in two characters.
                if position + 1 < units.count, units[position...(position + 1)] == [carriageReturn, newline] {
                    position += 1
                    line += 1
                }
            default: break
            }
            position += 1
        }
        guard start < units.count else { return nil }
        return (start..<position, isComment ? nil : equals, first)
    }

    private static func isSpace(_ unit: UInt16) -> Bool { unit == 0x20 || (0x09...0x0D).contains(unit) }

    static func trimmed(_ units: ArraySlice<UInt16>) -> ArraySlice<UInt16> {
        let rest = units.drop(while: isSpace)
        return rest.lastIndex { !isSpace($0) }.map { rest[...$0] } ?? []
    }
}
