/// By how much a sink turns the picture clockwise before it shows it.
public enum VideoRotation: Int, CaseIterable, Hashable, Sendable {
    /// As it is in memory.
    case upright = 0
    /// A quarter turn clockwise: the picture's left side comes to the top.
    case clockwise90 = 90
    /// Half a turn.
    case clockwise180 = 180
    /// A quarter turn counterclockwise.
    case clockwise270 = 270

    /// One turn after the other.
    public static func + (first: VideoRotation, second: VideoRotation) -> VideoRotation {
        VideoRotation(rawValue: (first.rawValue + second.rawValue) % 360) ?? .upright
    }

    /// The turn that undoes this one.
    public var reversed: VideoRotation { VideoRotation(rawValue: (360 - rawValue) % 360) ?? .upright }

    /// Whether width and height change places.
    public var isQuarterTurn: Bool { self == .clockwise90 || self == .clockwise270 }
}

/// How a sink mirrors the picture after it was turned: seen by the viewer, not by the memory.
public enum VideoMirror: String, CaseIterable, Hashable, Sendable {
    /// As it is; on the command line `none`.
    case unmirrored = "none"
    /// Left and right change places.
    case horizontal
    /// Top and bottom change places.
    case vertical
    /// Both: the same as half a turn.
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

    /// Whether left and right change places.
    public var isHorizontal: Bool { self == .horizontal || self == .both }
    /// Whether top and bottom change places.
    public var isVertical: Bool { self == .vertical || self == .both }
}
