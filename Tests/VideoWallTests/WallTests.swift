import MediaIO
import TestSupport
import Testing
import VideoWall

/// Tiles on a wall: their order, the focus, their frames.
struct WallTests {
    @Test func tilesAreInsertedMovedAndRemoved() {
        let wall = Wall()
        let (a, b, c) = (WallTile(name: "a"), WallTile(name: "b"), WallTile(name: "c"))
        wall.insert(a)
        wall.insert(b)
        wall.insert(c, at: 0)
        #expect(wall.tiles.map(\.name) == ["c", "a", "b"])
        wall.move(c, to: 2)
        #expect(wall.tiles.map(\.name) == ["a", "b", "c"])
        wall.move(b, to: 0)
        #expect(wall.tiles.map(\.name) == ["b", "a", "c"])
        wall.remove(a)
        wall.remove(a)
        #expect(wall.tiles.map(\.name) == ["b", "c"])
    }

    @Test func theFocusFollowsItsTile() {
        let wall = Wall()
        let tiles = (0..<4).map { wall.addTile(named: "\($0)") }
        wall.focus = tiles[2].id
        wall.remove(tiles[0])
        wall.move(tiles[2], to: 0)
        wall.update(size: screen)
        #expect(wall.focus == tiles[2].id)
        #expect(wall.tile(atX: 1, y: 1) === tiles[2])
        wall.remove(tiles[2])
        #expect(wall.focus == nil)
        wall.update(size: screen)
        #expect(wall.scene.tiles.allSatisfy { $0.isVisible })
    }

    @Test func theNextTileGoesRound() {
        let wall = Wall()
        #expect(wall.tile(1, from: nil) == nil)
        let tiles = (0..<3).map { wall.addTile(named: "\($0)") }
        for (step, expected) in [(1, [0, 1, 2, 0]), (-1, [2, 1, 0, 2])] {
            var id: WallTile.ID?
            for index in expected {
                id = wall.tile(step, from: id)?.id
                #expect(id == tiles[index].id)
            }
        }
    }

    @Test func aTileIsOnAWallOnce() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let wall = Wall()
            wall.insert(wall.addTile(named: "twice"))
        }
        // Optimised builds say it, too.
        #expect(String(decoding: result.standardErrorContent, as: UTF8.self).contains("already on this wall: use move"))
    }

    @Test func oneTileOnTwoWallsShowsItsNewestFrameOnBoth() throws {
        let (first, second) = (Wall(), Wall())
        let tile = first.addTile(named: "shared")
        second.insert(tile)
        for round in 0..<4 {
            tile.mailbox.put(try frame())
            #expect(first.update(size: screen))
            #expect(second.update(size: VideoSize(width: 100, height: 50)), "round \(round)")
            #expect(first.scene.tiles[0].frameNumber == second.scene.tiles[0].frameNumber)
            #expect(first.scene.tiles[0].frame?.planes === second.scene.tiles[0].frame?.planes)
            #expect(!first.update(size: screen) && !second.update(size: VideoSize(width: 100, height: 50)))
        }
    }

    @Test func severalTilesMayShareAMailbox() throws {
        let (first, second) = (Wall(), Wall())
        let mailbox = FrameMailbox()
        var tiles = (0..<2).map { first.addTile(named: "\($0)", mailbox: mailbox) }
        tiles.append(second.addTile(named: "other", mailbox: mailbox))
        for round in 0..<4 {
            let frame = try frame()
            mailbox.put(frame)
            for wall in [first, second] {
                #expect(wall.hasChanges)
                #expect(wall.update(size: screen), "round \(round)")
                #expect(!wall.hasChanges)
            }
            #expect(tiles.allSatisfy { $0.frame?.planes === frame.planes })
            #expect(!mailbox.hasFrame)
        }
        #expect(mailbox.statistics.received == 4 && mailbox.statistics.dropped == 0)
        mailbox.clear()
        first.update(size: screen)
        second.update(size: screen)
        #expect(tiles.allSatisfy { $0.frame == nil })
    }

    @Test func eachWallHasChangesUntilItIsUpdated() throws {
        let walls = [Wall(text: StubPainter()), Wall(text: StubPainter())]
        let tile = walls[0].addTile(named: "shared")
        walls[1].insert(tile)
        for wall in walls { wall.update(size: screen) }
        let changes: [(WallTile) throws -> Void] = [
            { $0.mailbox.put(try frame(32, 32)) }, { $0.mailbox.sourceDidChange(.failed("gone")) },
            { $0.label = "label" },
            { $0.contentMode = .fill }, { $0.rotation = .clockwise90 }, { $0.mirror = .both },
            { $0.filter = .lanczos }, { $0.scalesInLinearLight = true },
            { $0.colorOverride = ColorOverride(range: .full) }, { $0.clear() }, { $0.mailbox.put(try frame()) },
            { $0.mailbox.clear() },
        ]
        for (index, change) in changes.enumerated() {
            try change(tile)
            for wall in walls {
                #expect(wall.hasChanges, "change \(index)")
                #expect(wall.update(size: screen), "change \(index)")
                #expect(!wall.hasChanges && !wall.update(size: screen), "change \(index)")
            }
        }
        // The same again is no change.
        tile.rotation = .clockwise90
        #expect(!walls[0].hasChanges)
    }

    @Test func aWallThatIsVisibleAgainHasChanges() {
        let wall = Wall()
        wall.addTile(named: "tile")
        wall.update(size: screen)
        wall.isVisible = true
        #expect(!wall.hasChanges)
        wall.isVisible = false
        wall.update(size: screen)
        wall.isVisible = true
        // Its sources wait for the update.
        #expect(wall.hasChanges)
    }

    @Test func aWallHasChangesOfItsOwn() {
        let wall = Wall(text: StubPainter())
        let tiles = (0..<3).map { wall.addTile(named: "\($0)") }
        let changes: [(Wall) -> Void] = [
            { $0.overlay = "text" }, { $0.colorConversion = .off }, { $0.colorTarget.transfer = .pq },
            { $0.focus = tiles[1].id }, { $0.focus = nil }, { $0.layout = GridLayout(columns: 1) },
            { $0.move(tiles[0], to: 2) }, { $0.remove(tiles[0]) }, { $0.addTile(named: "new") },
        ]
        wall.update(size: screen)
        for (index, change) in changes.enumerated() {
            #expect(!wall.hasChanges)
            change(wall)
            #expect(wall.hasChanges && wall.update(size: screen), "change \(index)")
        }
    }

    @Test func aTileThatIsNotSeenLeavesItsFrameInTheMailbox() throws {
        let wall = Wall()
        let (seen, hidden) = (wall.addTile(named: "seen"), wall.addTile(named: "hidden"))
        wall.focus = seen.id
        wall.update(size: screen)
        hidden.mailbox.put(try frame())
        #expect(!wall.hasChanges && !wall.update(size: screen))
        #expect(hidden.mailbox.hasFrame && hidden.frame == nil)
        wall.focus = nil
        #expect(wall.hasChanges && wall.update(size: screen))
        #expect(!hidden.mailbox.hasFrame && hidden.frame != nil)
    }

    @Test func aTileIsCleared() throws {
        let wall = Wall()
        let tile = wall.addTile(named: "tile")
        tile.mailbox.put(try frame())
        wall.update(size: screen)
        #expect(wall.scene.tiles[0].frame != nil)
        tile.clear()
        #expect(wall.update(size: screen))
        #expect(wall.scene.tiles[0].frame == nil)
        tile.clear()
        #expect(!wall.update(size: screen))
        // So does clearing the mailbox, from any thread.
        tile.mailbox.put(try frame())
        wall.update(size: screen)
        tile.mailbox.clear()
        #expect(wall.hasChanges && wall.update(size: screen))
        #expect(wall.scene.tiles[0].frame == nil && tile.notice == "no frame yet")
    }

    @Test func aNoticeSaysWhatIsAwaitedWrongOrOver() throws {
        let wall = Wall()
        let tile = wall.addTile(named: "tile")
        func notice(_ condition: SourceCondition) -> String? {
            tile.mailbox.sourceDidChange(condition)
            wall.update(size: screen)
            return tile.notice
        }
        #expect(notice(.waiting("connecting")) == "connecting")
        #expect(notice(.ended) == "ended without a frame")
        tile.mailbox.put(try frame())
        #expect(notice(.live) == nil)
        #expect(notice(.waiting("lost")) == "lost")
        #expect(notice(.failed("unplugged")) == "unplugged")
        #expect(notice(.ended) == "ended")
    }

    @Test func textsAreDrawnOnlyWhenTheyChange() throws {
        let painter = StubPainter()
        let wall = Wall(text: painter)
        let tile = wall.addTile(named: "name")
        tile.label = "label"
        wall.overlay = "overlay"
        wall.update(size: screen)
        #expect(painter.texts == ["label\nno frame yet", "overlay"])
        #expect(wall.scene.tiles[0].overlays.count == 1 && wall.scene.overlays.count == 1)
        for _ in 0..<3 {
            tile.mailbox.put(try frame())
            wall.update(size: screen)
        }
        #expect(painter.texts == ["label\nno frame yet", "overlay", "label"])
        tile.label = "other"
        wall.overlay = nil
        wall.update(size: screen)
        #expect(painter.texts.last == "other" && wall.scene.overlays.isEmpty)
    }

    @Test func onlyVisibleEffectsAnimateIt() throws {
        let wall = Wall()
        let tiles = ["a", "b"].map { wall.addTile(named: $0) }
        let moving = EffectChain([try Effect("vec4 effect(vec2 uv) { return sample(uv) * time; }", file: "moving")])
        #expect(!wall.isAnimated)
        tiles[0].effects = moving
        #expect(wall.isAnimated)
        wall.focus = tiles[1].id
        #expect(!wall.isAnimated)
        wall.focus = tiles[0].id
        #expect(wall.isAnimated)
        wall.focus = tiles[1].id
        wall.effects = moving
        #expect(wall.isAnimated)
    }
}
