/// The `//!` lines of an effect's file.
struct EffectHeader {
    private(set) var title: String?
    private(set) var about: String?
    private(set) var parameters: [EffectParameter] = []
    private(set) var passes: [EffectPass] = []
    private(set) var textures: [(name: String, file: String, isNearest: Bool, repeats: Bool)] = []
    /// The line of each declared name.
    private(set) var lines: [String: Int] = [:]
    private var unitCount = 0

    /// Why a line does not parse.
    private struct Refusal: Error {
        let reason: String
    }

    /// Reads the lines of a file.
    ///
    /// - Parameters:
    ///   - text: the content of the file.
    ///   - file: its name.
    ///   - isStrict: whether all lines that begin with `//!` must be header lines.
    /// - Throws: ``EffectError``, with the line.
    init(_ text: String, file: String, isStrict: Bool = true) throws(EffectError) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let trimmed = line.drop { $0 == " " || $0 == "\t" }
            guard trimmed.hasPrefix("//!") else { continue }
            var first = Words(trimmed.dropFirst(3))
            guard isStrict || Self.keywords.contains(first.next() ?? "") else { continue }
            do throws(Refusal) {
                try read(Words(trimmed.dropFirst(3)), line: index + 1)
            } catch {
                throw EffectError(error.reason, file: file, line: index + 1, source: String(line))
            }
        }
    }

    private static let keywords = ["name", "about", "param", "texture", "pass"]

    private mutating func read(_ words: Words, line: Int) throws(Refusal) {
        var words = words
        switch words.next() {
        case "name":
            guard title == nil else { throw Refusal(reason: "there are two //! name lines: remove one") }
            title = words.rest
        case "about": about = about.map { "\($0) \(words.rest)" } ?? words.rest
        case "param": parameters.append(try parameter(&words, line))
        case "pass": passes.append(try pass(&words, line))
        case "texture": textures.append(try texture(&words, line))
        case let other:
            throw Refusal(
                reason: other.map { "“\($0)” is not one of name, about, param, texture, pass" }
                    ?? "after //! one of name, about, param, texture, pass is expected")
        }
    }

    private mutating func declare(_ word: String?, _ line: Int) throws(Refusal) -> String {
        guard let word else { throw Refusal(reason: "a name is missing") }
        let isWord = word.utf8.first.map { !(0x30...0x39).contains($0) } ?? false
        guard isWord, word.utf8.count <= 64, !word.hasPrefix("gl_"), !word.contains("__"),
            word.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x5F || (0x61...0x7A).contains($0 | 0x20) })
        else { throw Refusal(reason: "“\(word)” is not a name: use letters, digits and underscores") }
        guard !EffectPrelude.names.contains(word), !word.hasPrefix("vitrail_") else {
            throw Refusal(reason: "“\(word)” is a name that every effect has: choose another")
        }
        guard !EffectPrelude.reserved.contains(word) else {
            throw Refusal(reason: "“\(word)” is a word of GLSL: choose another")
        }
        guard lines[word] == nil else {
            throw Refusal(reason: "“\(word)” is declared twice, here and in line \(lines[word] ?? 0): rename one")
        }
        lines[word] = line
        return word
    }

    // MARK: Parameters

    private mutating func parameter(_ words: inout Words, _ line: Int) throws(Refusal) -> EffectParameter {
        let name = try declare(words.next(), line)
        guard let type = words.next() else { throw Refusal(reason: "\(name) has no type: \(Self.types)") }
        let (kind, value) = try kind(type, &words)
        guard parameters.count < 64 else { throw Refusal(reason: "an effect has at most 64 parameters") }
        if kind == .tile || kind == .lut { try addTexture() }
        let label = words.quoted ?? name
        guard words.next() == nil else { throw Refusal(reason: "after the label, nothing more is expected") }
        return EffectParameter(name: name, kind: kind, defaultValue: value, label: label)
    }

    private static let types = "use float, int, bool, color, point, choice, tile or lut"

    private func kind(
        _ type: String, _ words: inout Words
    ) throws(Refusal) -> (EffectParameter.Kind, EffectValue) {
        switch type {
        case "float":
            let (least, most, value) = try range(&words, "numbers") { EffectParameter.number($0) }
            return (.float(least...most), .float(value))
        case "int":
            let (least, most, value) = try range(&words, "whole numbers") { EffectParameter.integer($0) }
            return (.int(least...most), .int(value))
        case "bool":
            guard let word = words.next(), let isOn = ["true": true, "false": false][word] else {
                throw Refusal(reason: "the default of a bool is true or false")
            }
            return (.bool, .bool(isOn))
        case "color":
            guard let color = words.next().flatMap({ EffectParameter.color($0) }) else {
                throw Refusal(reason: "the default of a color is #RRGGBB")
            }
            return (.color, .color(color))
        case "point":
            guard let x = words.next().flatMap({ EffectParameter.number($0) }),
                let y = words.next().flatMap({ EffectParameter.number($0) }), (0...1).contains(x), (0...1).contains(y)
            else { throw Refusal(reason: "the default of a point is X Y, each 0 to 1") }
            return (.point, .point(SIMD2(x, y)))
        case "choice": return try choice(&words)
        case "tile":
            guard let number = words.next().flatMap({ EffectParameter.integer($0) }), number > 0 else {
                throw Refusal(reason: "the default of a tile is its number, from 1")
            }
            return (.tile, .tile(number))
        case "lut": return (.lut, .lut(nil))
        default: throw Refusal(reason: "“\(type)” is not a type: \(Self.types)")
        }
    }

    private func range<Number: Comparable>(
        _ words: inout Words, _ kind: String, _ read: (String) -> Number?
    ) throws(Refusal) -> (Number, Number, Number) {
        guard let least = words.next().flatMap(read), let most = words.next().flatMap(read),
            let value = words.next().flatMap(read)
        else { throw Refusal(reason: "the type is followed by MIN MAX DEFAULT, which are \(kind)") }
        guard least <= value, value <= most else {
            throw Refusal(reason: "MIN MAX DEFAULT must be in order: MIN ≤ DEFAULT ≤ MAX")
        }
        return (least, most, value)
    }

    private func choice(_ words: inout Words) throws(Refusal) -> (EffectParameter.Kind, EffectValue) {
        let names = (words.next() ?? "").split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let areWords = names.allSatisfy { name in
            !name.isEmpty
                && name.utf8.allSatisfy {
                    (0x30...0x39).contains($0) || $0 == 0x5F || (0x61...0x7A).contains($0 | 0x20)
                }
        }
        guard names.count <= EffectLimits.choices else {
            throw Refusal(reason: "a choice has at most \(EffectLimits.choices) names")
        }
        guard areWords, Set(names).count == names.count else {
            throw Refusal(reason: "the type is followed by different names, as in one,two,three")
        }
        guard let word = words.next(), let index = names.firstIndex(of: word) else {
            throw Refusal(reason: "the default of a choice is one of \(names.joined(separator: ", "))")
        }
        return (.choice(names), .choice(index))
    }

    // MARK: Passes and textures

    /// Counts something that needs a texture unit.
    private mutating func addTexture() throws(Refusal) {
        unitCount += 1
        guard unitCount <= EffectLimits.textures else {
            throw Refusal(
                reason: "an effect has at most \(EffectLimits.textures) textures, passes, tiles and tables together")
        }
    }

    private mutating func pass(_ words: inout Words, _ line: Int) throws(Refusal) -> EffectPass {
        var pass = EffectPass(name: try declare(words.next(), line))
        while let word = words.next() {
            switch word {
            case "scale":
                guard let scale = words.next().flatMap({ EffectParameter.number($0) }), (0.01...4).contains(scale)
                else {
                    throw Refusal(reason: "scale is followed by a number, 0.01 to 4")
                }
                pass.size = .scale(Double(scale))
            case "size":
                guard let (width, height) = words.next().flatMap({ Self.size($0, 1...4096) }) else {
                    throw Refusal(reason: "size is followed by WIDTHxHEIGHT, each 1 to 4096")
                }
                pass.size = .fixed(width: width, height: height)
            case "points":
                guard let (columns, rows) = words.next().flatMap({ Self.size($0, 1...1024) }) else {
                    throw Refusal(reason: "points is followed by COLUMNSxROWS, each 1 to 1024")
                }
                pass.points = EffectPass.Grid(columns: columns, rows: rows)
            default: throw Refusal(reason: "“\(word)” is not one of scale, size, points")
            }
        }
        try addTexture()
        guard passes.count < 8 else { throw Refusal(reason: "an effect has at most 8 passes") }
        return pass
    }

    private static func size(_ text: String, _ range: ClosedRange<Int>) -> (Int, Int)? {
        let parts = text.split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2, let x = EffectParameter.integer(parts[0]), let y = EffectParameter.integer(parts[1]),
            range.contains(x), range.contains(y)
        else { return nil }
        return (x, y)
    }

    private mutating func texture(
        _ words: inout Words, _ line: Int
    ) throws(Refusal) -> (name: String, file: String, isNearest: Bool, repeats: Bool) {
        let name = try declare(words.next(), line)
        guard let file = words.next() else { throw Refusal(reason: "the name is followed by a PNG file's") }
        var options = (isNearest: false, repeats: false)
        while let word = words.next() {
            switch word {
            case "nearest": options.isNearest = true
            case "repeat": options.repeats = true
            default: throw Refusal(reason: "“\(word)” is not one of nearest, repeat")
            }
        }
        try addTexture()
        guard textures.count < 4 else { throw Refusal(reason: "an effect has at most 4 textures") }
        return (name, file, options.isNearest, options.repeats)
    }
}

/// The words of a header line.
private struct Words {
    private var text: Substring

    init(_ text: Substring) { self.text = text }

    private mutating func skipSpace() { text = text.drop { $0 == " " || $0 == "\t" || $0 == "\r" } }

    mutating func next() -> String? {
        skipSpace()
        let word = text.prefix { $0 != " " && $0 != "\t" && $0 != "\r" }
        text = text.dropFirst(word.count)
        return word.isEmpty ? nil : String(word)
    }

    /// The quoted text that comes next, without its quotation marks; `nil` if something else comes next.
    var quoted: String? {
        mutating get {
            skipSpace()
            guard text.first == "\"", let end = text.dropFirst().firstIndex(of: "\"") else { return nil }
            defer { text = text[text.index(after: end)...] }
            return String(text.dropFirst()[..<end])
        }
    }

    /// Everything that is left.
    var rest: String {
        mutating get {
            skipSpace()
            defer { text = "" }
            var words = text
            while words.last?.isWhitespace == true { words.removeLast() }
            return String(words)
        }
    }
}
