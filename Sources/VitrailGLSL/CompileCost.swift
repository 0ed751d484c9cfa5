/// An estimate of what an effect costs a driver's compiler.
///
/// Compilers inline every call, so a few lines of GLSL can take minutes to compile, and a compilation cannot be
/// stopped.
package struct CompileCost {
    /// A limit that an effect exceeds, and where.
    typealias Excess = GLSLPreprocessor.Refusal

    /// A function, or everything outside all functions.
    private struct Function {
        let name: Substring
        let part: Int
        let line: Int
        /// The number of tokens, including what loops and calls of GLSL's own functions count for.
        var tokens = 0
        /// The number of scalars in arrays and structures that are not constant.
        var numbers = 0
        /// How often it calls which functions.
        var calls: [Substring: Int] = [:]
    }

    /// The cost of a function with everything that it calls.
    private struct Total {
        var tokens = 0
        var numbers = 0
        /// The length of the longest chain of calls, including this function.
        var depth = 0
    }

    /// The functions, in the order of the text; the first entry is everything outside all functions.
    private var functions = [Function(name: "", part: 0, line: 1)]
    private var indices: [Substring: [Int]] = [:]
    /// The functions that are declared before they are defined.
    private var prototypes: Set<Substring> = []
    private var totals: [Int: Total] = [:]
    /// The first limit that is exceeded; `nil` if there is none.
    private(set) var excess: Excess?

    /// Adds up the tokens of an effect, after preprocessing.
    init(_ tokens: [GLSLPreprocessor.Placed]) {
        var (scope, storage, last): (GLSLScope, DeclaredStorage, GLSLToken?) = (GLSLScope(), DeclaredStorage(), nil)
        var current: Int?
        for index in tokens.indices {
            let (token, part) = (tokens[index].token, tokens[index].part)
            if let name = scope.function {
                if current == nil {
                    indices[name, default: []].append(functions.count)
                    current = functions.count
                    functions.append(Function(name: name, part: part, line: token.line))
                }
            } else {
                current = nil
            }
            let function = current ?? 0
            functions[function].tokens += 1
            if ["for", "while", "switch"].contains(token.text) {
                functions[function].tokens += GLSLLimits.tokensOfLoop
            }
            functions[function].numbers += storage.numbers(at: index, of: tokens)
            if let reason = storage.refusal {
                excess = Excess(reason: reason, part: part, line: token.line)
                return
            }
            if token.is("("), let last, last.kind == .word, scope.depth > 0 || scope.isInitializer {
                functions[function].calls[last.text, default: 0] += 1
                functions[function].tokens += GLSLLimits.tokensOfCalls[last.text] ?? 0
            }
            if token.is(";"), scope.depth == 0, let name = scope.candidate { prototypes.insert(name) }
            _ = scope.step(token)
            last = token
        }
        for index in functions.indices where excess == nil {
            let total = total(of: index, depth: 0)
            if excess == nil { excess = self.excess(of: total, functions[index]) }
        }
    }

    private func excess(of total: Total, _ function: Function) -> Excess? {
        let name = function.name.isEmpty ? "what is outside all functions" : "“\(function.name)”"
        let reason: String
        if total.depth > GLSLLimits.callDepth {
            reason = "more than \(GLSLLimits.callDepth) functions call one another below \(name): call fewer"
        } else if total.tokens > GLSLLimits.tokens {
            reason = "with all functions that it calls, \(name) is too long for drivers: call fewer, or use a loop"
        } else if total.numbers > GLSLLimits.variableNumbers {
            reason =
                "with all functions that it calls, \(name) has more than \(GLSLLimits.variableNumbers) numbers in arrays: "
                + "use smaller ones, or constant ones outside all functions"
        } else {
            return nil
        }
        return Excess(reason: reason, part: function.part, line: function.line)
    }

    /// The cost of a function with everything that it calls.
    ///
    /// - Parameters:
    ///   - index: the function.
    ///   - depth: the number of calls that led here, which bounds the recursion.
    /// - Returns: the sum.
    private mutating func total(of index: Int, depth: Int) -> Total {
        if let known = totals[index] { return known }
        let function = functions[index]
        // A recursive call finds this empty total; the compiler reports the recursion.
        totals[index] = Total()
        var sum = Total(tokens: function.tokens, numbers: function.numbers, depth: 0)
        guard depth <= GLSLLimits.callDepth else {
            sum.depth = GLSLLimits.callDepth + 1
            return sum
        }
        for (name, count) in function.calls {
            guard let all = indices[name] else { continue }
            var called = all.prefix { $0 < index }
            if prototypes.contains(name), let last = all.last, last > index {
                guard all.count == 1 else {
                    let reason = "“\(name)” has several definitions, and is called before the last: define it first"
                    excess = excess ?? Excess(reason: reason, part: function.part, line: function.line)
                    continue
                }
                called = all[...]
            }
            // Of several overloads, the largest one counts.
            var largest = Total()
            for other in called {
                let total = total(of: other, depth: depth + 1)
                largest.tokens = max(largest.tokens, total.tokens)
                largest.numbers = max(largest.numbers, total.numbers)
                largest.depth = max(largest.depth, total.depth)
            }
            let times = min(count, GLSLLimits.tokens)
            sum.tokens = min(sum.tokens + times * largest.tokens, GLSLLimits.tokens + 1)
            sum.numbers = min(sum.numbers + times * largest.numbers, GLSLLimits.tokens)
            sum.depth = max(sum.depth, largest.depth)
        }
        sum.depth += 1
        totals[index] = sum
        return sum
    }
}

extension CompileCost {
    /// Checks that an effect is within the limits for compilers after preprocessing.
    ///
    /// - Parameter parts: the tokens of its parts.
    /// - Returns: the tokens that a compiler of desktop OpenGL sees.
    /// - Throws: the first limit that is exceeded.
    package static func check(_ parts: [[GLSLToken]]) throws(GLSLPreprocessor.Refusal) -> [GLSLPreprocessor.Placed] {
        let desktop = try GLSLPreprocessor(parts, .desktop)
        try check(desktop.tokens)
        if desktop.dependsOnLanguage { try check(try GLSLPreprocessor(parts, .es).tokens) }
        return desktop.tokens
    }

    private static func check(_ tokens: [GLSLPreprocessor.Placed]) throws(GLSLPreprocessor.Refusal) {
        var depth = SyntaxDepth()
        for placed in tokens {
            let isFlat = depth.take(placed.token)
            guard depth.loopDepth <= GLSLLimits.loopDepth else {
                throw GLSLPreprocessor.Refusal(
                    reason: "more than \(GLSLLimits.loopDepth) loops are within one another: join "
                        + "some", part: placed.part, line: placed.token.line)
            }
            guard !isFlat else { continue }
            throw GLSLPreprocessor.Refusal(
                reason:
                    "this is more than \(GLSLLimits.treeDepth) brackets, operators or conditions within one another: "
                    + "divide it with variables and functions", part: placed.part, line: placed.token.line)
        }
        if let excess = CompileCost(tokens).excess { throw excess }
    }
}
