/// What an effect's GLSL declares and uses, from its tokens alone.
///
/// The results are conservative: GLSL that this analysis does not understand is left to the compiler.
package struct EffectAnalysis {
    /// The names that are declared outside all functions.
    package private(set) var globals: Set<Substring> = []
    /// The words that each function or macro uses.
    private(set) var uses: [Substring: Set<Substring>] = [:]
    /// Whether there are preprocessor directives, or the words `struct`, `precision` or `layout`.
    package private(set) var hasMacrosOrTypes = false
    private var forbiddenWords: [Substring] = ["discard", "main"]
    /// The first forbidden word, with its part and its line in that part; `nil` if there is none.
    package private(set) var forbidden: (word: Substring, part: Int, line: Int)?
    /// The tokens of the function `effect`: its parameters and its body.
    private var effect: [GLSLToken] = []
    private var words: [Substring: Int] = [:]
    /// The variables that each function declares; they shadow globals of the same name.
    private var locals: [Substring: Set<Substring>] = [:]
    private var last: GLSLToken?

    /// Reads the parts of an effect.
    ///
    /// - Parameters:
    ///   - parts: the tokens of the parts.
    ///   - mayDiscard: whether pixels can be discarded.
    package init(_ parts: [[GLSLToken]], mayDiscard: Bool = false) {
        if mayDiscard { forbiddenWords = ["main"] }
        var scope = GLSLScope()
        for (index, part) in parts.enumerated() {
            for token in part {
                switch token.kind {
                case .directive: note(directive: token)
                case .word: note(token, in: scope.function, part: index)
                case .number, .punctuation: break
                }
                if token.kind != .directive { last = token }
                if let global = scope.step(token) { globals.insert(global) }
                if scope.candidate == "effect" || scope.function == "effect" { effect.append(token) }
            }
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

    /// Adds the global names that are declared only after preprocessing, in macros for example.
    ///
    /// - Parameter tokens: the tokens that a compiler sees after preprocessing.
    package mutating func note(compiled tokens: [GLSLPreprocessor.Placed]) {
        guard hasMacrosOrTypes else { return }
        var scope = GLSLScope()
        for placed in tokens {
            if let global = scope.step(placed.token) { globals.insert(global) }
        }
    }

    private mutating func note(directive: GLSLToken) {
        hasMacrosOrTypes = true
        // A macro counts as a function. Conditions are ignored: the tokens of all branches count as used.
        let inside = GLSLToken.tokens(of: String(directive.text.dropFirst())).filter { $0.kind == .word }
        guard inside.count > 1, inside[0].is("define") else { return }
        let body = Set(inside.dropFirst(2).map(\.text))
        uses[inside[1].text, default: []].formUnion(body)
        for word in body { words[word, default: 0] += 1 }
    }

    /// Whether a word occurs outside comments.
    package func contains(_ word: String) -> Bool { words[word[...]] != nil }

    /// The words that a function uses, itself or through the functions and macros that it calls.
    package func reach(of function: String) -> Set<Substring> {
        var (found, open): (Set<Substring>, [Substring]) = ([], [function[...]])
        while let name = open.popLast() {
            for word in uses[name] ?? [] where found.insert(word).inserted { open.append(word) }
        }
        return found
    }

    /// Whether `effect` reads the picture only at its own pixel: every `sample` is in `effect` itself and has the form
    /// `sample(P)`, where P is the function's parameter, which never changes.
    package var readsOnlyItsPixel: Bool {
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

    /// The name of the parameter: `uv` in `vec4 effect(vec2 uv)`; `nil` if the declaration has another form.
    private var effectParameter: Substring? {
        let head = effect.prefix(4).map(\.text)
        guard head.count == 4, head[0] == "(", head[1] == "vec2", head[3] == ")" else { return nil }
        return head[2]
    }

    /// Whether the word at an index is only read there: it is neither declared again nor assigned to.
    private func isOnlyRead(at index: Int) -> Bool {
        func token(_ index: Int) -> Substring { effect.indices.contains(index) ? effect[index].text : "" }
        // The declaration of the parameter itself.
        if index == 2 { return true }
        let before = effect[index - 1]
        if before.kind == .word, !before.is("return") { return false }
        // A component of another value, as in `a.uv`.
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
