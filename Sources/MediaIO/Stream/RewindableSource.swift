/// A source that can show other moments than the present.
///
/// A ``LiveSource`` shows what the ring of its packets has, and goes on receiving; a ``PacedSource`` plays another part
/// of what is stored. Sources that show the same ``Playhead`` show the same instant.
///
/// **Thread:** any.
public protocol RewindableSource: VideoSource {
    /// The moments that it can show; `nil` if there is only the present.
    var moments: ClosedRange<MonotonicTime>? { get }

    /// The moment of the picture that is shown; `nil` while the present is shown, and before the first picture of another
    /// moment.
    var shownMoment: MonotonicTime? { get }

    /// Shows another moment, or the present.
    ///
    /// - Parameter playhead: which moment, the oldest or newest that there is if it is outside; `nil` for the present.
    /// - Throws: ``StreamError/Code/unsupported`` if there is only the present; ``StreamError/Code/cannotOpen`` if no thread
    ///   can be started.
    func show(_ playhead: Playhead?) throws(StreamError)

    /// A moment at which the picture after or before another one is shown.
    ///
    /// - Parameters:
    ///   - step: which of the two.
    ///   - moment: a moment at which the other one is shown.
    /// - Returns: the moment; `nil` if there is no such picture.
    func moment(ofPicture step: PictureStep, from moment: MonotonicTime) -> MonotonicTime?
}

/// Which picture, beside another one.
public enum PictureStep: Hashable, Sendable {
    /// The picture after it.
    case next
    /// The picture before it.
    case previous
}
