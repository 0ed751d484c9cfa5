import MediaIO
import TestSupport
import Testing

@testable import VideoWall

/// Tiles that move to new places, by a clock that the tests set.
struct TransitionTests {
    private static let left = GridLayout(columns: 2)
    private static let stacked = GridLayout(columns: 1)

    @Test func tilesMoveFromTheirPlacesToTheNewOnes() {
        let test = MovingWall(Self.left, 2)
        #expect(!test.wall.isInTransition && test.rectangles == [half(0), half(320)])
        test.wall.layout = Self.stacked
        #expect(test.wall.hasChanges && test.wall.update(size: screen))
        #expect(test.wall.isInTransition && test.wall.hasChanges && test.wall.timeUntilChange == .zero)
        #expect(test.rectangles == [half(0), half(320)])
        // Halfway in time, seven eighths of the way are done.
        test.pass(.milliseconds(150))
        #expect(
            test.rectangles == [
                Rectangle(x: 0, y: 0, width: 600, height: 203), Rectangle(x: 40, y: 158, width: 600, height: 202),
            ])
        test.pass(.milliseconds(149))
        #expect(test.wall.isInTransition)
        test.pass(.milliseconds(1))
        #expect(!test.wall.isInTransition && !test.wall.hasChanges && test.wall.timeUntilChange == nil)
        #expect(
            test.rectangles == [
                Rectangle(x: 0, y: 0, width: 640, height: 180), Rectangle(x: 0, y: 180, width: 640, height: 180),
            ])
        #expect(test.wall.scene.damage.contains(test.wall.scene.bounds))
        #expect(!test.wall.update(size: screen))
    }

    private func half(_ x: Int) -> Rectangle { Rectangle(x: x, y: 0, width: 320, height: 360) }

    @Test func withoutATimeTilesJump() {
        let test = MovingWall(Self.left, 2)
        test.wall.transitionTime = .zero
        test.wall.layout = Self.stacked
        test.wall.update(size: screen)
        #expect(!test.wall.isInTransition && test.rectangles[1].y == 180 && !test.wall.hasChanges)
    }

    @Test func aFocusedTileGrowsOverTheOthersAndShrinksBack() {
        let test = MovingWall(GridLayout(columns: 2), 4)
        let before = test.rectangles
        test.wall.focus = test.wall.tiles[1].id
        test.wall.update(size: screen)
        #expect(test.rectangles == before && test.wall.scene.order == [0, 2, 3, 1])
        test.pass(.milliseconds(100))
        for index in [0, 2, 3] { #expect(test.rectangles[index] == before[index]) }
        #expect(test.rectangles[1].width > 320 && test.rectangles[1].width < 640)
        #expect(test.wall.tile(atX: 310, y: 10) === test.wall.tiles[1])
        // Those that will be hidden want nothing any more, and what is focused wants its pixels at the end.
        #expect(WantsTests.wants(test.wall.tiles[0]) == .nothing)
        #expect(WantsTests.wants(test.wall.tiles[1])?.maximumPixels ?? 0 >= 640 * 360)
        test.pass(.milliseconds(200))
        #expect(test.rectangles[1] == test.wall.scene.bounds && !test.wall.scene.tiles[0].isVisible)
        #expect(test.wall.scene.order == [0, 1, 2, 3])

        test.wall.focus = nil
        test.wall.update(size: screen)
        #expect(test.rectangles[1] == test.wall.scene.bounds && test.wall.scene.order == [0, 2, 3, 1])
        for index in [0, 2, 3] { #expect(test.rectangles[index] == before[index]) }
        test.pass(.seconds(1))
        #expect(test.rectangles == before && test.wall.scene.order == [0, 1, 2, 3])
    }

    /// What does not move needs no time: another page, another tile that fills the wall, the same layout again.
    @Test func whereNothingMovesNothingIsAwaited() {
        let test = MovingWall(PagedLayout(base: Self.left, size: 2), 4)
        test.wall.layout = PagedLayout(base: Self.left, size: 2, page: 1)
        test.wall.update(size: screen)
        #expect(!test.wall.isInTransition && test.rectangles[0].width == 0 && test.rectangles[2] == half(0))
        test.wall.layout = FocusLayout(index: 0)
        test.wall.update(size: screen)
        #expect(!test.wall.isInTransition)
        test.wall.layout = FocusLayout(index: 1)
        test.wall.update(size: screen)
        #expect(!test.wall.isInTransition)
        test.wall.layout = FocusLayout(index: 1)
        #expect(test.wall.hasChanges)
        test.wall.update(size: screen)
        #expect(!test.wall.isInTransition && !test.wall.hasChanges)
    }

    @Test func tilesThatComeAreAtTheirPlacesAtOnce() {
        let test = MovingWall(GridLayout(), 1)
        let old = test.rectangles[0]
        let new = test.wall.addTile(named: "new")
        test.wall.update(size: screen)
        #expect(test.rectangles[0] == old && test.rectangles[1] == half(320))
        #expect(test.wall.scene.order == [1, 0] && test.wall.tile(atX: 600, y: 20) !== new)
        test.pass(.seconds(1))
        #expect(test.rectangles == [half(0), half(320)] && test.wall.scene.order == [0, 1])
        test.wall.remove(test.wall.tiles[0])
        test.wall.update(size: screen)
        #expect(test.rectangles == [half(320)] && test.wall.isInTransition)
        test.pass(.seconds(1))
        #expect(test.rectangles == [test.wall.scene.bounds])
    }

    @Test func theOrderMovesTilesToo() {
        let test = MovingWall(Self.left, 2)
        test.wall.move(test.wall.tiles[1], to: 0)
        test.wall.update(size: screen)
        #expect(test.rectangles == [half(320), half(0)])
        test.pass(.seconds(1))
        #expect(test.rectangles == [half(0), half(320)])
    }

    @Test func anotherChangeStartsFromWhereTheTilesAre() {
        let test = MovingWall(Self.left, 2)
        test.wall.layout = Self.stacked
        test.wall.update(size: screen)
        test.pass(.milliseconds(60))
        let between = test.rectangles
        test.wall.layout = Self.left
        test.wall.update(size: screen)
        #expect(test.rectangles == between && between[0] != half(0))
        test.pass(.milliseconds(299))
        #expect(test.wall.isInTransition)
        test.pass(.milliseconds(1))
        #expect(!test.wall.isInTransition && test.rectangles == [half(0), half(320)])
    }

    /// A change that moves nothing does not begin the running transition again.
    @Test func theSameLayoutAgainDoesNotDelayTheEnd() {
        let test = MovingWall(Self.left, 2)
        for _ in 0..<5 {
            test.wall.layout = Self.stacked
            test.pass(.milliseconds(99))
        }
        #expect(!test.wall.isInTransition && test.rectangles[0].width == 640)
    }

    @Test func resizingEndsATransition() {
        let test = MovingWall(Self.left, 2)
        test.wall.layout = Self.stacked
        test.wall.update(size: screen)
        test.wall.update(size: VideoSize(width: 200, height: 100))
        #expect(!test.wall.isInTransition && test.rectangles[1] == Rectangle(x: 0, y: 50, width: 200, height: 50))
        // A change together with the size begins none.
        test.wall.layout = Self.left
        test.wall.update(size: screen)
        #expect(!test.wall.isInTransition && test.rectangles == [half(0), half(320)])
    }

    @Test func aPictureOfAnotherShapeMovesTilesAtOnce() throws {
        let test = MovingWall(GridLayout(), 2)
        let size = VideoSize(width: 300, height: 400)
        test.wall.update(size: size)
        let before = test.rectangles
        for tile in test.wall.tiles { tile.mailbox.put(try frame(90, 400)) }
        test.wall.update(size: size)
        #expect(!test.wall.isInTransition && test.rectangles != before)
    }

    /// Sources change the size of their frames once, and texts are made once.
    @Test func nothingElseIsMadeAgainOnTheWay() throws {
        let painter = StubPainter()
        let test = MovingWall(Self.left, 2, painter)
        for tile in test.wall.tiles {
            tile.label = tile.name
            tile.mailbox.put(try frame())
            tile.mailbox.sourceDidChange(.waiting("lost"))
        }
        test.wall.update(size: screen)
        test.wall.layout = GridLayout(rows: 2, columns: 2)
        test.wall.update(size: screen)
        let (texts, wants) = (painter.texts.count, WantsTests.wants(test.wall.tiles[1]))
        for _ in 0..<10 {
            test.pass(.milliseconds(25))
            let tile = test.wall.scene.tiles[1]
            #expect(tile.overlays.first?.bounds == tile.rectangle)
            let label = try #require(tile.overlays.last)
            let margin = label.margin * 2
            #expect(label.x == tile.rectangle.x + margin && label.y == tile.rectangle.y + margin)
            #expect(WantsTests.wants(test.wall.tiles[1]) == wants)
        }
        #expect(test.wall.isInTransition && painter.texts.count == texts)
        test.pass(.seconds(1))
        #expect(painter.texts.count == texts && WantsTests.wants(test.wall.tiles[1]) == wants)
    }

    /// What is not moving and lies over the large tile in the end does so on the way, too.
    @Test func smallTilesStayOverTheOnesThatMoveUnderThem() {
        let test = MovingWall(PictureInPictureLayout(index: 0), 3)
        let small = test.rectangles[2]
        test.wall.layout = PictureInPictureLayout(index: 1)
        test.wall.update(size: screen)
        #expect(test.rectangles[2] == small && test.wall.scene.order == [1, 0, 2])
        test.pass(.milliseconds(50))
        #expect(test.wall.tile(atX: Double(small.x) + 1, y: Double(small.y) + 1) === test.wall.tiles[2])
    }

    @Test func hugeTilesOfACustomLayoutMove() {
        let side = 1 << 40
        let test = MovingWall(Self.left, 2)
        let huge = Rectangle(x: -side, y: -side, width: 2 * side, height: 2 * side)
        test.wall.layout = CustomLayoutTests.Layout(all: [huge, half(320)])
        for _ in 0..<8 { test.pass(.milliseconds(50)) }
        #expect(test.rectangles == [huge, half(320)])
        test.wall.layout = Self.stacked
        for _ in 0..<8 { test.pass(.milliseconds(50)) }
        #expect(test.rectangles[0] == Rectangle(x: 0, y: 0, width: 640, height: 180))
    }

    /// Nothing turns black on the way: each pixel that a tile covers before and after, it covers all the time.
    ///
    /// At random the next change comes while tiles still move.
    @Test(arguments: [UInt64(1), 2, 3]) func whatATileKeepsIsNeverUncovered(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let test = MovingWall(GridLayout(gap: 2), 5)
        var (origins, targets): ([WallTile.ID: Rectangle], [WallTile.ID: Rectangle]) = ([:], [:])
        var steps = 0
        for _ in 0..<300 {
            origins = shown(test.wall)
            test.change(&random)
            test.wall.update(size: screen)
            targets = final(test.wall)
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                #expect(Set(test.wall.scene.order) == Set(test.wall.tiles.indices))
                #expect(test.wall.scene.order.count == test.wall.tiles.count)
                if test.wall.isInTransition { steps += 1 }
                for (id, now) in shown(test.wall) {
                    guard let origin = origins[id], let target = targets[id] else { continue }
                    let kept = origin.intersection(target)
                    if kept.width > 0, kept.height > 0, now.intersection(kept) != kept {
                        Issue.record("\(now) does not contain \(kept) of \(origin) and \(target)")
                    }
                }
                // In the end, and without a transition, all is where the layout says.
                if !test.wall.isInTransition { #expect(shown(test.wall) == targets) }
                test.pass(.milliseconds(Int.random(in: 5...80, using: &random)))
            }
        }
        #expect(steps > 500)
    }

    private func shown(_ wall: Wall) -> [WallTile.ID: Rectangle] {
        Dictionary(uniqueKeysWithValues: wall.scene.tiles.map { ($0.id, $0.rectangle) })
    }

    private func final(_ wall: Wall) -> [WallTile.ID: Rectangle] {
        let other = Wall(layout: wall.layout)
        for tile in wall.tiles { other.insert(tile) }
        other.focus = wall.focus
        other.update(size: screen)
        return shown(other)
    }
}

/// A wall whose transitions take 0.3 s by a clock of its own.
final class MovingWall {
    let wall: Wall
    private let time = Monitor(MonotonicTime(sinceBoot: .seconds(100)))

    init(_ layout: any WallLayout, _ count: Int, _ painter: StubPainter? = nil) {
        wall = Wall(layout: layout, text: painter)
        wall.transitionTime = .milliseconds(300)
        wall.now = { [time] in time.withLock { $0 } }
        for index in 0..<count { wall.addTile(named: "\(index)") }
        wall.update(size: screen)
    }

    var rectangles: [Rectangle] { wall.scene.tiles.map(\.rectangle) }

    func pass(_ span: Duration) {
        time.withLock { $0 = $0 + span }
        wall.update(size: screen)
    }

    func change(_ random: inout SeededGenerator) {
        let tile = wall.tiles.randomElement(using: &random)
        let index = Int.random(in: 0..<6, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0 where wall.tiles.count < 9: wall.addTile(named: "new")
        case 1 where wall.tiles.count > 2: tile.map(wall.remove)
        case 2: tile.map { wall.move($0, to: 0) }
        case 3: wall.focus = Bool.random(using: &random) ? nil : tile?.id
        case 4: wall.layout = SpotlightLayout(index: index, gap: 2)
        case 5: wall.layout = StripLayout(index: index)
        case 6: wall.layout = PictureInPictureLayout(index: index, gap: 2, margin: 5)
        case 7: wall.layout = PagedLayout(base: GridLayout(), size: 3, page: index)
        case 8: wall.layout = FocusLayout(index: index)
        default: wall.layout = GridLayout(gap: index)
        }
    }
}
