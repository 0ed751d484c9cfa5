public import MediaIO

/// Draws tiles with effects at a pace of their own, so that the wall need not wait for them.
///
/// A wall asks it at each update what to show for a tile whose effects are not drawn at once by its renderer. The answer
/// is the newest picture that there is with them, as a frame without effects; until there is one, the tile's own picture,
/// with its privacy masks.
///
/// **Thread:** render thread.
public protocol EffectStage: AnyObject {
    /// Whether there are new pictures, or new failures, since the last update began.
    var hasNews: Bool { get }

    /// Begins an update.
    ///
    /// - Returns: what ``hasNews`` was.
    func beginUpdate() -> Bool

    /// What to show for a tile.
    ///
    /// **Cost:** every frame; it waits for no drawing.
    /// - Parameters:
    ///   - tile: a visible tile, with its effects.
    ///   - scene: the scene that it is in.
    /// - Returns: the same tile with another frame and without effects, or only with privacy masks.
    func tile(_ tile: WallScene.Tile, of scene: WallScene) -> WallScene.Tile

    /// The effects of the whole wall that its renderer can draw without waiting: the newest that were tried.
    ///
    /// - Parameters:
    ///   - effects: the effects that are wanted.
    ///   - scene: the scene.
    /// - Returns: `effects`, or others until those are tried.
    func wallEffects(_ effects: EffectChain, of scene: WallScene) -> EffectChain

    /// Ends an update: other tiles than those that were asked for have no effects of this kind, or are hidden.
    func endUpdate()

    /// When a tile may have another picture although nothing new arrives; `nil` if never.
    var nextChange: MonotonicTime? { get }

    /// Adds to a report what it knows about the effects of a tile.
    func complete(_ report: inout TileReport, on tile: WallTile.ID)
}
