/// The tokens that remain of an effect after a driver's preprocessor: those of the branches that are compiled, with
/// macros expanded.
///
/// They are only measured: the driver gets the original text. Nothing here recurses deeper than
/// ``GLSLLimits/macroDepth``.
package struct GLSLPreprocessor {
    /// What is refused, and where.
    package struct Refusal: Error {
        package let reason: String
        package let part: Int
        /// The line in the part, from 1.
        package let line: Int
    }

    /// The compiler whose preprocessor is imitated.
    enum Language {
        case desktop, es

        /// The value of a macro that the compiler defines itself; `nil` if it has none.
        func value(_ name: Substring) -> Int? {
            switch name {
            case "__VERSION__": self == .es ? 300 : 330
            case "GL_ES": self == .es ? 1 : nil
            case "GL_core_profile": self == .es ? nil : 1
            case "GL_FRAGMENT_PRECISION_HIGH": 1
            default: nil
            }
        }

        static let names: Set<Substring> = ["__VERSION__", "GL_ES", "GL_core_profile", "GL_FRAGMENT_PRECISION_HIGH"]
    }

    /// A token and its part; a token from a macro has the line where the macro is used.
    package struct Placed {
        let token: GLSLToken
        let part: Int
    }

    /// A branch of `#if`.
    private struct Branch {
        /// Whether the surrounding code is compiled.
        let isReached: Bool
        /// Whether this or an earlier branch is compiled.
        var isTaken: Bool
        /// Whether this branch is compiled.
        var isActive: Bool
        var hadElse = false
    }

    /// Macros that the text before an effect defines, all or some of the time.
    static let renderersNames: Set<Substring> = ["sample", "noperspective", "iChannel1", "iChannel2", "iChannel3"]

    let language: Language
    private(set) var tokens: [Placed] = []
    /// Whether a condition depends on the language, as `#ifdef GL_ES` does.
    private(set) var dependsOnLanguage = false
    private var macros = MacroExpansion()
    private var branches: [Branch] = []
    /// The tokens since the last directive.
    private var pending: [GLSLToken] = []

    /// Preprocesses an effect.
    ///
    /// - Parameters:
    ///   - parts: the tokens of its parts.
    ///   - language: the compiler.
    /// - Throws: ``Refusal`` for what is too long or too deep, or cannot be read.
    init(_ parts: [[GLSLToken]], _ language: Language) throws(Refusal) {
        self.language = language
        for part in parts.indices {
            for token in parts[part] {
                if token.kind == .directive {
                    try flush(part)
                    try take(directive: token, part)
                } else if branches.last?.isActive ?? true {
                    pending.append(token)
                }
            }
            try flush(part)
        }
    }

    private func refusal(_ reason: String, _ part: Int, _ line: Int) -> Refusal {
        Refusal(reason: reason, part: part, line: line)
    }

    private mutating func flush(_ part: Int) throws(Refusal) {
        guard !pending.isEmpty else { return }
        defer { pending.removeAll(keepingCapacity: true) }
        for token in macros.isEmpty ? pending : try expand(pending, part) {
            guard tokens.count < GLSLLimits.tokens else {
                throw refusal("with its macros expanded, the effect is too long: shorten it", part, token.line)
            }
            tokens.append(Placed(token: token, part: part))
        }
    }

    private mutating func expand(_ tokens: [GLSLToken], _ part: Int) throws(Refusal) -> [GLSLToken] {
        do throws(MacroExpansion.Excess) { return try macros.expand(tokens) } catch {
            throw refusal(error.reason, part, error.line)
        }
    }

    // MARK: Directives

    private mutating func take(directive: GLSLToken, _ part: Int) throws(Refusal) {
        let inside = GLSLToken.tokens(of: String(directive.text.dropFirst())).filter { !$0.is("\\") }
        guard let keyword = inside.first else { return }
        let isActive = branches.last?.isActive ?? true
        let rest = inside.dropFirst().map { GLSLToken(kind: $0.kind, text: $0.text, line: directive.line) }
        switch keyword.text {
        case "if", "ifdef", "ifndef":
            guard branches.count < GLSLLimits.macroDepth else {
                throw refusal(
                    "more than \(GLSLLimits.macroDepth) conditions are within one another", part, directive.line)
            }
            let holds = isActive ? try condition(keyword.text, rest, part, directive.line) : false
            branches.append(Branch(isReached: isActive, isTaken: holds, isActive: holds))
        case "elif", "else":
            guard var branch = branches.popLast(), !branch.hadElse else {
                throw refusal("there is no #if for this #\(keyword.text)", part, directive.line)
            }
            let mayHold = branch.isReached && !branch.isTaken
            branch.isActive = keyword.is("else") ? mayHold : false
            if keyword.is("elif"), mayHold { branch.isActive = try condition("if", rest, part, directive.line) }
            branch.isTaken = branch.isTaken || branch.isActive
            branch.hadElse = keyword.is("else")
            branches.append(branch)
        case "endif":
            guard branches.popLast() != nil else {
                throw refusal("there is no #if for this #endif", part, directive.line)
            }
        case "define" where isActive: macros.define(rest)
        case "undef" where isActive: if let name = rest.first { macros.remove(name.text) }
        default: break
        }
    }

    private mutating func condition(
        _ keyword: Substring, _ tokens: [GLSLToken], _ part: Int, _ line: Int
    ) throws(Refusal) -> Bool {
        guard tokens.count <= GLSLLimits.conditionTokens else {
            throw refusal("this condition is too long: split it", part, line)
        }
        if keyword != "if" {
            guard let name = tokens.first, name.kind == .word else {
                throw refusal("#\(keyword) is followed by a name", part, line)
            }
            return try isDefined(name.text, part, line) == (keyword == "ifdef")
        }
        // The name after `defined` is not expanded.
        var (ready, index): ([GLSLToken], Int) = ([], 0)
        while index < tokens.count {
            guard tokens[index].is("defined") else {
                ready.append(tokens[index])
                index += 1
                continue
            }
            let hasBrackets = index + 1 < tokens.count && tokens[index + 1].is("(")
            let place = index + (hasBrackets ? 2 : 1)
            guard place < tokens.count, tokens[place].kind == .word else {
                throw refusal("“defined” is followed by a name", part, line)
            }
            ready.append(
                GLSLToken(kind: .number, text: try isDefined(tokens[place].text, part, line) ? "1" : "0", line: line))
            index = place + (hasBrackets ? 2 : 1)
        }
        var expanded = try expand(ready, part)
        guard expanded.count <= GLSLLimits.conditionTokens else {
            throw refusal("with its macros expanded, this condition is too long: split it", part, line)
        }
        for index in expanded.indices where expanded[index].kind == .word {
            let name = expanded[index].text
            try checkName(name, part, line)
            expanded[index] = GLSLToken(kind: .number, text: "\(language.value(name) ?? 0)"[...], line: line)
        }
        guard let value = PreprocessorCondition.value(expanded) else {
            throw refusal(
                "this condition cannot be read: use whole numbers, macros, “defined” and operators", part, line)
        }
        return value != 0
    }

    private mutating func isDefined(_ name: Substring, _ part: Int, _ line: Int) throws(Refusal) -> Bool {
        if macros.has(name) { return true }
        try checkName(name, part, line)
        return language.value(name) != nil
    }

    /// Notes whether a name depends on the language, and refuses names whose values only the driver knows.
    private mutating func checkName(_ name: Substring, _ part: Int, _ line: Int) throws(Refusal) {
        if Language.names.contains(name) { return dependsOnLanguage = true }
        guard !Self.renderersNames.contains(name) else {
            throw refusal("“\(name)” depends on the renderer: remove this condition", part, line)
        }
        guard !name.hasPrefix("GL_"), !name.contains("__") else {
            throw refusal("“\(name)” depends on the driver: remove this condition", part, line)
        }
    }
}
