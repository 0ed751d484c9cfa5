import MediaIO
import VideoWall

/// How the tiles of a wall look, unless an input says otherwise.
struct WallLook: Hashable, Sendable {
    /// How frames fill their tiles.
    var content = ContentMode.fit
    /// The scaling filter.
    var filter = ScalingFilter.automatic
    /// Whether scaling averages light instead of code values.
    var linearLight = false
    /// Which frames are converted to the screen's colours.
    var color = ColorConversionMode.auto
    /// Whether tiles move to their new places instead of jumping.
    var animation = true
    /// Whether each tile has a bar with its name and its state.
    var names = true
    /// Whether the bars of live streams have a clock.
    var clock = true
    /// The effects on every tile whose input names none, as on the command line.
    var effects = ""
    /// The effects on the wall as a whole.
    var wallEffects = ""
}
