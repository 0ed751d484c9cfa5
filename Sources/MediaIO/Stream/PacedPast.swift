/// What a paced player tells its source, so that other moments can be asked for.
struct PacedPast: Hashable, Sendable {
    /// When the first frame was due, or would have been; `nil` before it, after the end, and for readers that only go
    /// forward.
    var begin: MonotonicTime?
    /// The moment of the frame that is shown; `nil` while the present is shown.
    var shown: MonotonicTime?
    /// How long a frame is shown.
    var frameDuration = Duration.zero
}
