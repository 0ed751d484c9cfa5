/// Notices effects that take too long again and again.
struct EffectBudget {
    /// The number of measured pictures that were noted.
    private var count = 0
    /// The number of pictures in succession that took too long.
    private var slow = 0

    /// Notes a renderer's report.
    ///
    /// - Parameters:
    ///   - report: the report on a tile, or on the wall.
    ///   - limit: the longest time for a picture.
    /// - Returns: the time of the last picture, if that is enough to bypass the effects.
    mutating func excess(_ report: TileReport, _ limit: Duration) -> Duration? {
        guard let time = report.effectTime, report.effectTimes != count else { return nil }
        count = report.effectTimes
        slow = time > limit ? slow + 1 : 0
        // One picture in between may have waited for something else, such as the driver's compiler.
        guard slow >= 3 || time > limit * 10 else { return nil }
        slow = 0
        return time
    }
}

extension EffectChain {
    /// Applies no effect any more, because they took too long.
    mutating func bypass(took time: Duration, _ limit: Duration) {
        let names = steps.filter(\.isOn).map(\.effect.name).joined(separator: ", ")
        bypassReason = "\(names): bypassed, because a picture took \(Self.text(time)) of \(Self.text(limit))"
    }

    private static func text(_ time: Duration) -> String { "\(Int((time / .milliseconds(1)).rounded())) ms" }
}
