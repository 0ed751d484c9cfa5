/// How much of its effects a tile has time for, from all of them to none.
public enum EffectPace: Int, Hashable, Sendable, CaseIterable {
    /// At the size of the tile.
    case full
    /// At half the width and height, enlarged.
    case half
    /// At a quarter of the width and height, enlarged.
    case quarter
    /// At a quarter, and at most five times a second.
    case slow
    /// Without effects but privacy masks.
    case muted

    /// The factor for the width and height of what is drawn.
    package var scale: Double {
        switch self {
        case .full: 1
        case .half: 0.5
        case .quarter, .slow, .muted: 0.25
        }
    }

    /// The shortest time between two pictures.
    package var distance: Duration { self == .slow ? .milliseconds(200) : .zero }

    /// What a tile says; `nil` if all is as it should be.
    var words: String? {
        switch self {
        case .full: nil
        case .half: "effects at ½ size"
        case .quarter: "effects at ¼ size"
        case .slow: "effects 5/s"
        case .muted: "effects muted"
        }
    }

    /// How much longer a picture takes one step up.
    var growth: Double { self == .half || self == .quarter ? 4 : 1 }

    var lower: EffectPace { EffectPace(rawValue: rawValue + 1) ?? .muted }
    var higher: EffectPace { EffectPace(rawValue: rawValue - 1) ?? .full }
}
