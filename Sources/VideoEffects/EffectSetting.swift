public import VideoWall

/// A value for a parameter: `NAME=VALUE` for all effects that have it, or `EFFECT.NAME=VALUE` for one effect only.
public struct EffectSetting: Hashable, Sendable {
    /// The name of the effect, or `nil` for all effects that have the parameter.
    public var effect: String?
    /// The name of the parameter.
    public var parameter: String
    /// The value as text.
    public var value: String

    /// Creates a setting.
    public init(effect: String? = nil, parameter: String, value: String) {
        self.effect = effect
        self.parameter = parameter
        self.value = value
    }

    /// Reads a setting.
    ///
    /// - Throws: `EffectError` if there is no `=`.
    public init(_ text: String) throws(EffectError) {
        guard let equals = text.firstIndex(of: "=") else {
            throw EffectError("write NAME=VALUE or EFFECT.NAME=VALUE", file: text)
        }
        self.init(name: String(text[..<equals]), value: String(text[text.index(after: equals)...]))
    }

    /// Creates a setting.
    ///
    /// - Parameters:
    ///   - name: the parameter, or the effect, a full stop and the parameter.
    ///   - value: the value as text.
    public init(name: String, value: String) {
        let dot = name.lastIndex(of: ".")
        effect = dot.map { String(name[..<$0]) }
        parameter = dot.map { String(name[name.index(after: $0)...]) } ?? name
        self.value = value
    }

    /// Sets the value in a chain.
    ///
    /// - Parameters:
    ///   - chain: the chain to change.
    ///   - notes: a sentence is appended for each value that was out of range and clamped.
    /// - Returns: the number of parameters that were set.
    /// - Throws: `EffectError` if the value does not have the parameter's type.
    public func apply(to chain: inout EffectChain, notes: inout [String]) throws(EffectError) -> Int {
        var count = 0
        for index in chain.steps.indices {
            let own = chain.steps[index].effect
            guard effect == nil || effect == own.name, own.parameter(parameter) != nil else { continue }
            if let note = try chain.steps[index].set(parameter, text: value) { notes.append(note) }
            count += 1
        }
        return count
    }

    /// The error if no chain has the parameter.
    public var refusal: EffectError {
        EffectError(
            "no effect here has a parameter of this name", file: effect.map { "\($0).\(parameter)" } ?? parameter)
    }
}
