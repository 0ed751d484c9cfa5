import MediaIO
import Testing

@testable import VideoWall

/// Tiles whose source is lost or silent: what they are called, how old their picture is, and the way back.
struct StatusTests {
    @Test(arguments: [
        (0, "00:00"), (7, "00:07"), (42, "00:42"), (59, "00:59"), (60, "01:00"), (61, "01:01"), (3599, "59:59"),
        (3600, "1:00:00"), (3661, "1:01:01"), (86_399, "23:59:59"), (360_000, "100:00:00"),
    ])
    func agesAreMinutesAndSecondsAndFromAnHourOnHours(_ seconds: Int, _ text: String) {
        let begin = MonotonicTime(sinceBoot: .milliseconds(5900))
        #expect(TileStatus.text(ofAge: TileStatus.seconds(from: begin, to: begin + .seconds(seconds))) == text)
    }

    @Test func agesOfATileChangeWithThoseOfAllOthers() {
        func seconds(_ arrival: Int, _ now: Int) -> Int {
            TileStatus.seconds(
                from: MonotonicTime(sinceBoot: .milliseconds(arrival)),
                to: MonotonicTime(sinceBoot: .milliseconds(now)))
        }
        // From 6 s since boot on, both are a second older than before.
        #expect([seconds(5001, 5999), seconds(5900, 5999)] == [0, 0])
        #expect([seconds(5001, 6000), seconds(5900, 6000)] == [1, 1])
        // A picture that has arrived since the clock was read.
        #expect(seconds(6100, 5900) == 0)
        let next = TileStatus.nextSecond(after: MonotonicTime(sinceBoot: .milliseconds(5999)))
        #expect(next.sinceBoot == .seconds(6))
    }

    @Test("The picture of what has failed stays, but not of what is no longer lent")
    func refused() throws {
        let tile = WallTile(name: "screen")
        func show(_ condition: SourceCondition) throws {
            let buffer = try PixelBuffer(format: .gray8, size: VideoSize(width: 2, height: 2)) { _ in }
            tile.mailbox.put(VideoFrame(buffer))
            tile.update()
            tile.mailbox.put(VideoFrame(buffer))
            tile.mailbox.sourceDidChange(condition)
            tile.update()
        }
        try show(.failed("gone", code: .readFailed))
        #expect(tile.frame != nil && tile.condition == .failed("gone", code: .readFailed))
        try show(.failed("over", code: .refused))
        #expect(tile.frame == nil && !tile.mailbox.hasFrame && tile.condition == .failed("over", code: .refused))
        #expect(tile.state == .failed)
    }

    @Test func aLostSourceIsNamedUntilTheNextPicture() throws {
        let test = SilentWall()
        let tile = test.tile
        // Black as long as there never was a picture.
        tile.mailbox.sourceDidChange(.waiting("not connected"))
        #expect(test.texts() == ["a\nnot connected"] && !test.isDimmed)
        try test.arrive()
        #expect(test.texts().isEmpty && !test.isDimmed)

        test.pass(.seconds(42))
        #expect(test.texts().isEmpty)
        tile.mailbox.sourceDidChange(.waiting("lost"))
        #expect(test.texts() == ["Offline", "00:42", "lost"] && test.isDimmed)
        test.pass(.seconds(5000))
        #expect(test.texts() == ["Offline", "1:24:02", "lost"])
        tile.mailbox.sourceDidChange(.failed("gone"))
        #expect(test.texts() == ["Failed", "1:24:02", "gone"] && test.isDimmed)
        // The next picture, and the end of a file, are as they should be.
        try test.arrive()
        #expect(test.texts().isEmpty && !test.isDimmed)
        tile.mailbox.sourceDidChange(.ended)
        test.pass(.seconds(9))
        #expect(test.texts() == ["ended"] && !test.isDimmed)
    }

    @Test func aSilentSourceIsLateThenStalledThenDimmed() throws {
        let test = SilentWall()
        let tile = test.tile
        test.wall.tileLook.hasBars = true
        try test.arrive()
        test.pass(.seconds(100))
        #expect(test.texts() == ["", "live", "a"] && tile.state == .live)
        // Set too late to say what was before.
        tile.silenceLadder = SilenceLadder()
        #expect(test.texts() == ["", "live", "a"] && test.wall.timeUntilChange == .milliseconds(500))
        try test.arrive()
        let steps: [(pass: Int, state: TileState, isOld: Bool, texts: [String], next: Int?)] = [
            (499, .live, false, ["", "live", "a"], 1), (1, .late, false, ["", "late", "a"], 500),
            (500, .stalled, false, ["", "stalled", "00:01", "a"], 1000),
            (1000, .stalled, false, ["", "stalled", "00:02", "a"], 1000),
            (1000, .stalled, true, ["Stalled", "00:03", "", "stalled", "a"], 1000),
            (4000, .stalled, true, ["Stalled", "00:07", "", "stalled", "a"], 1000),
        ]
        for step in steps {
            test.pass(.milliseconds(step.pass))
            #expect(test.texts() == step.texts && tile.state == step.state, "\(step)")
            #expect(test.isDimmed == step.isOld && tile.hasOldPicture == step.isOld, "\(step)")
            #expect(test.wall.timeUntilChange == step.next.map { .milliseconds($0) }, "\(step)")
        }
        try test.arrive()
        #expect(test.texts() == ["", "live", "a"] && !test.isDimmed && tile.state == .live)
        // A lost connection is that, and when it is back, the time begins again.
        test.pass(.seconds(3))
        tile.mailbox.sourceDidChange(.waiting("lost"))
        #expect(test.texts() == ["Offline", "00:03", "Not connected, trying now", "lost", "", "offline", "a"])
        tile.mailbox.sourceDidChange(.live)
        #expect(test.texts() == ["", "live", "a"] && test.wall.timeUntilChange == .milliseconds(500))
    }

    @Test("A picture of the past is not covered by what the source does now")
    func past() throws {
        let test = SilentWall()
        let tile = test.tile
        test.wall.tileLook.hasBars = true
        try test.arrive()
        tile.mailbox.sourceDidChange(.waiting("lost"))
        test.pass(.seconds(42))
        #expect(test.texts().first == "Offline" && test.isDimmed)
        tile.showsPast = true
        #expect(
            test.texts() == ["lost", "", "offline", "00:42", "a"] && !test.isDimmed && tile.state == .offline,
            "\(test.texts())"
        )
        tile.showsPast = false
        #expect(test.texts().first == "Offline" && test.isDimmed)
    }

    @Test func aSlowSourceHasMoreTime() throws {
        let test = SilentWall()
        test.tile.silenceLadder = SilenceLadder()
        for _ in 0..<40 {
            try test.arrive()
            test.update()
            test.pass(.seconds(2))
        }
        try test.arrive()
        test.update()
        // Twice the distance, within the rounding of an average.
        let wait = try #require(test.wall.timeUntilChange)
        #expect(wait > .milliseconds(3900) && wait <= .seconds(4))
        test.pass(.seconds(3))
        test.update()
        #expect(test.tile.state == .live)
        test.pass(.seconds(1))
        test.update()
        #expect(test.tile.state == .late)
        test.pass(.seconds(4))
        test.update()
        #expect(test.tile.state == .stalled && !test.tile.hasOldPicture)
        test.pass(.seconds(16))
        test.update()
        #expect(test.tile.hasOldPicture)
        // One long gap teaches nothing.
        try test.arrive()
        test.update()
        #expect(try #require(test.wall.timeUntilChange) < .seconds(5))
    }

    /// A log would otherwise say of each picture of a slow source that it was missing.
    @Test func picturesOfASlowSourceAreNotMissing() throws {
        let test = SilentWall()
        let tile = test.tile
        tile.silenceLadder = SilenceLadder()
        // Of one picture, nothing is known.
        try test.arrive()
        test.update()
        for _ in 0..<10 {
            for _ in 0..<5 {
                #expect(tile.missingTime == nil)
                test.pass(.seconds(1))
                test.update()
            }
            try test.arrive()
            test.update()
        }
        test.pass(.milliseconds(59_999))
        test.update()
        #expect(tile.missingTime == nil && tile.state == .stalled)
        test.pass(.milliseconds(1))
        test.update()
        #expect(tile.missingTime == .seconds(60) && tile.hasOldPicture)
        try test.arrive()
        test.update()
        #expect(tile.missingTime == nil)
    }

    @Test("A few pictures at once are enough to miss more, whether all were shown or not", arguments: [false, true])
    func burst(_ isShown: Bool) throws {
        let test = SilentWall()
        test.tile.silenceLadder = SilenceLadder()
        for _ in 0..<3 {
            try test.arrive()
            if isShown { test.update() }
            test.pass(.milliseconds(40))
        }
        try test.arrive()
        test.update()
        test.pass(.milliseconds(2999))
        test.update()
        #expect(test.tile.missingTime == nil)
        test.pass(.milliseconds(1))
        test.update()
        #expect(test.tile.missingTime == .seconds(3))
        // A loss is another thing.
        test.tile.mailbox.sourceDidChange(.waiting("lost"))
        test.update()
        #expect(test.tile.missingTime == nil && test.tile.hasOldPicture)
    }

    @Test func whatIsPausedOrHiddenDoesNotStall() throws {
        let test = SilentWall()
        let (tile, other) = (test.tile, test.wall.addTile(named: "b"))
        let interruptions: [(name: String, begin: () -> Void, end: () -> Void)] = [
            ("without a ladder", { tile.silenceLadder = nil }, { tile.silenceLadder = SilenceLadder() }),
            ("paused", { tile.isPaused = true }, { tile.isPaused = false }),
            ("behind another", { test.wall.focus = other.id }, { test.wall.focus = nil }),
            ("minimised", { test.wall.isVisible = false }, { test.wall.isVisible = true }),
        ]
        tile.silenceLadder = SilenceLadder()
        // The other tile waits for its first picture, which it says with each second.
        other.mailbox.sourceDidChange(.ended)
        for (name, begin, end) in interruptions {
            try test.arrive()
            test.update()
            begin()
            // Nobody updates a wall that is minimised.
            if test.wall.isVisible { test.update() }
            #expect(test.wall.timeUntilChange == nil, "\(name)")
            test.pass(.seconds(60))
            if test.wall.isVisible { test.update() }
            #expect(tile.state == (name == "paused" ? .paused : .live), "\(name)")
            end()
            test.update()
            #expect(tile.state == .live && test.wall.timeUntilChange == .milliseconds(500), "\(name)")
            // The age is that of the picture.
            test.pass(.seconds(3))
            #expect(test.texts() == ["Stalled", "01:03"], "\(name)")
        }
        #expect(test.wall.timeUntilChange == .seconds(1))
        test.wall.isVisible = false
        #expect(test.wall.timeUntilChange == nil)
    }

    @Test func theNextTryIsCountedDown() throws {
        let test = SilentWall()
        test.wall.tileLook.hasBars = true
        test.size = VideoSize(width: 640, height: 360)
        test.wall.tileLook.hasDetails = false
        let start = test.now.withLock(\.self)
        test.tile.mailbox.sourceDidChange(.waiting("Not connected: …", retry: start + .seconds(3), code: .cannotOpen))
        for seconds in [3, 2, 1] {
            #expect(
                test.texts() == ["", "Offline", "Not connected, next try in", "\(seconds) s", "", "offline", "a"])
            #expect(test.wall.timeUntilChange == .seconds(1))
            test.pass(.seconds(1))
        }
        // While it is tried, the sign does not change, but the time goes on.
        #expect(test.texts() == ["", "Offline", "Not connected, trying now", "", "offline", "a"])
        #expect(test.wall.timeUntilChange == .seconds(1))
    }

    @Test(
        arguments: [
            (.waiting("no frame yet"), false, .connecting, .connecting),
            (.waiting("lost", code: .readFailed), false, .offline, .offline),
            (.waiting("the camera is off"), true, .offline, .connecting),
            (.waiting("", code: .noSignal), true, .noSignal, .noSignal),
            (.waiting("", code: .noVideo), false, .noVideo, .noVideo),
            (.failed("", code: .noVideo), false, .noVideo, .noVideo), (.failed(""), true, .failed, .failed),
            (.ended, true, .ended, .ended), (.live, true, .live, .connecting),
        ] as [(SourceCondition, Bool, TileState, TileState)])
    func eachConditionHasAState(
        _ condition: SourceCondition, _ isPaused: Bool, _ withFrame: TileState, _ without: TileState
    ) throws {
        let test = SilentWall()
        test.tile.mailbox.sourceDidChange(condition)
        test.update()
        #expect(test.tile.state == without)
        try test.arrive()
        test.update()
        test.tile.mailbox.sourceDidChange(condition)
        #expect(test.tile.state == (condition.reason == "no frame yet" ? .offline : withFrame))
        test.update()
        #expect(test.tile.state == (condition.reason == "no frame yet" ? .offline : withFrame))
        if condition == .live {
            test.tile.isPaused = true
            #expect(test.tile.state == .paused)
        }
    }

    @Test func aClockSaysWhenThePictureArrived() throws {
        let test = SilentWall()
        test.wall.tileLook.hasBars = true
        test.size = VideoSize(width: 640, height: 360)
        test.tile.hasClock = true
        // The clocks of the test stand at 1000 s.
        test.wall.tileLook.clockOffset = .seconds(86_400 * 20_000 + 86_399 - 1000)
        try test.arrive()
        #expect(test.texts() == ["", "23:59:59", "a"])
        test.pass(.seconds(1))
        #expect(!test.wall.hasChanges)
        try test.arrive()
        #expect(test.texts() == ["", "00:00:00", "a"])
        test.wall.tileLook.clockOffset = nil
        #expect(test.texts() == ["", "live", "a"])
    }

    @Test func betweenTheSecondsNothingIsRedrawn() throws {
        let test = SilentWall()
        let others = (0..<3).map { test.wall.addTile(named: "\($0)", mailbox: test.makeMailbox()) }
        others[0].mailbox.put(try frame())
        // Tiles that were lost at different times are redrawn at the same time.
        test.pass(.milliseconds(300))
        try test.arrive()
        for tile in [test.tile, others[0]] { tile.mailbox.sourceDidChange(.waiting("lost")) }
        test.update()
        let lost = test.wall.scene.tiles[0..<2].map(\.rectangle)

        // The first second ends after ten steps, each later one after fifteen.
        var (updates, steps) = (0, 0)
        for _ in 0..<100 {
            // As a loop that sleeps no longer than it may, but is woken in between.
            let sleep = min(try #require(test.wall.timeUntilChange), .milliseconds(70))
            #expect(sleep > .zero)
            test.pass(sleep)
            steps += 1
            guard test.wall.hasChanges else {
                #expect(!test.update())
                continue
            }
            updates += 1
            #expect(test.update() && test.wall.scene.damage == lost)
            #expect(test.now.withLock { $0.sinceBoot.components.attoseconds } == 0)
        }
        #expect(steps == 100 && updates == 7)
    }

    @Test func aWallWithoutAgesNeverChangesByItself() throws {
        let test = SilentWall(hasAges: false)
        try test.arrive()
        test.tile.mailbox.sourceDidChange(.failed("gone"))
        #expect(test.texts() == ["Failed", "gone"] && test.isDimmed && test.wall.timeUntilChange == nil)
        for _ in 0..<5 {
            test.pass(.milliseconds(1700))
            #expect(!test.wall.hasChanges && !test.update())
        }
        // Only the steps of silence depend on the time, once each.
        test.tile.silenceLadder = SilenceLadder()
        test.tile.mailbox.sourceDidChange(.live)
        test.update()
        test.pass(.seconds(3))
        #expect(test.texts() == ["Stalled"] && test.wall.timeUntilChange == nil)
        test.pass(.seconds(30))
        #expect(!test.wall.hasChanges && !test.update())
    }

    @Test func aFrameIsNewOnce() throws {
        let test = SilentWall()
        try test.arrive()
        test.update()
        #expect(test.wall.notePresented() && !test.wall.notePresented())
        test.tile.mailbox.sourceDidChange(.waiting("lost"))
        test.pass(.seconds(2))
        #expect(test.update() && !test.wall.notePresented())
        #expect(test.tile.latency.count == 1)
    }
}
