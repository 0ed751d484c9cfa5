/// The size of an effect for a driver's compiler, which inserts each function wherever it is called: some lines can take it
/// minutes, and nothing can stop it.
struct EffectSize {
    /// The most tokens after all functions and macros are inserted.
    private static let tokenLimit = 100_000
    /// The most elements of an array.
    private static let arrayLimit = 4096

    /// What a function or a macro contains.
    private struct Body {
        var tokens = 0
        var words: [Substring: Int] = [:]
        var part: Int
        var line: Int
    }

    /// What functions and macros contain, by their names; what is outside of them is nobody's.
    private var bodies: [Substring: Body] = [:]
    private var constants: [Substring: Int] = [:]
    private var last: [GLSLToken] = []
    private var largeArray: (reason: String, part: Int, line: Int)?

    /// Takes the next token.
    ///
    /// - Parameters:
    ///   - token: the token.
    ///   - function: the function that it is in, or `nil`.
    ///   - part: the number of the part of the effect.
    mutating func note(_ token: GLSLToken, in function: Substring?, part: Int) {
        if token.kind == .directive {
            let inside = GLSLToken.tokens(of: String(token.text.dropFirst()))
            guard inside.count > 2, inside[0].is("define") else { return }
            if inside.count == 3, let number = Self.number(inside[2]) { constants[inside[1].text] = number }
            for word in inside.dropFirst(2) { add(word, to: inside[1].text, part, token.line) }
            return
        }
        if let function { add(token, to: function, part, token.line) }
        if let size = Self.number(token) ?? constants[token.text] {
            if last.last?.is("[") == true, size > Self.arrayLimit, largeArray == nil {
                largeArray = ("an array has at most \(Self.arrayLimit) elements, not \(size)", part, token.line)
            }
            if last.count == 2, last[1].is("="), last[0].kind == .word { constants[last[0].text] = size }
        }
        last = last.suffix(1) + [token]
    }

    private mutating func add(_ token: GLSLToken, to name: Substring, _ part: Int, _ line: Int) {
        var body = bodies[name] ?? Body(part: part, line: line)
        body.tokens += 1
        if token.kind == .word { body.words[token.text, default: 0] += 1 }
        bodies[name] = body
    }

    private static func number(_ token: GLSLToken) -> Int? {
        guard token.kind == .number else { return nil }
        let digits = token.text.prefix { $0.isASCII && $0.isNumber }
        let isWhole = digits.endIndex == token.text.endIndex || token.text[digits.endIndex...].lowercased() == "u"
        // A number that is too large for Swift is too large for an array.
        return isWhole ? Int(digits) ?? .max : nil
    }

    /// What is too large, and where; `nil` if nothing is.
    var excess: (reason: String, part: Int, line: Int)? {
        if let largeArray { return largeArray }
        var sizes: [Substring: Int] = [:]
        for (name, body) in bodies.sorted(by: { ($0.value.part, $0.value.line) < ($1.value.part, $1.value.line) }) {
            guard size(of: name, &sizes) > Self.tokenLimit else { continue }
            let reason =
                "with all functions that it calls, “\(name)” is too long for drivers: call fewer, or use a loop"
            return (reason, body.part, body.line)
        }
        return nil
    }

    private func size(of name: Substring, _ sizes: inout [Substring: Int]) -> Int {
        if let known = sizes[name] { return known }
        guard let body = bodies[name] else { return 0 }
        // Recursion is an error that the compiler finds.
        sizes[name] = 0
        var sum = body.tokens
        for (word, count) in body.words where word != name {
            let inserted = size(of: word, &sizes)
            sum = min(sum + min(count, Self.tokenLimit) * inserted, Self.tokenLimit + 1)
        }
        sizes[name] = sum
        return sum
    }
}
