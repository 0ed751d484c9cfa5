/// Ends loops of an effect that would run forever.
///
/// `vitrail_go()` counts the iterations of all loops and becomes false after too many. Here it is added to the
/// condition of every loop: `while (C)` becomes `while (vitrail_go() && (C))`, and `for (A; C; B)` likewise. Comments
/// become spaces, since drivers disagree on where a comment ends; line numbers do not change.
package struct LoopGuard {
    /// The text for the compiler.
    package private(set) var text = ""
    /// The line of the first loop in the part, from 1.
    package private(set) var firstLoop: Int?

    /// GLSL that cannot be guarded.
    package struct Refusal: Error {
        package let reason: String
        /// The line in the part, from 1.
        package let line: Int
    }

    /// Guards the loops in a part of an effect.
    ///
    /// - Throws: ``Refusal`` where something may hide a loop.
    package init(_ text: String) throws(Refusal) { try self.init(text, firstLine: 1, isDirective: false) }

    /// Guards a part of an effect; or a directive without its `#`, all of whose lines but the last end in a backslash.
    private init(_ text: String, firstLine: Int, isDirective: Bool) throws(Refusal) {
        let tokens = GLSLToken.tokens(of: text)
        let guards = try guards(tokens, firstLine, isDirective)
        var end = text.startIndex
        for index in tokens.indices {
            let token = tokens[index]
            add(text[end..<token.text.startIndex], continued: isDirective && index > 0)
            end = token.text.endIndex
            self.text += guards[index] ?? ""
            if token.kind == .directive {
                self.text += try directive(token, firstLine + token.line - 1)
            } else if !token.is("\\") {
                self.text += token.text
            }
        }
        add(text[end...], continued: false)
    }

    /// Adds a space and the line breaks, in place of the white space and comments between two tokens.
    private mutating func add(_ space: Substring, continued: Bool) {
        guard !space.isEmpty else { return }
        let lineBreak = continued ? "\\\n" : "\n"
        text += " " + String(repeating: lineBreak, count: space.utf8.count { $0 == UInt8(ascii: "\n") })
    }

    private mutating func directive(_ token: GLSLToken, _ line: Int) throws(Refusal) -> String {
        let text = String(token.text.dropFirst())
        // A directive inside a directive would make this recurse.
        guard GLSLToken.tokens(of: text).allSatisfy({ $0.kind != .directive }) else {
            throw Refusal(reason: "a directive has only one #, at its beginning", line: line)
        }
        let inner = try LoopGuard(text, firstLine: line, isDirective: true)
        if firstLoop == nil { firstLoop = inner.firstLoop }
        return "#" + inner.text
    }

    /// The text to insert before tokens, by the index of the token.
    private mutating func guards(
        _ tokens: [GLSLToken], _ firstLine: Int, _ isDirective: Bool
    ) throws(Refusal) -> [Int: String] {
        var guards: [Int: String] = [:]
        let heads = LoopHeads(tokens)
        for index in tokens.indices {
            let token = tokens[index]
            func refuse(_ reason: String) -> Refusal { Refusal(reason: reason, line: firstLine + token.line - 1) }
            if token.kind == .word, token.text.hasPrefix("vitrail_") {
                throw refuse("names that begin with vitrail_ are the renderer's: choose another")
            }
            if !isDirective, token.is("\\") { throw refuse("\\ is only for macros of several lines: remove it") }
            guard token.is("while") || token.is("for") else { continue }
            if firstLoop == nil { firstLoop = firstLine + token.line - 1 }
            guard let head = heads.head(at: index) else {
                throw refuse("write all of \(token.form) here, without macros or directives for parts of it")
            }
            guard !head.declares else {
                throw refuse("declare the variable before the loop, not in its condition")
            }
            guards[head.start, default: ""] += head.isEmpty ? "vitrail_go()" : "vitrail_go() && ("
            if !head.isEmpty { guards[head.end, default: ""] += ")" }
        }
        if isDirective { try checkMacro(tokens, firstLine) }
        return guards
    }

    /// Rejects macros that could split the head of a loop.
    private func checkMacro(_ tokens: [GLSLToken], _ line: Int) throws(Refusal) {
        let tokens = tokens.filter { !$0.is("\\") }
        func refuse(_ reason: String) -> Refusal { Refusal(reason: reason, line: line) }
        guard let name = tokens.first, name.is("define"), tokens.count > 1 else { return }
        let word = tokens[1].text
        if ["for", "while", "do"].contains(word) { throw refuse("a macro cannot be called \(word)") }
        var depth = 0
        for index in tokens.indices {
            if tokens[index].is("(") { depth += 1 }
            if tokens[index].is(")") { depth -= 1 }
            if depth < 0 { break }
            if tokens[index].is("#") { throw refuse("a macro cannot contain #") }
        }
        guard depth == 0 else { throw refuse("the brackets in this macro are not in pairs") }
    }
}

extension GLSLToken {
    /// How a loop that begins with this word is written.
    fileprivate var form: String { self.is("for") ? "for (…; …; …)" : "while (…)" }
}
