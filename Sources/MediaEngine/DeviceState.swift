public import MediaIO

/// The state of a capture device, which the capturing program sets and viewers see.
public enum DeviceState: String, CaseIterable, Hashable, Sendable {
    /// It captures.
    case open
    /// It was turned off.
    case disabled
    /// Its pictures are withheld.
    case muted
    /// Another program uses it.
    case busy
    /// The system has interrupted it.
    case interrupted
    /// Something is in front of the lens.
    case occluded
    /// It was unplugged.
    case unplugged
    /// The program may not use it.
    case notPermitted
    /// It has failed for another reason.
    case failed

    /// The condition that sinks are told.
    public var condition: SourceCondition {
        switch self {
        case .open: .live
        case .disabled: .waiting("the camera is off")
        case .muted: .waiting("the camera is muted")
        case .busy: .waiting("another program uses the camera")
        case .interrupted: .waiting("the camera was interrupted")
        case .occluded: .waiting("the camera is covered")
        case .unplugged: .waiting("the camera was unplugged")
        case .notPermitted: .waiting("the camera may not be used")
        case .failed: .waiting("the camera has failed")
        }
    }
}
