/// Detects effects that repeatedly take too long.
struct EffectBudget {
    /// The number of measured pictures in the last report that was evaluated.
    private var count = 0
    /// The number of pictures in succession that took too long.
    private var slow = 0

    /// Evaluates a renderer's report.
    ///
    /// - Parameters:
    ///   - report: the report on a tile, or on the wall.
    ///   - limit: the longest time for a picture.
    /// - Returns: the time of the last picture if the effects must be bypassed, otherwise `nil`.
    mutating func excess(_ report: TileReport, _ limit: Duration) -> Duration? {
        guard let time = report.effectTime, report.effectTimes != count else { return nil }
        count = report.effectTimes
        slow = time > limit ? slow + 1 : 0
        // A single slow picture may have waited for something else, such as the driver's compiler.
        guard slow >= 3 || time > limit * 10 else { return nil }
        slow = 0
        return time
    }
}

extension EffectChain {
    /// Bypasses all effects, because they took too long.
    mutating func bypass(took time: Duration, _ limit: Duration) {
        let names = steps.filter(\.isOn).map(\.effect.name).joined(separator: ", ")
        bypassReason = "\(names): bypassed, because a picture took \(Self.text(time)) of \(Self.text(limit))"
    }

    private static func text(_ time: Duration) -> String { "\(Int((time / .milliseconds(1)).rounded())) ms" }
}
