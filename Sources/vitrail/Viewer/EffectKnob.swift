import VideoWall

/// Changes a parameter of a chain by keys.
struct EffectKnob {
    /// A key's action.
    enum Turn: Hashable {
        /// Effects on or off.
        case toggle
        /// The next (1) or previous (-1) parameter.
        case choose(Int)
        /// A larger (1) or smaller (-1) value.
        case change(Int)

        /// What repeated turns are undone as.
        var gesture: String? { if case .change = self { "change" } else { nil } }
    }

    /// The number of the parameter among those of the chain.
    private var index = 0

    /// Changes a chain.
    ///
    /// - Parameters:
    ///   - turn: the action.
    ///   - chain: the chain to change.
    ///   - mouse: the position in the picture, 0 to 1, for a point.
    /// - Returns: the result, for people.
    mutating func perform(_ turn: Turn, on chain: inout EffectChain, mouse: SIMD2<Float>?) -> String {
        guard !chain.steps.isEmpty else { return "there are no effects here" }
        if chain.bypassReason != nil, turn == .toggle {
            chain.bypassReason = nil
            return "effects on"
        }
        if turn == .toggle {
            let isOn = chain.isEmpty
            for step in chain.steps.indices { chain.steps[step].isOn = isOn }
            return "effects \(isOn ? "on" : "off")"
        }
        let places = chain.steps.indices.flatMap { step in
            chain.steps[step].effect.parameters.indices.map { (step: step, parameter: $0) }
        }
        guard !places.isEmpty else { return "these effects have no parameters" }
        index = min(index, places.count - 1)
        if case .choose(let step) = turn { index = (index + step + places.count) % places.count }
        let place = places[index]
        let effect = chain.steps[place.step].effect
        let parameter = effect.parameters[place.parameter]
        var note = ""
        if case .change(let direction) = turn {
            let old = chain.steps[place.step].values[place.parameter]
            if let new = parameter.next(to: old, direction, mouse: mouse) {
                _ = chain.steps[place.step].set(parameter.name, new)
                chain.bypassReason = nil
            } else {
                note = parameter.kind == .point ? " (point at the place)" : " (set it with --set or --control)"
            }
        }
        let value = chain.steps[place.step].values[place.parameter]
        return "\(effect.name).\(parameter.name) = \(parameter.text(of: value))\(note)"
    }
}

extension EffectParameter {
    /// The next value in a direction, 1 or -1; `nil` if keys cannot change it.
    fileprivate func next(to value: EffectValue, _ direction: Int, mouse: SIMD2<Float>?) -> EffectValue? {
        switch (kind, value) {
        case (.float(let range), .float(let number)):
            .float(range.step(from: number, direction))
        case (.int(let range), .int(let number)): .int(number + direction * max(1, range.count / 20))
        case (.bool, .bool(let isOn)): .bool(!isOn)
        case (.choice(let names), .choice(let index)): .choice((index + direction + names.count) % names.count)
        case (.tile, .tile(let number)): .tile(number + direction)
        case (.point, .point): mouse.map { .point($0) }
        default: nil
        }
    }
}

extension ClosedRange<Float> {
    /// A twentieth of the range further; rounded, so that ten steps of 0.1 end at 1.
    fileprivate func step(from number: Float, _ direction: Int) -> Float {
        let step = (Double(upperBound) - Double(lowerBound)) / 20
        let grain = step / 1000
        return Float(((Double(number) + Double(direction) * step) / grain).rounded() * grain)
    }
}
