public import VideoWall

/// Chains as text: `NAME:PARAMETER=VALUE:PARAMETER=VALUE,NAME…`, as on the command line.
///
/// An effect with `:off` is kept, but not applied; a file with `:shadertoy` is a Shadertoy image shader.
///
/// NAME is a built-in effect or the path of a file. Commas and colons are separators; in a path or a value, write
/// commas, colons and `%` as `%2C`, `%3A` and `%25`.
extension EffectChain {
    /// Reads a chain.
    ///
    /// - Parameters:
    ///   - text: the chain; `none` or an empty text for a chain without effects.
    ///   - notes: a sentence is appended for each value that was out of range and clamped.
    /// - Throws: `EffectError`, which says what is accepted.
    public init(_ text: String, notes: inout [String]) throws(EffectError) {
        self.init()
        guard !text.isEmpty, text != "none" else { return }
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            try checkLength(before: Self.name(part))
            try append(try Self.step(part, notes: &notes))
        }
    }

    private static func step(_ text: Substring, notes: inout [String]) throws(EffectError) -> Step {
        let pieces = text.split(separator: ":", omittingEmptySubsequences: false)
        let name = name(text)
        let words = pieces.dropFirst()
        var step = Step(try words.contains("shadertoy") ? EffectFile.read(name, .shadertoy) : effect(name))
        step.isOn = !words.contains("off")
        for piece in words where piece != "off" && piece != "shadertoy" {
            guard let equals = piece.firstIndex(of: "=") else {
                throw EffectError("“\(piece)” is not PARAMETER=VALUE", file: name)
            }
            let (parameter, value) = (String(piece[..<equals]), decoded(piece[piece.index(after: equals)...]))
            if let note = try step.set(parameter, text: value) { notes.append(note) }
        }
        return step
    }

    /// The name or path of a step.
    private static func name(_ text: Substring) -> String { decoded(text.prefix { $0 != ":" }) }

    /// Finds an effect by name or path.
    ///
    /// - Throws: `EffectError`, which lists the built-in effects if none has this name.
    public static func effect(_ name: String) throws(EffectError) -> Effect {
        if let effect = try BuiltInEffects.effect(named: name) { return effect }
        guard name.contains("/") || name.contains(".") else {
            throw EffectError(
                "there is no effect of this name, and a file ends in \(EffectFile.suffix); the effects are "
                    + BuiltInEffects.names.joined(separator: ", "), file: name)
        }
        return try EffectFile.read(name)
    }

    /// The chain as text, which `init(_:notes:)` reads; empty for a chain without effects.
    public var text: String { steps.map(\.text).joined(separator: ",") }

    private static func decoded(_ text: Substring) -> String {
        var (result, rest) = ([UInt8](), text.utf8[...])
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let code = UInt8(String(Substring(rest.prefix(2))), radix: 16),
                rest.count >= 2
            {
                result.append(code)
                rest = rest.dropFirst(2)
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

extension EffectChain.Step {
    /// The step in the text of a chain; parameters that have their defaults are left out.
    var text: String {
        var text = Self.encoded(effect.isFile ? effect.file : effect.name)
        for (parameter, value) in zip(effect.parameters, values) where value != parameter.defaultValue {
            text += ":\(parameter.name)=\(Self.encoded(parameter.text(of: value)))"
        }
        if effect.dialect == .shadertoy { text += ":shadertoy" }
        return isOn ? text : text + ":off"
    }

    private static func encoded(_ text: String) -> String {
        text.replacing("%", with: "%25").replacing(",", with: "%2C").replacing(":", with: "%3A")
    }

    /// Sets a parameter from text.
    ///
    /// - Parameters:
    ///   - name: the name of the parameter.
    ///   - text: the value; for a table of colours, the path of a `.cube` file.
    /// - Returns: a sentence if the value was out of range and clamped.
    /// - Throws: `EffectError`, which lists the accepted parameters or values.
    public mutating func set(_ name: String, text: String) throws(EffectError) -> String? {
        guard let parameter = effect.parameter(name) else {
            let names = effect.parameters.map(\.name).joined(separator: ", ")
            throw EffectError(
                "there is no parameter “\(name)”" + (names.isEmpty ? "" : "; there are \(names)"), file: effect.name)
        }
        var value = parameter.value(text)
        if value == nil, parameter.kind == .lut { value = .lut(try CubeFile.read(text)) }
        guard let value, let taken = set(name, value) else {
            throw EffectError("“\(text)” is not a value of \(name); use \(parameter.values)", file: effect.name)
        }
        guard taken != value else { return nil }
        return
            "\(effect.name): \(name)=\(text) is out of range (\(parameter.values)), so \(parameter.text(of: taken)) is used."
    }
}
