public import MediaIO

/// The scenes that a target has shown, and so what must be redrawn, for implementations of renderers.
///
/// A target that keeps its pixels shows the last scene drawn. If the window system alternates between several buffers,
/// the present one is some scenes old, and the damage of each scene since then must be redrawn.
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

    private struct Entry {
        var number = 0
        var damage: [Rectangle] = []
    }

    private var wall: Wall.ID?
    private var size: VideoSize?
    /// The newest scenes drawn, in a ring buffer whose memory is reused.
    private var entries: [Entry]
    private var count = 0

    /// Creates the history of a target that shows nothing yet.
    ///
    /// - Parameter depth: the age of the oldest buffer that can be redrawn in parts.
    public init(depth: Int = 4) { entries = Array(repeating: Entry(), count: max(1, depth)) }

    /// Forgets what the target shows.
    public mutating func invalidate() { wall = nil }

    /// Determines what must be drawn, and records the scene as drawn.
    ///
    /// - Parameters:
    ///   - scene: the scene to draw.
    ///   - age: how many scenes ago the target's present buffer was drawn: 1 if it keeps its pixels, 0 if they are
    ///     undefined.
    ///   - parts: set to the list of rectangles.
    /// - Returns: what must be drawn.
    public mutating func draw(_ scene: WallScene, age: Int, _ parts: inout [Rectangle]) -> Extent {
        parts.removeAll(keepingCapacity: true)
        let isKnown = wall == scene.wall && size == scene.size
        let last = count > 0 ? entries[(count - 1) % entries.count].number : -1
        if isKnown, last == scene.number { return .nothing }
        if !isKnown { count = 0 }
        (wall, size) = (scene.wall, scene.size)
        let follows = isKnown && last == scene.number - 1
        if !follows { count = 0 }
        remember(scene)
        // Redraw everything if the buffer is older than the consecutive scenes or than the history.
        guard follows, age > 0, age < count, age <= entries.count else { return .all }
        for back in 1...age { parts.append(contentsOf: entries[(count - back) % entries.count].damage) }
        return .parts
    }

    private mutating func remember(_ scene: WallScene) {
        let index = count % entries.count
        entries[index].number = scene.number
        // Copied, not shared, so that the wall can write into its own list without a copy.
        entries[index].damage.removeAll(keepingCapacity: true)
        entries[index].damage.append(contentsOf: scene.damage)
        count += 1
    }
}
