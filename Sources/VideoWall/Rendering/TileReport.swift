/// What a renderer has done with one tile.
public struct TileReport: Hashable, Sendable {
    /// Frames whose planes were copied to the GPU.
    public var uploaded = 0
    /// Times the tile was drawn.
    public var drawn = 0
    /// Frames that could not be uploaded or drawn.
    public var failed = 0
    /// Why the newest frame could not be uploaded or drawn; `nil` when it was.
    public var failure: String?

    /// Creates counts of zero.
    public init() {}
}

/// What happened to the frames of one tile since it was made.
public struct TileStatistics: Hashable, Sendable {
    /// Frames that the source delivered.
    public var received = 0
    /// Frames that were replaced by a newer one before they were taken.
    public var dropped = 0
    /// Frames whose planes were copied to the GPU.
    public var uploaded = 0
    /// Times the tile was drawn.
    public var drawn = 0
    /// Frames that could not be uploaded or drawn.
    public var failed = 0

    /// Creates counts of zero.
    public init() {}
}
