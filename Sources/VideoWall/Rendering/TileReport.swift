/// A renderer's counts for one tile, from the first picture in which it draws it.
///
/// They begin at zero again when the tile is away from the wall for a picture, and with another renderer.
public struct TileReport: Hashable, Sendable {
    /// Frames whose planes were copied to the GPU.
    public var uploaded = 0
    /// Frames that were drawn from their own memory, without a copy: textures, and DMA-BUFs that the driver imports.
    public var imported = 0
    /// Why the newest frame's DMA-BUF was copied; `nil` if it was imported, or if the frame is not a DMA-BUF.
    public var copyReason: String?
    /// Times the tile was drawn.
    public var drawn = 0
    /// Frames that could not be uploaded or drawn.
    public var failed = 0
    /// Why the newest frame could not be uploaded or drawn; `nil` if it could.
    public var failure: String?
    /// Why an effect is not applied, or an earlier version of it is; `nil` if all are applied.
    public var effectFailure: EffectError?
    /// How long the effects took in the newest measured picture; `nil` unless ``Wall/effectBudget`` is set.
    public var effectTime: Duration?
    /// Counts the measured pictures.
    public var effectTimes = 0
    /// Pictures with effects that were made at a pace of their own: see ``EffectStage``.
    public var effectPictures = 0
    /// How much of the effects there is time for: see ``Wall/effectBudget``.
    public var effectPace = EffectPace.full

    /// Creates counts of zero.
    public init() {}
}

/// The counts of one tile's frames: what the source delivered since the mailbox was made, and what became of it in the
/// ``TileReport``.
public struct TileStatistics: Hashable, Sendable {
    /// Frames that the source delivered.
    public var received = 0
    /// Frames that were replaced by a newer one before they were shown.
    public var dropped = 0
    /// Frames that the source left out because they would have been late, as far as the frame rate tells.
    public var omitted = 0
    /// Frames whose planes were copied to the GPU.
    public var uploaded = 0
    /// Frames that were drawn from their own memory, without a copy.
    public var imported = 0
    /// Times the tile was drawn.
    public var drawn = 0
    /// Frames that could not be uploaded or drawn.
    public var failed = 0

    /// Creates counts of zero.
    public init() {}
}
