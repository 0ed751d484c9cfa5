public import VideoWall

/// Reads tables of colours from `.cube` files.
///
/// The format: Adobe, *Cube LUT Specification* 1.0; DaVinci Resolve's `LUT_1D_INPUT_RANGE` and `LUT_3D_INPUT_RANGE` are
/// understood, too.
///
/// **Thread:** any. **Cost:** rare; tenths of a second for 65 entries per side.
public enum CubeFile {
    /// The most bytes of a line; the format allows 250.
    private static let longestLine = 4096

    private static let memory = FileMemory<String, LookupTable>(
        files: { [$0.name] }, byteCount: { $0.count * MemoryLayout<SIMD4<Float>>.stride })

    /// Reads a file, unless it was read before and has not changed.
    ///
    /// - Throws: `EffectError`, with the line if the content is wrong.
    public static func read(_ path: String) throws(EffectError) -> LookupTable {
        try memory.value(of: path) { () throws(EffectError) in
            let bytes = try EffectFile.bytes(ofFileAt: path, named: path, limit: EffectFile.maximumByteCount)
            // Invalid UTF-8 does no harm in comments and the title; any other line that has it is refused as malformed.
            return try table(String(decoding: bytes, as: UTF8.self), name: path)
        }
    }

    /// Reads the content of a file.
    ///
    /// - Throws: `EffectError`, with the line.
    public static func table(_ text: String, name: String) throws(EffectError) -> LookupTable {
        var parser = Parser(name: name)
        var number = 0
        let text = PlainText(text).text
        for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            guard line.count <= longestLine else {
                throw EffectError("this line is too long: is it a .cube file?", file: name, line: number)
            }
            do throws(Refusal) { try parser.read(line, number) } catch {
                throw EffectError(error.reason, file: name, line: number, source: String(Substring(line)))
            }
        }
        return try parser.finish(lastLine: text.utf8.last == UInt8(ascii: "\n") ? number - 1 : number)
    }

    private struct Refusal: Error {
        let reason: String
    }

    private struct Parser {
        let name: String
        var size: Int?
        var isCube = false
        var lowest = SIMD3<Float>.zero
        var highest = SIMD3<Float>.one
        var colors: [SIMD3<Float>] = []
        /// The last line that sets the domain.
        var domainLine = 1

        mutating func read(_ line: Substring.UTF8View, _ number: Int) throws(Refusal) {
            let words = line.split { $0 <= 32 }.map { String(Substring($0)) }
            guard let first = words.first, !first.hasPrefix("#") else { return }
            if first.hasPrefix("DOMAIN_") || first.hasSuffix("_INPUT_RANGE") { domainLine = number }
            switch first {
            case "TITLE": break
            case "LUT_1D_SIZE": try setSize(words, isCube: false, 2...65_536)
            case "LUT_3D_SIZE": try setSize(words, isCube: true, 2...256)
            case "DOMAIN_MIN": lowest = try numbers(words.dropFirst())
            case "DOMAIN_MAX": highest = try numbers(words.dropFirst())
            case "LUT_1D_INPUT_RANGE", "LUT_3D_INPUT_RANGE":
                guard words.count == 3, let least = Self.number(words[1]), let most = Self.number(words[2]) else {
                    throw Refusal(reason: "\(first) is followed by two numbers")
                }
                (lowest, highest) = (SIMD3(repeating: least), SIMD3(repeating: most))
            default:
                let color = try numbers(words[...])
                guard let count else { throw Refusal(reason: "LUT_1D_SIZE or LUT_3D_SIZE must precede the colours") }
                guard colors.count < count else { throw Refusal(reason: "there are more than \(count) colours") }
                colors.append(color)
            }
        }

        private var count: Int? { size.map { isCube ? $0 * $0 * $0 : $0 } }

        private mutating func setSize(
            _ words: [String], isCube: Bool, _ range: ClosedRange<Int>
        ) throws(Refusal) {
            guard size == nil else { throw Refusal(reason: "the size is given twice") }
            guard words.count == 2, let number = Int(words[1]), range.contains(number) else {
                throw Refusal(reason: "\(words[0]) is followed by a number, \(range.lowerBound) to \(range.upperBound)")
            }
            (size, self.isCube) = (number, isCube)
            colors.reserveCapacity(count ?? 0)
        }

        private func numbers(_ words: ArraySlice<String>) throws(Refusal) -> SIMD3<Float> {
            let numbers = words.compactMap(Self.number)
            guard words.count == 3, numbers.count == 3 else {
                throw Refusal(reason: "this line is neither a keyword of the format nor three numbers")
            }
            return SIMD3(numbers[0], numbers[1], numbers[2])
        }

        private static func number(_ word: String) -> Float? {
            guard let number = Float(word), number.isFinite else { return nil }
            return number
        }

        func finish(lastLine: Int) throws(EffectError) -> LookupTable {
            guard let size, let count else {
                throw EffectError("there is no LUT_1D_SIZE or LUT_3D_SIZE: is it a .cube file?", file: name, line: 1)
            }
            guard colors.count == count else {
                throw EffectError(
                    "there are \(colors.count) colours instead of \(count): the file is incomplete", file: name,
                    line: lastLine)
            }
            guard lowest.x < highest.x, lowest.y < highest.y, lowest.z < highest.z else {
                throw EffectError("DOMAIN_MAX must be larger than DOMAIN_MIN", file: name, line: domainLine)
            }
            return LookupTable(
                name: name, size: size, isCube: isCube, lowest: lowest, highest: highest, colors: colors)
        }
    }
}
