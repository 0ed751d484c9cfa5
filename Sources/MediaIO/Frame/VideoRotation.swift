/// The clockwise rotation that a sink applies to a frame to show it.
public enum VideoRotation: Int, CaseIterable, Hashable, Sendable {
    /// No rotation.
    case upright = 0
    /// A quarter turn clockwise: the frame's left side becomes the top.
    case clockwise90 = 90
    /// Half a turn.
    case clockwise180 = 180
    /// A quarter turn counterclockwise.
    case clockwise270 = 270

    /// One rotation after the other.
    public static func + (first: VideoRotation, second: VideoRotation) -> VideoRotation {
        VideoRotation(rawValue: (first.rawValue + second.rawValue) % 360) ?? .upright
    }

    /// The rotation that undoes this one.
    public var reversed: VideoRotation { VideoRotation(rawValue: (360 - rawValue) % 360) ?? .upright }

    /// Whether width and height are swapped.
    public var isQuarterTurn: Bool { self == .clockwise90 || self == .clockwise270 }
}

/// The mirroring that a sink applies to a frame after the rotation, as the viewer sees it.
public enum VideoMirror: String, CaseIterable, Hashable, Sendable {
    /// No mirroring; on the command line `none`.
    case unmirrored = "none"
    /// Left and right are swapped.
    case horizontal
    /// Top and bottom are swapped.
    case vertical
    /// Both: the same as a rotation by half a turn.
    case both

    /// One mirror after the other.
    public func combined(with other: VideoMirror) -> VideoMirror {
        switch (isHorizontal != other.isHorizontal, isVertical != other.isVertical) {
        case (false, false): .unmirrored
        case (true, false): .horizontal
        case (false, true): .vertical
        case (true, true): .both
        }
    }

    /// Whether left and right are swapped.
    public var isHorizontal: Bool { self == .horizontal || self == .both }
    /// Whether top and bottom are swapped.
    public var isVertical: Bool { self == .vertical || self == .both }
}
