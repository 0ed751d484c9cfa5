/// What happened to the frames of one stream since its tile was made.
public struct RenderStatistics: Hashable, Sendable {
    /// Frames that the source delivered.
    public var received = 0
    /// Frames that were replaced by a newer one before they were taken.
    public var dropped = 0
    /// Frames whose planes were copied to the GPU.
    public var uploaded = 0
    /// Times the tile was drawn.
    public var drawn = 0
    /// Frames that could not be uploaded.
    public var failed = 0

    /// Creates counts of zero.
    public init() {}
}
