import MediaIO
import SoftwareRendering
import VideoWall

/// A wall of 64 tiles of 640 × 360 in 1280 × 720, drawn by the CPU while all tiles move, and while none does.
struct MovingTiles {
    /// The time per picture, in seconds of the clock.
    struct Result {
        var moving = 0.0
        var still = 0.0
    }

    private static let size = VideoSize(width: 1280, height: 720)
    private static let layouts = [GridLayout(columns: 7, gap: 2), GridLayout(columns: 9, gap: 2)]
    private let wall = Wall(layout: Self.layouts[0])
    private let renderer = SoftwareRenderer()
    private let target: any OffscreenTarget
    private let frames: [VideoFrame]
    private let time = Monitor(MonotonicTime(sinceBoot: .zero))

    /// Makes the wall.
    ///
    /// - Throws: `RenderingError` or `StreamError` if there is no memory.
    init() throws {
        target = try renderer.makeOffscreenTarget(size: Self.size)
        frames = try (0..<4).map { try SixteenTiles.frame($0 * 60) }
        for index in 0..<64 { wall.addTile(named: "\(index)") }
        wall.transitionTime = .seconds(1)
        wall.now = { [time] in time.withLock { $0 } }
    }

    /// The renderer's name.
    var name: String { renderer.name }

    /// Measures transitions of 25 pictures, and as many pictures after each.
    ///
    /// - Parameter count: the number of transitions.
    /// - Returns: the mean of each kind; in all pictures, each tile has a new frame.
    /// - Throws: `RenderingError` if nothing can be drawn any more.
    func measure(_ count: Int) throws -> Result {
        var result = Result()
        let clock = ContinuousClock()
        try draw(0, isMoving: false)
        for round in -1..<count {
            wall.layout = Self.layouts[(round + 2) % 2]
            wall.update(size: Self.size)
            let moving = try clock.measure { for picture in 0..<24 { try draw(picture, isMoving: true) } }
            time.withLock { $0 = $0 + .seconds(2) }
            try draw(0, isMoving: false)
            let still = try clock.measure { for picture in 0..<24 { try draw(picture, isMoving: false) } }
            // The first round allocates everything.
            guard round >= 0 else { continue }
            result.moving += moving / .seconds(24 * count)
            result.still += still / .seconds(24 * count)
        }
        return result
    }

    private func draw(_ picture: Int, isMoving: Bool) throws {
        for (index, tile) in wall.tiles.enumerated() { tile.mailbox.put(frames[(picture + index) % frames.count]) }
        if isMoving { time.withLock { $0 = $0 + .milliseconds(40) } }
        try renderer.render(wall, into: target)
        precondition(wall.isInTransition == isMoving, "The tiles should have moved.")
    }
}
