/// Macro definitions, and the expansion of text that uses them.
struct MacroExpansion {
    /// An expansion that is too long or nested too deeply.
    struct Excess: Error {
        let reason: String
        let line: Int
    }

    private struct Macro {
        /// The places of the parameters; `nil` for a macro without brackets.
        var parameters: [Substring: Int]?
        var body: [GLSLToken]
    }

    /// A token to expand; the name of a macro inside the macro's own expansion is final and stays as it is.
    private struct Item {
        var token: GLSLToken
        var isFinal = false
    }

    /// Tokens that remain to be read: the text itself, or the body of a macro that is being expanded.
    private struct Source {
        var items: [Item]
        var next = 0
        var name: Substring?
    }

    private var macros: [Substring: Macro] = [:]
    /// The number of tokens that were processed.
    private var steps = 0

    var isEmpty: Bool { macros.isEmpty }

    func has(_ name: Substring) -> Bool { macros[name] != nil }

    mutating func remove(_ name: Substring) { macros[name] = nil }

    /// Adds a definition.
    ///
    /// - Parameter tokens: the tokens after `define`, whose texts are slices of the whole directive.
    mutating func define(_ tokens: [GLSLToken]) {
        guard let name = tokens.first, name.kind == .word else { return }
        // A bracket that directly follows the name begins parameters.
        let after = name.text.base.utf8[name.text.endIndex...].first
        guard after == UInt8(ascii: "("), let end = tokens.firstIndex(where: { $0.is(")") }) else {
            macros[name.text] = Macro(parameters: nil, body: Array(tokens.dropFirst()))
            return
        }
        let parameters = tokens[..<end].dropFirst(2).filter { $0.kind == .word }.enumerated()
        macros[name.text] = Macro(
            parameters: Dictionary(parameters.map { ($0.element.text, $0.offset) }) { first, _ in first },
            body: Array(tokens[(end + 1)...]))
    }

    /// Expands all macros in a text.
    ///
    /// - Throws: ``Excess``, with the line of the text.
    mutating func expand(_ tokens: [GLSLToken]) throws(Excess) -> [GLSLToken] {
        try expand(tokens.map { Item(token: $0) }, active: [], depth: 0).map(\.token)
    }

    // `active` has the macros whose expansion contains these tokens; `depth` counts the macro arguments around them.
    private mutating func expand(_ items: [Item], active: Set<Substring>, depth: Int) throws(Excess) -> [Item] {
        var (sources, result, active) = ([Source(items: items)], [Item](), active)
        while var item = Self.next(&sources, &active) {
            steps += 1
            let line = item.token.line
            guard steps <= GLSLLimits.macroSteps, result.count <= GLSLLimits.tokens else {
                throw Excess(reason: "with its macros expanded, this line is too long: use functions", line: line)
            }
            guard item.token.kind == .word, !item.isFinal, let macro = macros[item.token.text] else {
                result.append(item)
                continue
            }
            guard !active.contains(item.token.text) else {
                item.isFinal = true
                result.append(item)
                continue
            }
            guard sources.count + depth < GLSLLimits.macroDepth else {
                throw Excess(
                    reason: "more than \(GLSLLimits.macroDepth) macros are within one another here", line: line)
            }
            steps += macro.body.count
            var body = macro.body.map { Item(token: GLSLToken(kind: $0.kind, text: $0.text, line: line)) }
            if let parameters = macro.parameters {
                guard Self.peek(sources)?.is("(") == true else {
                    result.append(item)
                    continue
                }
                let arguments = try arguments(&sources, &active, line)
                body = try insert(arguments, for: parameters, into: body, active, depth, line)
            }
            active.insert(item.token.text)
            sources.append(Source(items: body, name: item.token.text))
        }
        return result
    }

    private static func next(_ sources: inout [Source], _ active: inout Set<Substring>) -> Item? {
        while let last = sources.indices.last {
            let place = sources[last].next
            if place < sources[last].items.count {
                sources[last].next += 1
                return sources[last].items[place]
            }
            if let name = sources[last].name { active.remove(name) }
            sources.removeLast()
        }
        return nil
    }

    private static func peek(_ sources: [Source]) -> GLSLToken? {
        for source in sources.reversed() where source.next < source.items.count {
            return source.items[source.next].token
        }
        return nil
    }

    /// The arguments in the brackets that come next.
    private mutating func arguments(
        _ sources: inout [Source], _ active: inout Set<Substring>, _ line: Int
    ) throws(Excess) -> [[Item]] {
        var (arguments, depth): ([[Item]], Int) = ([[]], 0)
        while let item = Self.next(&sources, &active) {
            steps += 1
            if item.token.is("(") { depth += 1 }
            if item.token.is(")") { depth -= 1 }
            if depth == 0 { return arguments }
            if depth == 1, item.token.is(",") {
                arguments.append([])
            } else if depth > 1 || !item.token.is("(") {
                arguments[arguments.count - 1].append(item)
            }
        }
        throw Excess(reason: "the arguments of this macro have no end: add )", line: line)
    }

    private mutating func insert(
        _ arguments: [[Item]], for parameters: [Substring: Int], into body: [Item], _ active: Set<Substring>,
        _ depth: Int,
        _ line: Int
    ) throws(Excess) -> [Item] {
        var expanded: [[Item]] = []
        for argument in arguments { expanded.append(try expand(argument, active: active, depth: depth + 1)) }
        var result: [Item] = []
        for item in body {
            if item.token.kind == .word, let index = parameters[item.token.text] {
                if index < expanded.count { result += expanded[index] }
            } else {
                result.append(item)
            }
            guard result.count <= GLSLLimits.tokens else {
                throw Excess(reason: "with its macros expanded, this line is too long: use functions", line: line)
            }
        }
        return result
    }
}
