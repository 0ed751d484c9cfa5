/// What an effect's GLSL declares and uses, from its tokens alone.
///
/// It serves decisions that may err on the safe side: what it does not understand is left to the compiler.
struct EffectAnalysis {
    /// The names that are declared outside all functions.
    private(set) var globals: Set<Substring> = []
    /// The words that each function or macro uses.
    private(set) var uses: [Substring: Set<Substring>] = [:]
    /// Whether there are macros, conditions or types of its own.
    private(set) var hasMacrosOrTypes = false
    private var forbiddenWords: [Substring] = ["discard", "main"]
    /// The line and part of a word that is forbidden.
    private(set) var forbidden: (word: Substring, part: Int, line: Int)?
    /// The tokens of `effect`: its parameters, and its body.
    private var effect: [GLSLToken] = []
    private var words: [Substring: Int] = [:]
    /// The variables that each function declares, which hide what has the same name outside.
    private var locals: [Substring: Set<Substring>] = [:]
    private var last: GLSLToken?
    /// The size of the program, of which functions are a part each time that they are called.
    private var size = EffectSize()

    /// Reads the parts of an effect.
    ///
    /// - Parameters:
    ///   - parts: the parts.
    ///   - mayDiscard: whether pixels can be discarded.
    init(_ parts: [EffectSource], mayDiscard: Bool = false) {
        if mayDiscard { forbiddenWords = ["main"] }
        var scanner = Scanner()
        for (index, part) in parts.enumerated() {
            for token in GLSLToken.tokens(of: part.text) {
                size.note(token, in: scanner.function, part: index)
                switch token.kind {
                case .directive: note(directive: token)
                case .word: note(token, in: scanner.function, part: index)
                case .number, .punctuation: break
                }
                if token.kind != .directive { last = token }
                if let global = scanner.step(token) { globals.insert(global) }
                if scanner.candidate == "effect" || scanner.function == "effect" { effect.append(token) }
            }
        }
    }

    /// Follows brackets, to know what is outside all functions.
    private struct Scanner {
        /// The function that a body belongs to.
        private(set) var function: Substring?
        /// The last word before a bracket outside all functions.
        private(set) var candidate: Substring?
        private var depth = 0
        private var isInitializer = false
        private var last: [GLSLToken] = []

        /// Takes a token.
        ///
        /// - Returns: the name that it shows to be declared outside all functions.
        mutating func step(_ token: GLSLToken) -> Substring? {
            guard token.kind != .directive else { return nil }
            defer { last = last.suffix(1) + [token] }
            guard token.kind == .punctuation else { return nil }
            let name = depth == 0 && !isInitializer ? declared(before: token) : nil
            switch token.text {
            case "{", "(", "[":
                if depth == 0, token.is("("), !isInitializer { candidate = last.last?.text }
                if depth == 0, token.is("{") { function = candidate }
                depth += 1
            case "}", ")", "]":
                depth = max(0, depth - 1)
                if depth == 0, token.is("}") { (function, candidate) = (nil, nil) }
            case "=" where depth == 0: isInitializer = true
            case ",", ";":
                guard depth == 0 else { break }
                isInitializer = false
                candidate = nil
            default: break
            }
            return name
        }

        /// A word after a type or a comma, before one of `( = ; , [`.
        private func declared(before token: GLSLToken) -> Substring? {
            guard "(=;,[".contains(token.text), last.count == 2, last[1].kind == .word,
                last[0].kind == .word || last[0].is(",") || last[0].is("]")
            else { return nil }
            return last[1].text
        }
    }

    private mutating func note(_ token: GLSLToken, in function: Substring?, part: Int) {
        if let function {
            if let last, last.kind == .word, !last.is("return"), !last.is("else"), !last.is("in") {
                locals[function, default: []].insert(token.text)
            }
            if locals[function]?.contains(token.text) != true { uses[function, default: []].insert(token.text) }
        }
        words[token.text, default: 0] += 1
        if token.is("struct") || token.is("precision") || token.is("layout") { hasMacrosOrTypes = true }
        if forbidden == nil, forbiddenWords.contains(token.text) { forbidden = (token.text, part, token.line) }
    }

    private mutating func note(directive: GLSLToken) {
        hasMacrosOrTypes = true
        // A macro is like a function; conditions only add to what may be used.
        let inside = GLSLToken.tokens(of: String(directive.text.dropFirst())).filter { $0.kind == .word }
        guard inside.count > 1, inside[0].is("define") else { return }
        let body = Set(inside.dropFirst(2).map(\.text))
        uses[inside[1].text, default: []].formUnion(body)
        for word in body { words[word, default: 0] += 1 }
    }

    /// What is too large for the driver's compiler, and where; `nil` if nothing is.
    var excess: (reason: String, part: Int, line: Int)? { size.excess }

    /// Whether a word occurs outside comments.
    func contains(_ word: String) -> Bool { words[word[...]] != nil }

    /// The words that a function uses, itself or through the functions and macros that it calls.
    func reach(of function: String) -> Set<Substring> {
        var (found, open): (Set<Substring>, [Substring]) = ([], [function[...]])
        while let name = open.popLast() {
            for word in uses[name] ?? [] where found.insert(word).inserted { open.append(word) }
        }
        return found
    }

    /// Whether `effect` reads the picture only at its own pixel: `sample` occurs there alone, and only as `sample(P)`,
    /// where P is the function's parameter, which never changes.
    var readsOnlyItsPixel: Bool {
        guard let parameter = effectParameter else { return false }
        var calls = 0
        for index in effect.indices {
            let token = effect[index]
            if token.is("sample") {
                let call = effect[index...].dropFirst().prefix(3)
                guard call.count == 3, call.map(\.text) == ["(", parameter, ")"] else { return false }
                calls += 1
            }
            if token.is(String(parameter)), !isOnlyRead(at: index) { return false }
        }
        return words["sample", default: 0] == calls && !contains("out") && !contains("inout")
            && words["effect", default: 0] == 1
    }

    /// `uv` of `vec4 effect(vec2 uv)`.
    private var effectParameter: Substring? {
        let head = effect.prefix(4).map(\.text)
        guard head.count == 4, head[0] == "(", head[1] == "vec2", head[3] == ")" else { return nil }
        return head[2]
    }

    /// Whether the word at an index is neither declared again nor assigned to.
    private func isOnlyRead(at index: Int) -> Bool {
        func token(_ index: Int) -> Substring { effect.indices.contains(index) ? effect[index].text : "" }
        // The parameter itself.
        if index == 2 { return true }
        let before = effect[index - 1]
        if before.kind == .word, !before.is("return") { return false }
        // The name of a component of something else.
        if before.is(".") { return true }
        if ["+", "-"].contains(before.text), token(index - 2) == before.text { return false }
        var next = index + 1
        if token(next) == "." { next += 2 }
        if token(next) == "[" { return false }
        let (one, two) = (token(next), token(next + 1))
        if one == "=" { return two == "=" }
        if ["+", "-", "*", "/"].contains(one) { return two != "=" && !(two == one && "+-".contains(one)) }
        return true
    }
}
