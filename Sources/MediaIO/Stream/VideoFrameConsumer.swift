/// What a source hands its frames to.
///
/// **Thread:** the source's capture thread, one call at a time.
public protocol VideoFrameConsumer: AnyObject, Sendable {
    /// Takes a frame.
    ///
    /// Returns soon: the source waits.
    ///
    /// **Cost:** every frame.
    func consume(_ frame: VideoFrame)

    /// Hears that the source is in another condition.
    ///
    /// **Cost:** rare.
    func sourceDidChange(_ condition: SourceCondition)
}

extension VideoFrameConsumer {
    /// Does nothing: whoever only wants frames need not listen.
    public func sourceDidChange(_ condition: SourceCondition) {}
}

/// How a source that runs is doing.
public enum SourceCondition: Hashable, Sendable {
    /// Not there yet; the text says what is awaited.
    case waiting(String)
    /// Frames come.
    case live
    /// The last frame has come.
    case ended
    /// No more frames will come because something broke; the text says what.
    case failed(String)
}
