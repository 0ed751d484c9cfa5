public import MediaIO

/// What a target shows of a wall, and so what has to be drawn again: for those who write renderers.
///
/// A target whose pixels stay shows the last scene that was drawn. Where the window system hands out several buffers in turn,
/// what is there is some scenes old, and the damage of each of them has to be made up for.
public struct DamageHistory: Sendable {
    /// What has to be drawn again.
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
    /// The newest scenes that were drawn, oldest first, in a ring whose memory is used again.
    private var entries: [Entry]
    private var count = 0

    /// Creates the history of a target that shows nothing yet.
    ///
    /// - Parameter depth: the age of the oldest buffer that can be made up for.
    public init(depth: Int = 4) { entries = Array(repeating: Entry(), count: max(1, depth)) }

    /// Forgets what the target shows.
    public mutating func invalidate() { wall = nil }

    /// Works out what has to be drawn, and takes the scene for drawn.
    ///
    /// - Parameters:
    ///   - scene: what is to be shown.
    ///   - age: how many scenes ago the target's present buffer was drawn: 1 where pixels stay, 0 where they are undefined.
    ///   - parts: becomes the list of rectangles.
    /// - Returns: how much.
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
        // Older than all that was drawn in a row, or than what is remembered.
        guard follows, age > 0, age < count, age <= entries.count else { return .all }
        for back in 1...age { parts.append(contentsOf: entries[(count - back) % entries.count].damage) }
        return .parts
    }

    private mutating func remember(_ scene: WallScene) {
        let index = count % entries.count
        entries[index].number = scene.number
        // Copied, not shared: the wall writes into its own list again.
        entries[index].damage.removeAll(keepingCapacity: true)
        entries[index].damage.append(contentsOf: scene.damage)
        count += 1
    }
}
