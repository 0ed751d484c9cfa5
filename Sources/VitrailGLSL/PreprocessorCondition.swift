/// The value of the condition after `#if`.
///
/// The evaluation recurses for brackets and operators, so the caller limits the number of tokens.
struct PreprocessorCondition {
    private let tokens: [Substring]
    private var place = 0

    /// Computes a value.
    ///
    /// - Parameter tokens: whole numbers, brackets and operators.
    /// - Returns: the value, or `nil` if it cannot be read.
    static func value(_ tokens: [GLSLToken]) -> Int? {
        var condition = PreprocessorCondition(tokens: Self.joined(tokens))
        guard let value = condition.binary(0), condition.place == condition.tokens.count else { return nil }
        return value
    }

    private init(tokens: [Substring]) { self.tokens = tokens }

    /// Joins operators of two characters into one token each.
    private static func joined(_ tokens: [GLSLToken]) -> [Substring] {
        var result: [Substring] = []
        for token in tokens {
            if let last = result.last, pairs.contains(last + token.text) {
                result[result.count - 1] = last + token.text
            } else {
                result.append(token.text)
            }
        }
        return result
    }

    private static let pairs: Set<Substring> = ["||", "&&", "==", "!=", "<=", ">=", "<<", ">>"]
    /// The binary operators by precedence, lowest first.
    private static let levels: [[Substring]] = [
        ["||"], ["&&"], ["|"], ["^"], ["&"], ["==", "!="], ["<", ">", "<=", ">="], ["<<", ">>"], ["+", "-"],
        ["*", "/", "%"],
    ]

    private mutating func binary(_ level: Int) -> Int? {
        guard level < Self.levels.count else { return unary() }
        guard var value = binary(level + 1) else { return nil }
        while place < tokens.count, Self.levels[level].contains(tokens[place]) {
            let name = tokens[place]
            place += 1
            guard let other = binary(level + 1), let next = Self.apply(name, value, other) else { return nil }
            value = next
        }
        return value
    }

    private mutating func unary() -> Int? {
        guard place < tokens.count else { return nil }
        let token = tokens[place]
        place += 1
        switch token {
        case "!": return unary().map { $0 == 0 ? 1 : 0 }
        case "-": return unary().map { 0 &- $0 }
        case "+": return unary()
        case "~": return unary().map { ~$0 }
        case "(":
            guard let value = binary(0), place < tokens.count, tokens[place] == ")" else { return nil }
            place += 1
            return value
        default: return number(token)
        }
    }

    private func number(_ text: Substring) -> Int? {
        let digits = text.hasSuffix("u") || text.hasSuffix("U") ? text.dropLast() : text
        if digits.hasPrefix("0x") || digits.hasPrefix("0X") { return Int(digits.dropFirst(2), radix: 16) }
        return digits.count > 1 && digits.hasPrefix("0") ? Int(digits, radix: 8) : Int(digits)
    }

    private static func apply(_ name: Substring, _ left: Int, _ right: Int) -> Int? {
        switch name {
        case "||": left != 0 || right != 0 ? 1 : 0
        case "&&": left != 0 && right != 0 ? 1 : 0
        case "|": left | right
        case "^": left ^ right
        case "&": left & right
        case "==": left == right ? 1 : 0
        case "!=": left != right ? 1 : 0
        case "<": left < right ? 1 : 0
        case ">": left > right ? 1 : 0
        case "<=": left <= right ? 1 : 0
        case ">=": left >= right ? 1 : 0
        case "<<": (0..<63).contains(right) ? left << right : nil
        case ">>": (0..<63).contains(right) ? left >> right : nil
        case "+": left &+ right
        case "-": left &- right
        case "*": left &* right
        case "/": right == 0 || right == -1 ? (right == 0 ? nil : 0 &- left) : left / right
        default: right == 0 ? nil : right == -1 ? 0 : left % right
        }
    }
}
