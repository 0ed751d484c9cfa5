/// A short text over the upper right corner of a tile.
public struct TileBadge: Hashable, Sendable {
    /// A word or two.
    public var text: String
    /// Whether it is something to worry about, which has another colour.
    public var isAlarm: Bool

    /// Describes a badge.
    ///
    /// - Parameters:
    ///   - text: a word or two.
    ///   - isAlarm: whether it is something to worry about.
    public init(_ text: String, isAlarm: Bool) { (self.text, self.isAlarm) = (text, isAlarm) }

    /// Joins badges into one, which worries if one of them does; `nil` of none.
    public init?(joining badges: [TileBadge]) {
        guard !badges.isEmpty else { return nil }
        self.init(badges.map(\.text).joined(separator: " · "), isAlarm: badges.contains(where: \.isAlarm))
    }

    /// Red, or the yellow of a warning; white and black text have a contrast of more than 4.5:1 on them.
    var background: SIMD4<Float> { isAlarm ? SIMD4(0.55, 0.3, 0, 0.9) : SIMD4(0.65, 0, 0, 0.9) }
}
