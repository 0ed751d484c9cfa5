/// Which clock says what stored media show at a moment.
public enum PlaybackTimeline: Hashable, Sendable {
    /// Their own: the first frame is shown when they are started.
    case own
    /// That of the machine, for media without an end: at each moment, they show the frame whose time is the time since
    /// 1970-01-01 00:00 UTC.
    ///
    /// So machines whose clocks agree show the same frame at the same moment, whenever they were started. A reader that
    /// cannot skip, or has an end (``StreamInfo/duration``), plays on its own timeline.
    case machineClock
}
