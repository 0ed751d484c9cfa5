import MediaIO
import TestSupport
import Testing

@testable import VideoWall

/// What a picture costs the render thread, in numbers that do not depend on the machine.
@Suite(.enabled(if: HeapCounter.isAvailable, "A sanitizer has its own."))
struct UpdateCostTests {
    private static let count = 4
    private let wall = Wall()

    /// The locks that `body` takes in 100 rounds, in which it must not allocate.
    private func locks(_ body: () throws -> Void) throws -> Int {
        for _ in 0..<10 { try body() }
        let before = HeapCounter.locks
        let allocations = try HeapCounter.count { for _ in 0..<100 { try body() } }
        #expect(allocations == 0)
        return HeapCounter.locks - before
    }

    @Test func anUpdateTakesOneLockPerVisibleTile() throws {
        let tiles = (0..<Self.count).map { wall.addTile(named: "\($0)") }
        let frame = try frame()
        // One of them is that of `put`.
        let perTile = try locks {
            // By index: without optimisation, an array's iterator allocates.
            for index in tiles.indices { tiles[index].mailbox.put(frame) }
            wall.update(size: screen)
        }
        #expect(perTile == 100 * 2 * Self.count)
        #expect(tiles.allSatisfy { $0.frameNumber == 110 })
        var changes = 0
        #expect(try locks { if wall.hasChanges { changes += 1 } } == 100 * Self.count)
        wall.focus = tiles[1].id
        wall.update(size: screen)
        #expect(try locks { wall.update(size: screen) } == 100)
        #expect(try locks { if wall.hasChanges { changes += 1 } } == 100)
        #expect(changes == 0)
    }

    /// A transition leaves nothing behind that costs anything.
    @Test func afterATransitionAnUpdateAllocatesNothing() throws {
        let time = Monitor(MonotonicTime(sinceBoot: .seconds(100)))
        wall.now = { time.withLock { $0 } }
        let tiles = (0..<Self.count).map { wall.addTile(named: "\($0)") }
        let frame = try frame()
        wall.update(size: screen)
        wall.transitionTime = .seconds(1)
        wall.layout = PictureInPictureLayout(index: 2)
        for _ in 0..<5 {
            wall.update(size: screen)
            #expect(wall.isInTransition)
            time.withLock { $0 = $0 + .milliseconds(220) }
        }
        _ = try locks {
            for index in tiles.indices { tiles[index].mailbox.put(frame) }
            wall.update(size: screen)
        }
        #expect(!wall.isInTransition && wall.scene.order == [2, 0, 1, 3])
    }

    /// Overlays of the wall's own that depend on the scene do not cost a second update.
    @Test func aPictureTakesOneUpdate() throws {
        let tiles = (0..<Self.count).map { wall.addTile(named: "\($0)") }
        let frame = try frame()
        let (renderer, target) = (Renderer(), Target())
        let image = CoverageImage([255], size: VideoSize(width: 1, height: 1), bytesPerRow: 1)
        let marks = (0..<2).map { [WallOverlay(image, x: $0, y: 0)] }
        var isNew = false
        let taken = try locks {
            tiles[0].mailbox.put(frame)
            try renderer.render(wall, into: target) { isNew = $0 }
        }
        #expect(taken == 100 * (Self.count + 1) && isNew)
        var number = 0
        let locksBefore = HeapCounter.locks
        for _ in 0..<100 {
            try renderer.render(wall, into: target) {
                isNew = $0
                number += 1
                wall.overlays = marks[number & 1]
            }
            // The picture has them, with their damage, and no other one is needed.
            #expect(renderer.overlays == marks[number & 1] && !isNew)
            #expect(wall.scene.damage == [marks[1 - number & 1][0].bounds, marks[number & 1][0].bounds] || number == 1)
        }
        #expect(HeapCounter.locks - locksBefore == 100 * Self.count)
        #expect(!wall.hasChanges && !wall.update(size: target.size))
    }

    /// What else is changed together with the overlays is not forgotten.
    @Test func otherChangesStayChanges() throws {
        wall.addTile(named: "a")
        let (renderer, target) = (Renderer(), Target())
        let image = CoverageImage([255], size: VideoSize(width: 1, height: 1), bytesPerRow: 1)
        try renderer.render(wall, into: target) { _ in }
        try renderer.render(wall, into: target) { _ in
            wall.overlays = [WallOverlay(image, x: 0, y: 0)]
            wall.colorTarget = ColorTarget(primaries: .bt2020)
        }
        #expect(wall.hasChanges && wall.update(size: target.size))
        #expect(!wall.hasChanges)
    }
}

private final class Target: RenderTarget {
    let size = screen
    func invalidate() {}
}

/// Draws nothing, and notes what it should have drawn.
private final class Renderer: WallRenderer {
    let name = "nothing"
    let maximumSide = 1000
    private(set) var overlays: [WallOverlay] = []

    func render(_ scene: WallScene, into target: any RenderTarget) -> Bool {
        overlays = scene.overlays
        return true
    }
    func makeOffscreenTarget(size: VideoSize, format: PictureFormat) throws(RenderingError) -> any OffscreenTarget {
        throw RenderingError(.device, "nothing is drawn")
    }
    func report(on tile: WallTile.ID) -> TileReport { TileReport() }
    func sample(atX x: Int, y: Int, of scene: WallScene) -> PixelSample? { nil }
}
