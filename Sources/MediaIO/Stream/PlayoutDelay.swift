/// How long the pictures of a live stream are held, so that those that arrive together are shown one after the other.
///
/// Networks deliver in bursts. Within the two bounds, the delay follows what is measured: it grows when pictures arrive
/// too late to be shown in time, and shrinks once they no longer do.
public struct PlayoutDelay: Hashable, Sendable {
    /// The most that a picture can be held, 2 seconds.
    public static let maximum = Duration.seconds(2)

    /// The shortest delay, from zero.
    public let shortest: Duration
    /// The longest delay, up to ``maximum``.
    public let longest: Duration
    /// Whether the delay is the time since the picture was captured, by the sender's clock, where the sender says that.
    ///
    /// Then all who receive the stream show a picture at the same moment, if their clocks agree with the sender's. Where
    /// it is not known, or the clocks are more than ``maximum`` apart, it is the time since the picture arrived.
    public private(set) var isSinceCapture = false

    /// Creates bounds, which are clamped to zero…``maximum``.
    public init(_ shortest: Duration, _ longest: Duration) {
        self.shortest = min(max(shortest, .zero), Self.maximum)
        self.longest = min(max(longest, self.shortest), Self.maximum)
    }

    /// As short as all pictures can be shown in time, and at most half a second.
    public static let adaptive = PlayoutDelay(.zero, .milliseconds(500))
    /// Every picture is shown as soon as it is decoded, however many come together.
    public static let none = PlayoutDelay(.zero, .zero)

    /// Always the same delay.
    public static func fixed(_ delay: Duration) -> PlayoutDelay { PlayoutDelay(delay, delay) }

    /// Always the same time from when a picture is captured until it is shown; see ``isSinceCapture``.
    ///
    /// It must be longer than what the sender and the network take, or else pictures are shown as they come.
    public static func sinceCapture(_ delay: Duration) -> PlayoutDelay {
        var result = fixed(delay)
        result.isSinceCapture = true
        return result
    }
}
