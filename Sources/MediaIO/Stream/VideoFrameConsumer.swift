/// A consumer of a source's frames.
///
/// **Thread:** the source's capture thread, one call at a time.
public protocol VideoFrameConsumer: AnyObject, Sendable {
    /// Consumes a frame.
    ///
    /// It must return soon: the source waits.
    ///
    /// **Cost:** every frame.
    func consume(_ frame: VideoFrame)

    /// Called if frames were left out, because they would have been late or because what they depend on was lost.
    ///
    /// **Cost:** every frame while the source is too slow.
    /// - Parameter count: how many, as far as the frame rate or the packets' numbers tell.
    func sourceDidOmit(_ count: Int)

    /// Called when the source's condition changes.
    ///
    /// **Cost:** rare.
    func sourceDidChange(_ condition: SourceCondition)
}

extension VideoFrameConsumer {
    /// Does nothing, for consumers that do not count.
    public func sourceDidOmit(_ count: Int) {}

    /// Does nothing, for consumers that need only frames.
    public func sourceDidChange(_ condition: SourceCondition) {}
}

/// The condition of a running source.
public enum SourceCondition: Hashable, Sendable {
    /// Not available yet; the text says why.
    case waiting(String)
    /// Frames arrive.
    case live
    /// The last frame has arrived.
    case ended
    /// No more frames will arrive because of a failure; the text says why.
    case failed(String)
}
