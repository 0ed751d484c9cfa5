public import VideoWall

/// Chains as text: `NAME:PARAMETER=VALUE:PARAMETER=VALUE,NAME…`, as on the command line.
///
/// A NAME is that of a built-in effect, or the path of a file. Commas and colons separate; in a path or a value they, and
/// `%`, are written as `%2C`, `%3A` and `%25`.
extension EffectChain {
    /// Reads a chain.
    ///
    /// - Parameters:
    ///   - text: the chain; `none` or an empty text for one without effects.
    ///   - notes: sentences about values out of range, which are clamped, are appended.
    /// - Throws: `EffectError`, naming what is accepted.
    public init(_ text: String, notes: inout [String]) throws(EffectError) {
        self.init()
        guard !text.isEmpty, text != "none" else { return }
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            steps.append(try Self.step(part, notes: &notes))
        }
    }

    private static func step(_ text: Substring, notes: inout [String]) throws(EffectError) -> Step {
        let pieces = text.split(separator: ":", omittingEmptySubsequences: false)
        let name = decoded(pieces[0])
        var step = Step(try effect(name))
        for piece in pieces.dropFirst() {
            guard let equals = piece.firstIndex(of: "=") else {
                throw EffectError("“\(piece)” is not PARAMETER=VALUE", file: name)
            }
            let (parameter, value) = (String(piece[..<equals]), decoded(piece[piece.index(after: equals)...]))
            if let note = try step.set(parameter, text: value) { notes.append(note) }
        }
        return step
    }

    /// Finds an effect by name or path.
    ///
    /// - Throws: `EffectError`, naming those that there are.
    public static func effect(_ name: String) throws(EffectError) -> Effect {
        if let effect = try BuiltInEffects.effect(named: name) { return effect }
        guard name.contains("/") || name.contains(".") else {
            throw EffectError(
                "there is no effect of this name, and a file ends in \(EffectFile.suffix); the effects are "
                    + BuiltInEffects.names.joined(separator: ", "), file: name)
        }
        return try EffectFile.read(name)
    }

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
    /// Sets a parameter from text.
    ///
    /// - Parameters:
    ///   - name: the name of the parameter.
    ///   - text: the value; of a table of colours, the path of a `.cube` file.
    /// - Returns: a sentence if the value was out of range and clamped.
    /// - Throws: `EffectError`, naming the accepted parameters or values.
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
