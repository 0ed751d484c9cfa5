import VitrailSupport

/// The size and rate of frames that a sink wants, and whether it is visible.
///
/// A sink sets them in its ``VideoSink/demand``, a ``VideoStream`` combines those of its sinks, and the source obeys as
/// far as it can: see ``VideoSource/adapt(to:)``. A source may always deliver more than is wanted.
public struct VideoSinkWants: Hashable, Sendable {
    /// The largest useful number of pixels in a frame, at least 1; `nil` for no limit.
    public var maximumPixels: Int? {
        didSet { Self.check(maximumPixels) }
    }
    /// The largest useful number of frames per second; `nil` for no limit.
    public var maximumFrameRate: Rational?
    /// Whether the frames are visible; if not, none are wanted.
    public var isVisible: Bool
    /// The memory to make frames in, for sources that allocate memory for them; `nil` for any.
    public var memory: (any FrameMemory)?

    /// Creates wants; the default is everything that the source has.
    public init(
        maximumPixels: Int? = nil, maximumFrameRate: Rational? = nil, isVisible: Bool = true,
        memory: (any FrameMemory)? = nil
    ) {
        Self.check(maximumPixels)
        self.maximumPixels = maximumPixels
        self.maximumFrameRate = maximumFrameRate
        self.isVisible = isVisible
        self.memory = memory
    }

    /// Whether both want the same, in the same memory.
    public static func == (left: VideoSinkWants, right: VideoSinkWants) -> Bool {
        left.maximumPixels == right.maximumPixels && left.maximumFrameRate == right.maximumFrameRate
            && left.isVisible == right.isVisible && left.memory === right.memory
    }

    /// Hashes the wants.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(maximumPixels)
        hasher.combine(maximumFrameRate)
        hasher.combine(isVisible)
        hasher.combine(memory.map(ObjectIdentifier.init))
    }

    private static func check(_ maximumPixels: Int?) {
        require(maximumPixels ?? 1 > 0, "A picture has at least 1 pixel: set isVisible to false for no pictures.")
    }

    /// Everything that the source has.
    public static let everything = VideoSinkWants()
    /// No frames, only conditions.
    public static let nothing = VideoSinkWants(isVisible: false)

    /// The wants of two sinks together: the larger of each value; a sink that is not visible does not count.
    public func combined(with other: VideoSinkWants) -> VideoSinkWants {
        guard isVisible else { return other.isVisible ? other : .nothing }
        guard other.isVisible else { return self }
        var result = VideoSinkWants.everything
        if let mine = maximumPixels, let its = other.maximumPixels { result.maximumPixels = max(mine, its) }
        if let mine = maximumFrameRate, let its = other.maximumFrameRate {
            result.maximumFrameRate = mine.value >= its.value ? mine : its
        }
        // Every sink can read frames in it.
        result.memory = memory ?? other.memory
        return result
    }
}
