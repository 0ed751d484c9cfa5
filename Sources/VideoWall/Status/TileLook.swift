/// How the tiles of a wall say what their streams are, and how they are.
///
/// By default, they look like what the same frames give at any time: no ages, no clock.
public struct TileLook: Hashable, Sendable {
    /// Whether each tile has a bar at its lower edge: the sign of its state, its name, its state in words, a clock.
    public var hasBars = false
    /// Whether, without bars, ``WallTile/label`` is shown over the upper left corner.
    public var hasLabels = true
    /// Whether a tile whose picture is old says how old it is, and one that waits when the next try begins.
    ///
    /// They are in whole seconds and change for all tiles at the same moments, so that a wall that is otherwise unchanged
    /// is drawn once a second: at ``Wall/timeUntilChange``.
    public var hasAges = false
    /// Whether a tile says at length why it has no present picture, and shows its ``WallTile/details``; otherwise it
    /// says so in few words.
    public var hasDetails = true
    /// What a failed tile says below its headline while there are no details, such as how to get them; `nil` for nothing.
    public var hint: String?
    /// The pixels of the scene per pixel of a screen of usual density: 2 if a screen's content scale is 200 %.
    public var scale = 1.0
    /// What must be added to the monotonic clock for the local time of day, for clocks; `nil` for no clocks.
    public var clockOffset: Duration?

    /// Creates the default look.
    public init() {}
}
