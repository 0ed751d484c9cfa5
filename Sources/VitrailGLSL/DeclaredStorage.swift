/// The sizes of the arrays and structures that an effect declares.
struct DeclaredStorage {
    /// Why the last token is refused, or `nil`.
    private(set) var refusal: String?
    /// The values of integer constants: of several with the same name, the largest; `nil` if one of them is unknown.
    private var constants: [Substring: Int?] = [:]
    /// Names of several constants whose values differ.
    private var unclear: Set<Substring> = []
    /// The number of scalars in each structure.
    private var structures: [Substring: Int] = [:]
    private var brackets = 0
    private var isConstant = false
    /// The type in the current declaration outside round brackets.
    private var type: Substring?

    /// The most tokens of the expression for an array's length, or for a constant.
    private static let expressionLength = 64
    /// The types that GLSL itself has, except those of samplers.
    private static let types: Set<Substring> = {
        let sizes = 2...4
        let vectors = ["", "i", "u", "b"].flatMap { kind in sizes.map { "\(kind)vec\($0)"[...] } }
        let matrices = sizes.flatMap { width in ["mat\(width)"[...]] + sizes.map { "mat\(width)x\($0)"[...] } }
        return Set(["float", "int", "uint", "bool"] + vectors + matrices)
    }()
    private static let noTypes: Set<Substring> = [
        "return", "else", "do", "case", "struct", "const", "in", "out", "inout",
    ]

    /// Takes the next token.
    ///
    /// - Parameters:
    ///   - index: its place.
    ///   - tokens: all tokens.
    /// - Returns: the number of scalars in the variable that the token declares; 0 if it is constant or there is none.
    mutating func numbers(at index: Int, of tokens: [GLSLPreprocessor.Placed]) -> Int {
        let token = tokens[index].token
        let before = index > 0 ? tokens[index - 1].token : nil
        let second = index > 1 ? tokens[index - 2].token : nil
        switch token.text {
        case "(": brackets += 1
        case ")": brackets = max(0, brackets - 1)
        case ";", "{", "}": (isConstant, type) = (false, nil)
        case "const" where brackets == 0: isConstant = true
        case "=" where isConstant: if let before, let second { note(constant: before, second, index, tokens) }
        case "struct": declareStructure(index, tokens)
        case "[": return array(index, before, second, tokens)
        default:
            guard token.kind == .word, let before else { break }
            if before.kind == .word, !Self.noTypes.contains(before.text) {
                if brackets == 0 { type = before.text }
                return isConstant ? 0 : structures[before.text] ?? 0
            }
            if before.is(","), brackets == 0, let type { return isConstant ? 0 : structures[type] ?? 0 }
        }
        return 0
    }

    // MARK: Arrays

    private mutating func array(
        _ index: Int, _ before: GLSLToken?, _ second: GLSLToken?, _ tokens: [GLSLPreprocessor.Placed]
    ) -> Int {
        guard let before, before.kind == .word else { return 0 }
        var declared: Substring?
        if let second, second.kind == .word, !Self.noTypes.contains(second.text) {
            declared = second.text
        } else if second?.is(",") == true, brackets == 0 {
            declared = type
        } else if Self.isType(before.text) || structures[before.text] != nil {
            declared = before.text
        }
        guard index + 1 < tokens.count, !tokens[index + 1].token.is("]") else {
            return declared != nil && !isConstant ? Self.elements(index, tokens) : 0
        }
        guard let count = elements(after: index, tokens) else {
            if declared != nil { refusal = "write the number of elements of this array as a number, or a constant" }
            return 0
        }
        guard count <= GLSLLimits.arrayElements else {
            refusal = "an array has at most \(GLSLLimits.arrayElements) elements, not \(count)"
            return 0
        }
        guard let declared, !isConstant else { return 0 }
        return max(0, count) * numbers(in: declared)
    }

    /// An upper bound of the length of an unsized array, from the commas in its initializer.
    private static func elements(_ index: Int, _ tokens: [GLSLPreprocessor.Placed]) -> Int {
        var count = 1
        for place in index..<min(tokens.count, index + 4 * GLSLLimits.variableNumbers) {
            if [";", "{", "}"].contains(tokens[place].token.text) { break }
            if tokens[place].token.is(",") { count += 1 }
        }
        return count
    }

    private static func isType(_ word: Substring) -> Bool {
        types.contains(word)
    }

    private func numbers(in type: Substring) -> Int {
        if let known = structures[type] { return known }
        return type.hasPrefix("mat") ? 16 : ["float", "int", "uint", "bool"].contains(type) ? 1 : 4
    }

    /// The value of the expression in square brackets; `nil` if it cannot be computed here.
    private func elements(after index: Int, _ tokens: [GLSLPreprocessor.Placed]) -> Int? {
        var expression: [GLSLToken] = []
        for place in (index + 1)..<min(tokens.count, index + Self.expressionLength) {
            if tokens[place].token.is("]") { return value(expression) }
            expression.append(tokens[place].token)
        }
        return nil
    }

    // MARK: Constants

    private func value(_ tokens: [GLSLToken]) -> Int? {
        var (ready, mayShrink) = ([GLSLToken](), false)
        for token in tokens {
            if token.is("int") || token.is("uint") { continue }
            guard token.kind == .word else {
                if token.kind != .number, !["+", "*", "(", ")"].contains(token.text) { mayShrink = true }
                ready.append(token)
                continue
            }
            guard let value = constants[token.text] ?? nil else { return nil }
            ready.append(GLSLToken(kind: .number, text: "\(value)"[...], line: token.line))
        }
        // The largest value of the constant is used, but here a smaller value may give a larger result.
        if mayShrink, tokens.contains(where: { unclear.contains($0.text) }) { return nil }
        // A number that is too large for `Int` is too large for an array.
        if ready.count == 1, ready[0].text.utf8.count > 12, ready[0].kind == .number { return .max }
        return PreprocessorCondition.value(ready)
    }

    /// Notes the value of `int NAME = …`.
    private mutating func note(
        constant name: GLSLToken, _ type: GLSLToken, _ index: Int, _ tokens: [GLSLPreprocessor.Placed]
    ) {
        guard name.kind == .word, type.is("int") || type.is("uint") || type.is(",") else { return }
        var (expression, depth, isWhole): ([GLSLToken], Int, Bool) = ([], 0, false)
        for place in (index + 1)..<min(tokens.count, index + Self.expressionLength) {
            let token = tokens[place].token
            if token.is("(") { depth += 1 }
            if token.is(")") { depth -= 1 }
            isWhole = token.is(";") || (token.is(",") && depth == 0)
            if isWhole { break }
            expression.append(token)
        }
        var new = isWhole ? value(expression) : nil
        if let old = constants[name.text] {
            if old != new { unclear.insert(name.text) }
            new = old.flatMap { old in new.map { max($0, old) } }
        }
        constants.updateValue(new, forKey: name.text)
    }

    // MARK: Structures

    /// Adds up the members of `struct NAME { … }`.
    private mutating func declareStructure(_ index: Int, _ tokens: [GLSLPreprocessor.Placed]) {
        guard index + 2 < tokens.count, tokens[index + 1].token.kind == .word, tokens[index + 2].token.is("{") else {
            return
        }
        var (sum, member, place) = (0, 0, index + 3)
        while place < tokens.count, !tokens[place].token.is("}"), !tokens[place].token.is("{") {
            let (token, next) = (tokens[place].token, place + 1 < tokens.count ? tokens[place + 1].token : nil)
            if token.kind == .word, next?.kind == .word { member = numbers(in: token.text) }
            if token.is("["), let count = elements(after: place, tokens) {
                sum += member * max(0, min(count, GLSLLimits.arrayElements))
            } else if token.is(";") || token.is(",") {
                sum += member
            }
            sum = min(sum, GLSLLimits.tokens)
            place += 1
        }
        structures[tokens[index + 1].token.text] = sum
        if sum > GLSLLimits.variableNumbers {
            refusal =
                "this structure has more than \(GLSLLimits.variableNumbers) numbers: use fewer or smaller members"
        }
    }
}
