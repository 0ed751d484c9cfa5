/// An upper bound of the depth of the syntax tree that a compiler builds for each statement.
///
/// Precedence is ignored: operators in sequence count as if each one took the result of the one before, which is true
/// for `a + b + c`, `a.b.c`, `- - a` and `a[0][1]`.
struct SyntaxDepth {
    /// The content of a pair of brackets; the outermost level is outside all brackets.
    private struct Level {
        /// Whether it contains statements or declarations.
        let isBlock: Bool
        /// Whether its commas separate arguments, which are siblings in the tree; commas that are operators nest.
        let hasArguments: Bool
        /// The depth of the code around the brackets.
        let outside: Int
        /// The number of loops around the brackets.
        var loopsOutside = 0
        /// The loops that the current statement is part of.
        var loops = 0
        /// The loops and conditions that the current statement is part of, as in `if (a) x; else if (b) y;`.
        var controls = 0
        /// Conditional operators, and commas that are operators.
        var separators = 0
        /// Operators since the last separator.
        var operators = 0
        /// The depth of the deepest brackets since the last separator.
        var inner = 0
        /// The depth of the deepest part before the last separator.
        var deepest = 0
        /// Whether the statement has ended, unless `else` continues it.
        var isEnded = false

        var depth: Int { controls + separators + max(deepest, operators + inner) }

        mutating func endPart() {
            deepest = max(deepest, operators + inner)
            (operators, inner) = (0, 0)
        }

        mutating func endStatement() {
            (separators, operators, inner, deepest) = (0, 0, 0, 0)
            isEnded = true
        }
    }

    private var levels = [Level(isBlock: true, hasArguments: false, outside: 0)]
    private var last: GLSLToken?

    private static let controls: Set<Substring> = ["if", "for", "while", "do", "switch"]
    /// Words before brackets that are keywords, not functions.
    private static let words: Set<Substring> = ["if", "for", "while", "switch", "return"]

    private static let loops: Set<Substring> = ["for", "while", "do", "switch"]

    /// The number of loops and `switch` statements around the last token.
    ///
    /// `while` at the end of `do … while (…)` counts, too.
    var loopDepth: Int { levels.last.map { $0.loopsOutside + $0.loops } ?? 0 }

    /// Takes the next token.
    ///
    /// - Returns: whether the tree is within ``GLSLLimits/treeDepth``.
    mutating func take(_ token: GLSLToken) -> Bool {
        let top = levels.count - 1
        if levels[top].isEnded, !token.is("}") {
            if !token.is("else") { (levels[top].controls, levels[top].loops) = (0, 0) }
            levels[top].isEnded = false
        }
        switch token.text {
        case "(", "[", "{": open(token)
        case ")", "]", "}": close(token)
        case ";" where levels[top].isBlock: levels[top].endStatement()
        case ";": levels[top].endPart()
        case ",":
            levels[top].endPart()
            if !levels[top].hasArguments { levels[top].separators += 1 }
        case "?", ":":
            levels[top].endPart()
            levels[top].separators += token.is("?") ? 1 : 0
        default:
            if token.kind == .punctuation { levels[top].operators += 1 }
            if Self.controls.contains(token.text) { levels[top].controls += 1 }
            if Self.loops.contains(token.text) { levels[top].loops += 1 }
        }
        last = token
        guard let level = levels.last else { return true }
        return level.outside + level.depth <= GLSLLimits.treeDepth
    }

    private mutating func open(_ token: GLSLToken) {
        let top = levels.count - 1
        // A bracket after a value is an operator on that value, as in a[0][1].
        let follows = last.map { $0.is(")") || $0.is("]") } ?? false
        if token.is("[") || (token.is("(") && follows) { levels[top].operators += 1 }
        let isCall =
            token.is("(")
            && (last?.is("]") == true || (last?.kind == .word && last.map { !Self.words.contains($0.text) } == true))
        let level = levels[top]
        levels.append(
            Level(
                isBlock: token.is("{"), hasArguments: isCall,
                outside: level.outside + level.controls + level.separators + level.operators + 1,
                loopsOutside: level.loopsOutside + level.loops))
    }

    private mutating func close(_ token: GLSLToken) {
        // A closing bracket without an opening one is left to the compiler.
        guard levels.count > 1, let level = levels.popLast() else { return }
        let top = levels.count - 1
        levels[top].inner = max(levels[top].inner, level.depth + 1)
        if token.is("}"), levels[top].isBlock { levels[top].endStatement() }
    }
}
