/// Ends the loops of an effect that would go on for ever.
///
/// `vitrail_go()` counts the turns of all loops and becomes false when there were too many; here it is put into the
/// condition of every loop: `while (C)` becomes `while (vitrail_go() && (C))`, `for (A; C; B)` likewise. Comments become
/// spaces, since drivers differ in where they end; lines stay where they are.
struct LoopGuard {
    /// The text for the compiler.
    private(set) var text = ""
    /// The line of the first loop in the part, from 1.
    private(set) var firstLoop: Int?

    /// What cannot be guarded.
    struct Refusal: Error {
        let reason: String
        /// The line in the part, from 1.
        let line: Int
    }

    /// Guards the loops in a part of an effect.
    ///
    /// - Throws: ``Refusal`` where something may hide a loop.
    init(_ text: String) throws(Refusal) { try self.init(text, firstLine: 1, isDirective: false) }

    /// A part of an effect; or a directive without its `#`, whose lines but the last end in a backslash.
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

    /// White space and comments between tokens.
    private mutating func add(_ space: Substring, continued: Bool) {
        guard !space.isEmpty else { return }
        let lineBreak = continued ? "\\\n" : "\n"
        text += " " + String(repeating: lineBreak, count: space.utf8.count { $0 == UInt8(ascii: "\n") })
    }

    private mutating func directive(_ token: GLSLToken, _ line: Int) throws(Refusal) -> String {
        let inner = try LoopGuard(String(token.text.dropFirst()), firstLine: line, isDirective: true)
        if firstLoop == nil { firstLoop = inner.firstLoop }
        return "#" + inner.text
    }

    /// What is put before tokens, by their index.
    private mutating func guards(
        _ tokens: [GLSLToken], _ firstLine: Int, _ isDirective: Bool
    ) throws(Refusal) -> [Int: String] {
        var guards: [Int: String] = [:]
        for index in tokens.indices {
            let token = tokens[index]
            func refuse(_ reason: String) -> Refusal { Refusal(reason: reason, line: firstLine + token.line - 1) }
            if token.kind == .word, token.text.hasPrefix("vitrail_") {
                throw refuse("names that begin with vitrail_ are the renderer's: choose another")
            }
            if !isDirective, token.is("\\") { throw refuse("\\ is only for macros of several lines: remove it") }
            guard token.is("while") || token.is("for") else { continue }
            if firstLoop == nil { firstLoop = firstLine + token.line - 1 }
            guard let head = Head(tokens, index) else {
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

    /// Rejects macros that could take a loop's head apart.
    private func checkMacro(_ tokens: [GLSLToken], _ line: Int) throws(Refusal) {
        func refuse(_ reason: String) -> Refusal { Refusal(reason: reason, line: line) }
        guard let name = tokens.first, name.is("define"), tokens.count > 1 else { return }
        let word = tokens[1].text
        if ["for", "while", "do"].contains(word) { throw refuse("a macro cannot be called \(word)") }
        var depth = 0
        for index in tokens.indices {
            if tokens[index].is("("), tokens[index].kind != .directive { depth += 1 }
            if tokens[index].is(")") { depth -= 1 }
            if depth < 0 { break }
            if tokens[index].kind == .directive || tokens[index].is("#") { throw refuse("a macro cannot contain #") }
        }
        guard depth == 0 else { throw refuse("the brackets in this macro are not in pairs") }
    }
}

extension GLSLToken {
    /// How a loop that begins with this word is written.
    fileprivate var form: String { self.is("for") ? "for (…; …; …)" : "while (…)" }
}

/// The condition of a loop.
private struct Head {
    /// The index of its first token, and that of the token after it.
    let start: Int
    let end: Int
    /// Whether it declares a variable.
    let declares: Bool

    var isEmpty: Bool { start == end }

    /// Finds the condition of the loop whose word has an index; `nil` if its head is not whole.
    init?(_ tokens: [GLSLToken], _ index: Int) {
        let open = index + 1
        guard open < tokens.count, tokens[open].is("(") else { return nil }
        var (depth, semicolons): (Int, [Int]) = (0, [])
        var close = open
        repeat {
            let token = tokens[close]
            guard token.kind != .directive, !token.is("{"), !token.is("}") else { return nil }
            if token.is("(") { depth += 1 }
            if token.is(")") { depth -= 1 }
            if token.is(";"), depth == 1 { semicolons.append(close) }
            close += 1
        } while depth > 0 && close < tokens.count
        guard depth == 0 else { return nil }
        if tokens[index].is("for") {
            guard semicolons.count == 2 else { return nil }
            (start, end) = (semicolons[0] + 1, semicolons[1])
        } else {
            guard semicolons.isEmpty, close - 1 > open + 1 else { return nil }
            (start, end) = (open + 1, close - 1)
        }
        // In an expression, no two words follow each other.
        declares = end - start >= 2 && tokens[start].kind == .word && tokens[start + 1].kind == .word
    }
}

extension EffectSource {
    /// The parts of a user's effect with guarded loops, and the place of the first loop.
    ///
    /// - Throws: ``EffectError``, with the line of what may hide a loop.
    static func guarded(
        _ parts: [EffectSource]
    ) throws(EffectError) -> (parts: [EffectSource], firstLoop: (file: String, line: Int)?) {
        var guarded = parts
        var firstLoop: (file: String, line: Int)?
        for (index, part) in parts.enumerated() {
            do throws(LoopGuard.Refusal) {
                let loops = try LoopGuard(part.text)
                guarded[index].text = loops.text
                if firstLoop == nil { firstLoop = loops.firstLoop.map { (part.file, part.firstLine + $0 - 1) } }
            } catch {
                let line = part.firstLine + error.line - 1
                throw EffectError(error.reason, file: part.file, line: line, source: part.line(line))
            }
        }
        return (guarded, firstLoop)
    }
}
