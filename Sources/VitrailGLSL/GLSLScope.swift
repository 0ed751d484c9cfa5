/// Follows brackets, to tell which tokens are outside all functions, and which function the others are in.
struct GLSLScope {
    /// The function whose body the next token is in; `nil` outside all functions.
    private(set) var function: Substring?
    /// The word before the last `(` outside all functions, which may be a function's name.
    private(set) var candidate: Substring?
    /// The number of open brackets.
    private(set) var depth = 0
    /// Whether the next token is in the initializer of a global variable.
    private(set) var isInitializer = false
    /// The last two tokens.
    private var last: (GLSLToken?, GLSLToken?)

    /// Takes a token.
    ///
    /// - Returns: the global name that the token shows to be declared, or `nil`.
    mutating func step(_ token: GLSLToken) -> Substring? {
        guard token.kind != .directive else { return nil }
        defer { last = (last.1, token) }
        guard token.kind == .punctuation else { return nil }
        let name = depth == 0 && !isInitializer ? declared(before: token) : nil
        switch token.text {
        case "{", "(", "[":
            if depth == 0, token.is("("), !isInitializer { candidate = last.1?.text }
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

    /// The last word, if it is after a type or a comma, and the token is one of `( = ; , [`.
    private func declared(before token: GLSLToken) -> Substring? {
        guard "(=;,[".contains(token.text), let before = last.0, let name = last.1, name.kind == .word,
            before.kind == .word || before.is(",") || before.is("]")
        else { return nil }
        return name.text
    }
}
