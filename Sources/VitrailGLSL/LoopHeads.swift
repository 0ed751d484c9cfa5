/// The heads of loops: what is in the brackets after `for` and `while`.
///
/// All brackets are matched in one pass, so that nested heads still take linear time.
struct LoopHeads {
    /// The condition of a loop.
    struct Head {
        /// The index of the condition's first token, and of the token after its last one.
        let start: Int
        let end: Int
        /// Whether the condition declares a variable.
        let declares: Bool

        var isEmpty: Bool { start == end }
    }

    /// A pair of round brackets.
    private struct Pair {
        /// The index of the closing bracket.
        var end = 0
        /// The indices of the first three semicolons that are not in nested brackets.
        var semicolons: [Int] = []
    }

    private let tokens: [GLSLToken]
    /// The pairs, by the index of the opening bracket.
    private var pairs: [Int: Pair] = [:]

    /// Finds all pairs of brackets.
    init(_ tokens: [GLSLToken]) {
        self.tokens = tokens
        var open: [(index: Int, pair: Pair)] = []
        for index in tokens.indices {
            let token = tokens[index]
            if token.kind == .directive || token.is("{") || token.is("}") {
                // Round brackets cannot span a directive or a curly bracket: the open ones are incomplete.
                open.removeAll(keepingCapacity: true)
            } else if token.is("(") {
                open.append((index, Pair()))
            } else if token.is(")"), var last = open.popLast() {
                last.pair.end = index
                pairs[last.index] = last.pair
            } else if token.is(";"), let last = open.indices.last, open[last].pair.semicolons.count < 3 {
                open[last].pair.semicolons.append(index)
            }
        }
    }

    /// The condition of the loop whose keyword is at an index; `nil` if its head is incomplete.
    func head(at index: Int) -> Head? {
        guard let pair = pairs[index + 1] else { return nil }
        if tokens[index].is("for") {
            guard pair.semicolons.count == 2 else { return nil }
            return head(pair.semicolons[0] + 1, pair.semicolons[1])
        }
        guard pair.semicolons.isEmpty, pair.end > index + 2 else { return nil }
        return head(index + 2, pair.end)
    }

    private func head(_ start: Int, _ end: Int) -> Head {
        // Two words in succession begin a declaration: no expression has them.
        let declares = end - start >= 2 && tokens[start].kind == .word && tokens[start + 1].kind == .word
        return Head(start: start, end: end, declares: declares)
    }
}
