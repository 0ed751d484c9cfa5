public import MediaIO

/// The scenes that a target has shown, from which a renderer determines what must be redrawn.
///
/// A target that keeps its pixels shows the last scene that was drawn. A window system uses several buffers in turn, so
/// the content of a buffer may be several presents old, and all changes since then must be redrawn.
public struct DamageHistory: Sendable {
    /// What must be redrawn.
    public enum Extent: Hashable, Sendable {
        /// Nothing: the target shows the scene.
        case nothing
        /// The rectangles in the list.
        case parts
        /// Everything.
        case all
    }

    private var wall: Wall.ID?
    private var size: VideoSize?
    /// The last scene drawn before each of the newest presents, in a ring.
    private var drawings = InlineArray<8, (presentCount: Int, scene: Int)>(repeating: (0, 0))
    private var count = 0

    /// Creates the history of a target that shows nothing yet.
    public init() {}

    /// Marks the target's content as lost.
    public mutating func invalidate() { wall = nil }

    /// Determines what must be drawn, and records the scene as drawn.
    ///
    /// Scenes may be skipped, and any number of them may be drawn before one present.
    ///
    /// - Parameters:
    ///   - scene: the scene to show.
    ///   - presentCount: the number of presents so far; constant for a target with one buffer that keeps its pixels.
    ///   - age: the age of the target's present content, in presents; 0 if unknown.
    ///   - parts: replaced by the list of rectangles.
    /// - Returns: how much must be drawn.
    public mutating func draw(
        _ scene: WallScene, presentCount: Int = 0, age: Int = 0, _ parts: inout [Rectangle]
    ) -> Extent {
        parts.removeAll(keepingCapacity: true)
        if wall != scene.wall || size != scene.size { count = 0 }
        (wall, size) = (scene.wall, scene.size)
        if let newest, newest.scene == scene.number { return .nothing }
        var shown = drawing(at: presentCount)
        if shown == nil, age > 0 { shown = drawing(at: presentCount - age) }
        remember(scene.number, presentCount)
        guard let shown, scene.addDamage(since: shown, to: &parts) else {
            parts.removeAll(keepingCapacity: true)
            return .all
        }
        return .parts
    }

    private var newest: (presentCount: Int, scene: Int)? {
        count > 0 ? drawings[(count - 1) % drawings.count] : nil
    }

    /// The number of the last scene drawn before a present, if it is still recorded.
    private func drawing(at presentCount: Int) -> Int? {
        var index = max(0, count - drawings.count)
        while index < count {
            let drawing = drawings[index % drawings.count]
            if drawing.presentCount == presentCount { return drawing.scene }
            index += 1
        }
        return nil
    }

    private mutating func remember(_ scene: Int, _ presentCount: Int) {
        if newest?.presentCount != presentCount { count += 1 }
        drawings[(count - 1) % drawings.count] = (presentCount, scene)
    }
}
