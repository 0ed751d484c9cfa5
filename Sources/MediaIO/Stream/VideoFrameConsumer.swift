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
    /// Not available yet.
    ///
    /// - Parameters:
    ///   - reason: why, for people.
    ///   - retry: when the next try begins; `nil` if that is not known.
    ///   - code: the failure that it waits after; `nil` for none.
    case waiting(_ reason: String, retry: MonotonicTime? = nil, code: StreamError.Code? = nil)
    /// Frames arrive.
    case live
    /// The last frame has arrived.
    case ended
    /// No more frames will arrive because of a failure.
    ///
    /// - Parameters:
    ///   - reason: why, for people.
    ///   - code: the failure; `nil` for one of no such kind.
    case failed(_ reason: String, code: StreamError.Code? = nil)

    /// Why there are no frames; `nil` if they arrive or have ended.
    public var reason: String? {
        switch self {
        case .waiting(let reason, _, _), .failed(let reason, _): reason
        case .live, .ended: nil
        }
    }

    /// The failure behind it; `nil` for none.
    public var code: StreamError.Code? {
        switch self {
        case .waiting(_, _, let code), .failed(_, let code): code
        case .live, .ended: nil
        }
    }

    /// The condition without the time of the next try: the same for each try that fails for the same reason.
    package var withoutRetry: SourceCondition {
        guard case .waiting(let reason, _?, let code) = self else { return self }
        return .waiting(reason, code: code)
    }
}
