/// What a sink would like of the frames that it gets.
///
/// A sink says it through its ``VideoSink/demand``, a ``VideoStream`` combines what its sinks say, and the source obeys as
/// far as it can: see ``VideoSource/adapt(to:)``. More may always come than is wanted.
public struct VideoSinkWants: Hashable, Sendable {
    /// How many pixels a picture may have before more of them are of no use, at least 1; `nil` for any number.
    public var maximumPixels: Int?
    /// How many frames a second are of use; `nil` for any number.
    public var maximumFrameRate: Rational?
    /// Whether anybody sees the frames; where nobody does, none are of use.
    public var isVisible: Bool

    /// Creates wants; all that the source has where nothing is said.
    public init(maximumPixels: Int? = nil, maximumFrameRate: Rational? = nil, isVisible: Bool = true) {
        precondition(maximumPixels ?? 1 > 0, "A picture has at least 1 pixel: set isVisible to false for no pictures.")
        self.maximumPixels = maximumPixels
        self.maximumFrameRate = maximumFrameRate
        self.isVisible = isVisible
    }

    /// All that the source has.
    public static let everything = VideoSinkWants()
    /// No frames, only conditions.
    public static let nothing = VideoSinkWants(isVisible: false)

    /// What suits two sinks: of each the larger, where a sink that is not visible does not count.
    public func combined(with other: VideoSinkWants) -> VideoSinkWants {
        guard isVisible else { return other.isVisible ? other : .nothing }
        guard other.isVisible else { return self }
        var result = VideoSinkWants.everything
        if let mine = maximumPixels, let its = other.maximumPixels { result.maximumPixels = max(mine, its) }
        if let mine = maximumFrameRate, let its = other.maximumFrameRate {
            result.maximumFrameRate = mine.value >= its.value ? mine : its
        }
        return result
    }
}
