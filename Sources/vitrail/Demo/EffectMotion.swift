import Glibc
import VideoWall

/// How the demo moves a parameter: numbers and points move around their value, and a choice goes through all its cases.
extension EffectParameter {
    /// How long the movement takes, in seconds; 0 for a parameter that stays.
    var motionSeconds: Double {
        switch kind {
        case .float, .int, .point: 4
        case .bool: 2
        case .choice(let names): Double(names.count)
        case .color, .tile, .lut: 0
        }
    }

    /// The value during the movement.
    ///
    /// - Parameters:
    ///   - share: the elapsed share of the movement, 0 to 1; at 0, and at 1 except for a switch, it is `center`.
    ///   - center: the value to move around.
    /// - Returns: a value in the parameter's range, in the form for people: with few digits.
    func moved(_ share: Double, around center: EffectValue) -> EffectValue {
        let wave = sin(2 * .pi * share)
        switch (kind, center) {
        case (.float(let range), .float(let number)):
            let (low, high) = (Double(range.lowerBound), Double(range.upperBound))
            let grain = pow(10, log10(high - low).rounded(.down) - 2)
            let new = Self.moved(Double(number), share, low, high)
            return clamped(.float(Float((new / grain).rounded() * grain)))
        case (.int(let range), .int(let number)):
            let new = Self.moved(Double(number), share, Double(range.lowerBound), Double(range.upperBound))
            return clamped(.int(Int(new.rounded())))
        case (.point, .point(let point)):
            let circle = SIMD2(Float(wave), Float(1 - cos(2 * .pi * share))) * 0.15
            return clamped(.point(((point + circle) * 100).rounded(.toNearestOrEven) / 100))
        case (.bool, .bool(let isOn)): return .bool(share < 0.5 ? isOn : !isOn)
        case (.choice(let names), .choice(let index)):
            return .choice((index + Int(share * Double(names.count))) % names.count)
        default: return center
        }
    }

    /// A number that swings to both sides within the distance to the nearer limit; at a limit, only away from it.
    private static func moved(_ center: Double, _ share: Double, _ low: Double, _ high: Double) -> Double {
        let room = min(center - low, high - center)
        if room > 0 { return center + 0.6 * room * sin(2 * .pi * share) }
        let swing = 0.4 * (high - low) * sin(.pi * share) * sin(.pi * share)
        return center > low ? center - swing : center + swing
    }
}
