/// Effects one after another, each with the values of its parameters.
public struct EffectChain: Hashable, Sendable {
    /// One effect of a chain.
    public struct Step: Hashable, Sendable {
        /// The effect.
        public let effect: Effect
        /// The values of its parameters, in their order.
        public private(set) var values: [EffectValue]
        /// Whether it is applied.
        public var isOn = true
        /// Why a newer version of its file cannot be used, or `nil`.
        public var failure: EffectError?

        /// Applies an effect with its default values.
        public init(_ effect: Effect) {
            self.effect = effect
            values = effect.parameters.map(\.defaultValue)
        }

        /// Applies another version of an effect, and keeps the values of the parameters that it still has.
        public init(_ effect: Effect, valuesOf old: Step) {
            self.init(effect)
            isOn = old.isOn
            for (index, parameter) in old.effect.parameters.enumerated() {
                _ = set(parameter.name, old.values[index])
            }
        }

        /// The value of a parameter; `nil` if there is none of that name.
        public func value(of name: String) -> EffectValue? {
            effect.parameters.firstIndex { $0.name == name }.map { values[$0] }
        }

        /// Sets a parameter to the nearest value in its range.
        ///
        /// - Returns: the value that was set; `nil` if there is no parameter of that name and type.
        public mutating func set(_ name: String, _ value: EffectValue) -> EffectValue? {
            guard let index = effect.parameters.firstIndex(where: { $0.name == name }),
                effect.parameters[index].accepts(value)
            else { return nil }
            values[index] = effect.parameters[index].clamped(value)
            return values[index]
        }

        /// The same for a picture that is drawn smaller: lengths in pixels shrink, as far as their ranges allow.
        func scaled(by factor: Double) -> Step {
            var step = self
            for (index, parameter) in effect.parameters.enumerated() where parameter.isLength {
                switch values[index] {
                case .float(let number): step.values[index] = parameter.clamped(.float(number * Float(factor)))
                case .int(let number):
                    step.values[index] = parameter.clamped(.int(Int((Double(number) * factor).rounded())))
                default: continue
                }
            }
            return step
        }

        /// Sets a parameter to a value of its type, which may be out of its range.
        mutating func replace(_ index: Int, _ value: EffectValue) { values[index] = value }
    }

    /// The effects, in the order in which they are applied.
    public var steps: [Step]

    /// Creates a chain; the default changes nothing.
    public init(_ steps: [Step] = []) { self.steps = steps }

    /// Applies effects with their default values.
    public init(_ effects: [Effect]) { steps = effects.map { Step($0) } }

    /// Why a newer version of a file cannot be used, or `nil`.
    public var failure: EffectError? {
        for index in steps.indices { if let failure = steps[index].failure { return failure } }
        return nil
    }

    /// Why the chain is bypassed, except for privacy masks, or `nil`; set it to `nil` to apply the effects again.
    public var bypassReason: String?

    // These loops go by index: in debug builds an array's iterator allocates.

    /// Whether the chain changes nothing.
    public var isEmpty: Bool {
        for index in steps.indices where applies(index) { return false }
        return true
    }

    /// Whether the result changes with time.
    public var isAnimated: Bool {
        for index in steps.indices where applies(index) && steps[index].effect.traits.usesTime { return true }
        return false
    }

    /// Whether the result depends on the mouse.
    public var followsMouse: Bool {
        for index in steps.indices where applies(index) && steps[index].effect.traits.usesMouse { return true }
        return false
    }

    /// Whether an effect reads its previous result.
    var readsPrevious: Bool {
        for index in steps.indices where applies(index) && steps[index].effect.traits.usesPrevious { return true }
        return false
    }

    /// Whether the effect at an index is applied.
    func applies(_ index: Int) -> Bool {
        steps[index].isOn && (bypassReason == nil || steps[index].isMask)
    }
}
