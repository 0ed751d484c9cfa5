import MediaIO
import Testing

@testable import VideoWall

/// Tiles whose source is lost or silent: what they are called, how old their picture is, and the way back.
struct SilenceTests {
    @Test(arguments: [
        (0, "00:00"), (7, "00:07"), (42, "00:42"), (59, "00:59"), (60, "01:00"), (61, "01:01"), (3599, "59:59"),
        (3600, "1:00:00"), (3661, "1:01:01"), (86_399, "23:59:59"), (360_000, "100:00:00"),
    ])
    func agesAreMinutesAndSecondsAndFromAnHourOnHours(_ seconds: Int, _ text: String) {
        let begin = MonotonicTime(sinceBoot: .milliseconds(5900))
        let silence = Silence(.offline, since: begin, now: begin + .seconds(seconds))
        #expect(silence.age == text && silence.headlines == ["OFFLINE \(text)", text])
    }

    @Test func agesOfATileChangeWithThoseOfAllOthers() {
        func seconds(_ arrival: Int, _ now: Int) -> Int? {
            Silence(
                .stalled, since: MonotonicTime(sinceBoot: .milliseconds(arrival)),
                now: MonotonicTime(sinceBoot: .milliseconds(now))
            ).seconds
        }
        // From 6 s since boot on, both are a second older than before.
        #expect([seconds(5001, 5999), seconds(5900, 5999)] == [0, 0])
        #expect([seconds(5001, 6000), seconds(5900, 6000)] == [1, 1])
        // A picture that has arrived since the clock was read.
        #expect(seconds(6100, 5900) == 0)
        let next = Silence.nextChange(after: MonotonicTime(sinceBoot: .milliseconds(5999)))
        #expect(next.sinceBoot == .seconds(6))
    }

    @Test func withoutAgesOnlyAStalledTileNeedsAWord() {
        #expect(Silence(.stalled).headlines == ["STALLED"])
        #expect(Silence(.offline).headlines.isEmpty && Silence(.failed).headlines.isEmpty)
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
        #expect(test.texts() == ["OFFLINE 00:42", "lost"] && test.isDimmed && !tile.isStalled)
        test.pass(.seconds(5000))
        #expect(test.texts() == ["OFFLINE 1:24:02", "lost"])
        tile.mailbox.sourceDidChange(.failed("gone"))
        #expect(test.texts() == ["FAILED 1:24:02", "gone"] && test.isDimmed)
        // The next picture, and the end of a file, are as they should be.
        try test.arrive()
        #expect(test.texts().isEmpty && !test.isDimmed)
        tile.mailbox.sourceDidChange(.ended)
        test.pass(.seconds(9))
        #expect(test.texts() == ["ended"] && !test.isDimmed)
    }

    @Test func aLiveSourceWithoutPicturesHasStalledAfterItsTime() throws {
        let test = SilentWall()
        let tile = test.tile
        try test.arrive()
        test.pass(.seconds(100))
        #expect(test.texts().isEmpty && !test.isDimmed)
        // Set too late to say what was before.
        tile.stallTime = .seconds(3)
        #expect(test.texts().isEmpty && test.wall.timeUntilChange == .seconds(3))
        try test.arrive()
        test.pass(.milliseconds(2999))
        #expect(test.texts().isEmpty && !tile.isStalled && test.wall.timeUntilChange == .milliseconds(1))
        test.pass(.milliseconds(1))
        #expect(test.texts() == ["STALLED 00:03"] && test.isDimmed && tile.isStalled && tile.notice == nil)
        test.pass(.seconds(4))
        #expect(test.texts() == ["STALLED 00:07"])
        try test.arrive()
        #expect(test.texts().isEmpty && !test.isDimmed && !tile.isStalled)
        // A lost connection is that, and when it is back, the time begins again.
        test.pass(.seconds(3))
        tile.mailbox.sourceDidChange(.waiting("lost"))
        #expect(test.texts() == ["OFFLINE 00:03", "lost"] && !tile.isStalled)
        tile.mailbox.sourceDidChange(.live)
        #expect(test.texts().isEmpty && test.wall.timeUntilChange == .seconds(3))
    }

    @Test func whatIsPausedOrHiddenDoesNotStall() throws {
        let test = SilentWall()
        let (tile, other) = (test.tile, test.wall.addTile(named: "b"))
        let interruptions: [(name: String, begin: () -> Void, end: () -> Void)] = [
            ("paused", { tile.stallTime = nil }, { tile.stallTime = .seconds(3) }),
            ("behind another", { test.wall.focus = other.id }, { test.wall.focus = nil }),
            ("minimised", { test.wall.isVisible = false }, { test.wall.isVisible = true }),
        ]
        tile.stallTime = .seconds(3)
        for (name, begin, end) in interruptions {
            try test.arrive()
            test.update()
            begin()
            // Nobody updates a wall that is minimised.
            if test.wall.isVisible { test.update() }
            #expect(test.wall.timeUntilChange == nil, "\(name)")
            test.pass(.seconds(60))
            if test.wall.isVisible { test.update() }
            #expect(!tile.isStalled, "\(name)")
            end()
            test.update()
            #expect(!tile.isStalled && test.wall.timeUntilChange == .seconds(3), "\(name)")
            // The age is that of the picture.
            test.pass(.seconds(3))
            #expect(test.texts() == ["STALLED 01:03"], "\(name)")
        }
        #expect(test.wall.timeUntilChange == .seconds(1))
        test.wall.isVisible = false
        #expect(test.wall.timeUntilChange == nil)
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
        let test = SilentWall(showsAges: false)
        try test.arrive()
        test.tile.mailbox.sourceDidChange(.failed("gone"))
        #expect(test.texts() == ["gone"] && test.isDimmed && test.wall.timeUntilChange == nil)
        for _ in 0..<5 {
            test.pass(.milliseconds(1700))
            #expect(!test.wall.hasChanges && !test.update())
        }
        // Only a stall depends on the time, once.
        test.tile.stallTime = .seconds(3)
        test.tile.mailbox.sourceDidChange(.live)
        test.update()
        test.pass(.seconds(3))
        #expect(test.texts() == ["STALLED"] && test.wall.timeUntilChange == nil)
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

/// A wall of one tile, with a clock that stands still until it is told to go on.
final class SilentWall {
    let now = Monitor(MonotonicTime(sinceBoot: .seconds(1000)))
    let wall: Wall
    let tile: WallTile
    private let painter = LinePainter()
    var size = screen

    init(showsAges: Bool = true) {
        let now = now
        wall = Wall(layout: GridLayout(columns: 1), text: painter)
        wall.now = { now.withLock { $0 } }
        wall.showsAges = showsAges
        tile = WallTile(name: "a", mailbox: FrameMailbox(now: { now.withLock { $0 } }))
        wall.insert(tile)
    }

    func makeMailbox() -> FrameMailbox {
        let now = now
        return FrameMailbox(now: { now.withLock { $0 } })
    }

    func pass(_ time: Duration) { now.withLock { $0 = $0 + time } }

    func arrive() throws { tile.mailbox.put(try frame()) }

    @discardableResult
    func update() -> Bool { wall.update(size: size) }

    /// The texts over the tile, in drawing order, after an update.
    func texts() -> [String] {
        update()
        return wall.scene.tiles[0].overlays.compactMap { painter.texts[ObjectIdentifier($0.image)] }
    }

    /// Whether something lies over the whole tile, under all else, and leaves 35 %.
    var isDimmed: Bool {
        let overlays = wall.scene.tiles[0].overlays
        let shades = overlays.filter { !$0.hasImage }
        guard let shade = shades.first, shades.count == 1, overlays.first == shade else { return false }
        return shade.bounds == wall.scene.tiles[0].rectangle && shade.background == SIMD4(0, 0, 0, 0.65)
    }
}

/// Makes images as wide as monospaced text in one line, cut at the edge of the room, and remembers their texts.
final class LinePainter: TextPainter {
    private(set) var texts: [ObjectIdentifier: String] = [:]
    // Retained so that their addresses stay unique.
    private var images: [CoverageImage] = []

    func coverage(of text: String, _ style: TextStyle, in room: VideoSize) -> CoverageImage {
        let size = VideoSize(
            width: max(1, min(room.width, text.count * style.fontSize * 6 / 10)),
            height: max(1, min(room.height, style.fontSize * 13 / 10)))
        let image = CoverageImage(
            [UInt8](repeating: 255, count: size.width * size.height), size: size, bytesPerRow: size.width)
        images.append(image)
        texts[ObjectIdentifier(image)] = text
        return image
    }
}
