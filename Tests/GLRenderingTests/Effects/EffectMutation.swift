import TestSupport
import VideoEffects
import VideoWall

/// Damages effect files, the same way in every run.
struct EffectMutation {
    /// A file to begin with.
    struct Original {
        let text: [UInt8]
        let dialect: Effect.Dialect
    }

    /// The built-in effects, and some that use all of the contract.
    let originals: [Original]
    /// Words and lines of all of them.
    private let words: [[UInt8]]
    private let headers: [[UInt8]]

    init() throws {
        let builtIn = try BuiltInEffects.names.compactMap { name in
            try BuiltInEffects.effect(named: name).map { $0.sources.map(\.text).joined() }
        }
        originals =
            (builtIn + EffectCorpus.effects).map { Original(text: Array($0.utf8), dialect: .effect) }
            + EffectCorpus.shadertoys.map { Original(text: Array($0.utf8), dialect: .shadertoy) }
        let lines = originals.flatMap { $0.text.split(separator: 10).map(Array.init) }
        headers = lines.filter { $0.starts(with: Array("//!".utf8)) }
        words = Set(lines.flatMap { Self.tokens($0) }).sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// A damaged file.
    func file(_ random: inout SeededGenerator) -> Original {
        let original = originals.randomElement(using: &random) ?? Original(text: [], dialect: .effect)
        var text = original.text
        for _ in 0..<Int.random(in: 1...3, using: &random) { damage(&text, &random) }
        // As other systems end lines.
        if Int.random(in: 0..<10, using: &random) == 0 {
            text = text.flatMap { $0 == 10 ? [13, 10] : [$0] }
        }
        return Original(text: text, dialect: original.dialect)
    }

    private func damage(_ text: inout [UInt8], _ random: inout SeededGenerator) {
        switch Int.random(in: 0..<20, using: &random) {
        case 0, 1: changeByte(&text, &random)
        case 2..<10: changeTokens(&text, &random)
        case 10..<14: changeLines(&text, &random)
        case 14..<17: insert(headers.randomElement(using: &random) ?? [], &text, &random)
        case 17: insert(Array((EffectCorpus.lines.randomElement(using: &random) ?? "").utf8), &text, &random)
        case 18: replaceCondition(&text, &random)
        default:
            if Int.random(in: 0..<4, using: &random) == 0 {
                text.removeSubrange(Int.random(in: 0...text.count, using: &random)...)
            } else {
                changeTokens(&text, &random)
            }
        }
    }

    private func changeByte(_ text: inout [UInt8], _ random: inout SeededGenerator) {
        guard let place = text.indices.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: text[place] = UInt8.random(in: 0...255, using: &random)
        case 1: text[place] = UInt8.random(in: 32...126, using: &random)
        case 2: text.remove(at: place)
        default: text.insert(UInt8.random(in: 32...126, using: &random), at: place)
        }
    }

    /// Words, numbers and other characters are changed, dropped, doubled or exchanged.
    private func changeTokens(_ text: inout [UInt8], _ random: inout SeededGenerator) {
        var tokens = Self.tokens(text)
        guard let place = tokens.indices.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: tokens[place] = words.randomElement(using: &random) ?? []
        case 1: tokens.remove(at: place)
        case 2: tokens.insert(tokens[place], at: place)
        case 3: tokens.swapAt(place, tokens.indices.randomElement(using: &random) ?? place)
        case 4:
            let numbers = tokens.indices.filter { (0x30...0x39).contains(tokens[$0].first ?? 0) }
            guard let number = numbers.randomElement(using: &random) else { return }
            tokens[number] = Array((EffectCorpus.numbers.randomElement(using: &random) ?? "").utf8)
        default: tokens.insert(words.randomElement(using: &random) ?? [], at: place)
        }
        text = Array(tokens.joined())
    }

    private func changeLines(_ text: inout [UInt8], _ random: inout SeededGenerator) {
        var lines = text.split(separator: 10, omittingEmptySubsequences: false)
        let (from, to) = (
            Int.random(in: 0..<lines.count, using: &random), Int.random(in: 0..<lines.count, using: &random)
        )
        switch Int.random(in: 0..<3, using: &random) {
        case 0: lines.insert(lines.remove(at: from), at: to)
        case 1: lines.remove(at: from)
        default: lines.insert(lines[from], at: to)
        }
        text = Array(lines.joined(separator: [10]))
    }

    private func insert(_ line: [UInt8], _ text: inout [UInt8], _ random: inout SeededGenerator) {
        var lines = text.split(separator: 10, omittingEmptySubsequences: false)
        lines.insert(line[...], at: Int.random(in: 0...lines.count, using: &random))
        text = Array(lines.joined(separator: [10]))
    }

    /// What is in a pair of brackets becomes true, or a loop's condition empty.
    private func replaceCondition(_ text: inout [UInt8], _ random: inout SeededGenerator) {
        var tokens = Self.tokens(text)
        let starts = tokens.indices.filter { [Array("<".utf8), Array(">".utf8)].contains(tokens[$0]) }
        guard let operation = starts.randomElement(using: &random) else { return }
        let ends: [[UInt8]] = [Array("(".utf8), Array(")".utf8), Array(";".utf8)]
        let first = tokens[..<operation].lastIndex { ends.contains($0) }.map { $0 + 1 } ?? operation
        let end = tokens[operation...].firstIndex { ends.contains($0) } ?? tokens.count
        tokens.replaceSubrange(first..<end, with: Bool.random(using: &random) ? [Array("true".utf8)] : [])
        text = Array(tokens.joined())
    }

    /// Runs of letters and digits, runs of space, and single other characters.
    private static func tokens(_ text: [UInt8]) -> [[UInt8]] {
        func kind(_ byte: UInt8) -> Int {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2E: 1
            case 0x20, 0x09: 2
            default: 0
            }
        }
        var tokens: [[UInt8]] = []
        var (start, previous) = (0, 0)
        for index in text.indices {
            let kind = kind(text[index])
            if index > start, kind == 0 || kind != previous {
                tokens.append(Array(text[start..<index]))
                start = index
            }
            previous = kind
        }
        return start < text.count ? tokens + [Array(text[start...])] : tokens
    }
}
