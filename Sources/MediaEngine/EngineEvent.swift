public import MediaIO

/// What a ``VideoEngine`` tells its owner.
public enum EngineEvent: Hashable, Sendable {
    /// The first frame since the stream was started has arrived.
    case firstFrame(StreamID)
    /// The condition of the stream's source has changed.
    case condition(StreamID, SourceCondition)
    /// The state of the stream's capture device was set.
    case device(StreamID, DeviceState)
}
