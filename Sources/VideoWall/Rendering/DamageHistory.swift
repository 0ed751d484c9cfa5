public import MediaIO

/// The scenes that a target has shown, and so what must be redrawn, for implementations of renderers.
///
/// A target whose pixels stay shows the last scene that was drawn. A window system hands out several buffers in turn, so what
/// is there is some presents old, and what has changed since then has to be made up for.
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
    /// Which scene was drawn last before which present: the newest ones, in a ring.
    private var drawings = InlineArray<8, (presentCount: Int, scene: Int)>(repeating: (0, 0))
    private var count = 0

    /// Creates the history of a target that shows nothing yet.
    public init() {}

    /// Forgets what the target shows.
    public mutating func invalidate() { wall = nil }

    /// Determines what must be drawn, and records the scene as drawn.
    ///
    /// It does not matter whether scenes were left out, whether several were drawn before one present, or none.
    ///
    /// - Parameters:
    ///   - scene: what is to be shown.
    ///   - presentCount: how often the target was presented; always the same where it has one buffer, whose pixels stay.
    ///   - age: how many presents ago the pixels that are in the target now were drawn; 0 where nobody knows.
    ///   - parts: becomes the list of rectangles.
    /// - Returns: how much.
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

    /// The number of the scene that was drawn last before a present, if that is remembered.
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
