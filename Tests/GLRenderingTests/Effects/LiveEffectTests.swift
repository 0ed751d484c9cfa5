import Foundation
import GLRendering
import HeadlessGL
import MediaIO
import SoftwareRendering
import TestSupport
import Testing
import VideoEffects
import VideoWall

@testable import WallRendering

/// Effects that are drawn at a pace of their own, while the CPU draws the wall.
@Suite(.renderTurn) struct LiveEffectTests {
    /// A wall that does not wait for its effects.
    final class LiveWall {
        let wall = Wall(layout: GridLayout())
        let renderer: any WallRenderer
        private let stage: LiveEffects
        private let news = Monitor(0)
        private var picture: (any OffscreenTarget)?

        /// The CPU draws the wall.
        init() {
            let news = news
            stage = LiveEffects { news.change { $0 += 1 } }
            let renderer = SoftwareRenderer(threadCount: 2)
            renderer.effectStage = stage
            self.renderer = renderer
        }

        /// OpenGL draws the wall, and effects that take no longer than a limit.
        init(ownLimit: Duration) throws {
            let news = news
            stage = LiveEffects(ownLimit: ownLimit, displays: [1]) { news.change { $0 += 1 } }
            let renderer = try GLRenderer(context: HeadlessContext.make())
            renderer.effectStage = stage
            self.renderer = renderer
        }

        deinit { stage.end(within: .seconds(60)) }

        func draw(_ size: VideoSize) throws -> RGBAImage {
            if picture?.size != size { picture = try renderer.makeOffscreenTarget(size: size) }
            let picture = try #require(picture)
            try renderer.render(wall, into: picture)
            return RGBAImage(size: size, bytes: try picture.readPixels())
        }

        /// Draws again whenever there is something new, until a picture is as it should be.
        func draw(_ size: VideoSize, until isRight: (RGBAImage) throws -> Bool) throws -> Bool {
            for _ in 0..<1000 {
                let seen = news.withLock { $0 }
                if try isRight(draw(size)) { return true }
                let end = MonotonicTime.now + .seconds(30)
                guard news.wait(until: end, { $0 > seen ? true : nil }) != nil else { return false }
            }
            return false
        }
    }

    private static let size = VideoSize(width: 96, height: 64)

    private static func frame(_ luma: Int) throws -> VideoFrame {
        try VideoFrame(TestPicture(format: .i444, size: size) { letter, _, _ in letter == "Y" ? luma : 128 }.buffer())
    }

    private static func noise() throws -> VideoFrame { try VideoFrame(TestPicture.noise(.i420, size).buffer()) }

    private static func effect(_ body: String, file: String = "live.effect.glsl") throws -> EffectChain {
        // It reads elsewhere, so that it is not folded.
        EffectChain([try Effect("vec4 effect(vec2 uv) { \(body) }", file: file)])
    }

    /// First the picture as it is, then what the renderer that waits draws.
    @Test func picturesJoinWhenTheyAreReady() throws {
        let chain = try KernelTests.chain("blur:radius=5,sharpen,vignette")
        let expected = try TestWall(with: .cpu).picture(of: Self.noise(), Self.size) { tile in
            (tile.effects, tile.contentMode) = (chain, .stretch)
        }
        let plain = try TestWall(with: .cpu).picture(of: Self.noise(), Self.size) { $0.contentMode = .stretch }
        let live = LiveWall()
        let tile = live.wall.addTile(named: "a")
        (tile.effects, tile.contentMode, tile.filter) = (chain, .stretch, .nearest)
        tile.mailbox.put(try Self.noise())
        #expect(try live.draw(Self.size) == plain)
        #expect(try live.draw(Self.size) { $0.largestDifference(from: expected).value <= 1 })
        #expect(!live.wall.hasChanges && tile.report.effectFailure == nil && tile.report.effectPictures == 1)
        // Other values at once, another size, and none.
        tile.effects = EffectChain()
        #expect(try live.draw(Self.size) == plain)
    }

    /// Effects of the whole wall do not hold up what lies over it.
    @Test(arguments: ["blur:radius=4", "invert", "privacy-mask,vignette"])
    func theWallsOwnEffectsJoinToo(_ text: String) throws {
        let chain = try KernelTests.chain(text)
        let mark = WallOverlay(
            CoverageImage([255], size: VideoSize(width: 1, height: 1), bytesPerRow: 1), x: 5, y: 6)
        let exact = try TestWall(with: .cpu)
        let live = LiveWall()
        for wall in [exact.wall, live.wall] {
            let tile = wall.addTile(named: "a")
            (tile.contentMode, tile.filter) = (.stretch, .nearest)
            tile.mailbox.put(try Self.noise())
            wall.effects = chain
        }
        let expected = try exact.picture(Self.size)
        // The wall is rounded to code values before its effects.
        #expect(try live.draw(Self.size) { $0.largestDifference(from: expected).value <= 2 })
        live.wall.overlays = [mark]
        let marked = try live.draw(Self.size)
        let difference = marked.largestDifference(from: expected)
        #expect(difference.value > 2 && (difference.x, difference.y) == (5, 6))
        (live.wall.effects, live.wall.overlays) = (EffectChain(), [])
        let plain = try TestWall(with: .cpu).picture(of: Self.noise(), Self.size) { $0.contentMode = .stretch }
        #expect(try live.draw(Self.size) == plain)
    }

    /// A saved file that the driver refuses, or that takes long, leaves what there was.
    @Test func theLastGoodEffectStays() throws {
        let live = LiveWall()
        let tile = live.wall.addTile(named: "a")
        tile.contentMode = .stretch
        tile.effects = try Self.effect("return vec4(1.0 - sample(uv.yx).rgb, 1.0);")
        tile.mailbox.put(try Self.frame(16))
        #expect(try live.draw(Self.size) { $0.bytes[0] == 255 })
        tile.effects = try Self.effect("return vec4(unknown, 1.0);")
        var isAlwaysGood = true
        let isRefused = try live.draw(Self.size) { picture in
            isAlwaysGood = isAlwaysGood && picture.bytes[0] == 255
            return tile.report.effectFailure != nil
        }
        #expect(isAlwaysGood && isRefused)
        #expect(tile.report.effectFailure?.reason.contains("unknown") == true)
        // New frames are drawn by it.
        tile.mailbox.put(try Self.frame(126))
        #expect(try live.draw(Self.size) { (100...160).contains($0.bytes[0]) })
        #expect(tile.report.effectFailure != nil)
        tile.effects = try Self.effect("return vec4(0.2 * sample(uv.yx).rgb, 1.0);")
        #expect(try live.draw(Self.size) { (20...32).contains($0.bytes[0]) })
        #expect(tile.report.effectFailure == nil)
    }

    /// Whatever is slow, new or moved: a white frame is never white under its mask.
    @Test func aMaskedTileIsNeverShownWithoutItsMask() throws {
        let live = LiveWall()
        let tile = live.wall.addTile(named: "a")
        tile.contentMode = .stretch
        var random = SeededGenerator(seed: 36)
        let blurs = ["", ",blur:radius=3", ",sharpen", ",edge", ",vignette", ",plain-luma,blur:radius=2"]
        for round in 0..<150 {
            let (left, top) = (Int(random.next() % 4), Int(random.next() % 4))
            let first = SIMD2(Double(left) / 8, Double(top) / 8)
            let mask = "privacy-mask:first=\(first.x)/\(first.y):second=\(first.x + 0.5)/\(first.y + 0.5)"
            let blur = blurs[Int(random.next() % UInt64(blurs.count))]
            if round % 5 < 3 { tile.effects = try KernelTests.chain(mask + blur) }
            tile.mailbox.put(try Self.frame(235))
            let size = round % 7 == 0 ? VideoSize(width: 64, height: 80) : Self.size
            let picture = try live.draw(size)
            if let shown = tile.effects.steps.first?.values, case .point(let corner) = shown[0] {
                // Its middle, which no effect here fills.
                let (x, y) = (Int((corner.x + 0.25) * Float(size.width)), Int((corner.y + 0.25) * Float(size.height)))
                #expect(picture.bytes[(y * size.width + x) * 4] <= 1, "round \(round), \(tile.effects.text)")
            }
            if round % 3 == 0 { usleep(UInt32(random.next() % 20_000)) }
        }
    }

    /// An effect that is drawn for a second and more: other tiles go on, and it steps down until it is left out.
    @Test func aLongLoopHoldsUpNobody() throws {
        let live = LiveWall()
        live.wall.effectBudget = .milliseconds(1)
        let (slow, other) = (live.wall.addTile(named: "slow"), live.wall.addTile(named: "other"))
        (slow.contentMode, other.contentMode) = (.stretch, .stretch)
        slow.effects = try Self.effect(
            """
            vec3 sum = vec3(0.0);
            for (int i = 0; i < 8000; i++) sum += sample(fract(uv.yx + sum.xy)).rgb;
            return vec4(sum / 1e6, 1.0);
            """)
        var (pictures, largest) = (0, 0)
        while slow.report.effectPace != .muted, pictures < 20_000 {
            let luma = 20 + pictures % 200
            try slow.mailbox.put(Self.frame(235))
            try other.mailbox.put(Self.frame(luma))
            let picture = try live.draw(Self.size)
            largest = max(largest, abs(Int(picture.bytes[Self.size.width * 4 - 4]) - (luma - 16) * 255 / 219))
            pictures += 1
            usleep(2000)
        }
        #expect(largest <= 1 && pictures < 20_000, "\(largest) \(pictures)")
        // A wall that waits draws as many.
        #expect(pictures > 2 * slow.report.effectPictures, "\(pictures) \(slow.report.effectPictures)")
        #expect(try live.draw(Self.size).bytes[0] == 255)
        #expect(slow.report.effectFailure?.reason.contains("muted") == true)
    }

    /// Of a tile that is new beside others with effects, what can be drawn is drawn.
    @Test func aBrokenEffectOfANewTileLeavesTheOthers() throws {
        let live = LiveWall()
        for number in 0..<2 {
            let tile = live.wall.addTile(named: "\(number)")
            tile.contentMode = .stretch
            tile.effects = try Self.effect("return vec4(\(number).0 + sample(uv.yx).rgb, 1.0);", file: "\(number)")
            tile.mailbox.put(try Self.frame(16))
        }
        let size = VideoSize(width: 96, height: 192)
        #expect(try live.draw(size) { _ in live.wall.tiles.allSatisfy { $0.report.effectPictures > 0 } })
        let new = live.wall.addTile(named: "new")
        new.contentMode = .stretch
        let broken = try Self.effect("return vec4(unknown, 1.0);", file: "broken")
        let good = try Self.effect("return vec4(1.0 - sample(uv.yx).rgb, 1.0);", file: "good")
        new.effects = EffectChain(broken.steps + good.steps)
        new.mailbox.put(try Self.frame(235))
        let tall = VideoSize(width: 96, height: 288)
        #expect(try live.draw(tall) { $0.bytes[$0.bytes.count - 4] == 0 && new.report.effectFailure != nil })
        new.mailbox.put(try Self.frame(16))
        #expect(try live.draw(tall) { $0.bytes[$0.bytes.count - 4] == 255 })
        #expect(new.report.effectFailure?.reason.contains("unknown") == true)
    }

    /// Other values of an effect that was refused are tried.
    @Test func repairedValuesAreDrawn() throws {
        let live = LiveWall()
        let tile = live.wall.addTile(named: "a")
        tile.contentMode = .stretch
        tile.mailbox.put(try Self.frame(235))
        let effect = try Effect(
            """
            //! param count int 0 200000 2 "Count"
            vec4 effect(vec2 uv) {
                vec3 sum = vec3(0.0);
                for (int i = 0; i < count; i++) sum += sample(fract(uv.yx + sum.xy)).rgb;
                return vec4(sum * 1e-9, 1.0);
            }
            """, file: "count.effect.glsl", folder: EffectLoopTests.NoFiles())
        tile.effects = EffectChain([effect])
        #expect(try live.draw(Self.size) { $0.bytes[0] == 0 })
        _ = tile.effects.steps[0].set("count", .int(200_000))
        #expect(try live.draw(Self.size) { _ in tile.report.effectFailure != nil })
        _ = tile.effects.steps[0].set("count", .int(3))
        #expect(try live.draw(Self.size) { _ in tile.report.effectFailure == nil })
        #expect(try live.draw(Self.size).bytes[0] == 0)
    }

    /// What a key changes is shown at once, if need be without the effects of the whole wall.
    @Test func aKeyDoesNotWaitForTheWallsEffects() throws {
        let live = LiveWall()
        live.wall.effectBudget = .seconds(60)
        let tiles = [live.wall.addTile(named: "a"), live.wall.addTile(named: "b")]
        for (tile, luma) in zip(tiles, [16, 235]) {
            tile.contentMode = .stretch
            tile.mailbox.put(try Self.frame(luma))
        }
        live.wall.effects = try Self.effect("return vec4(1.0 - sample(uv.yx).rgb, 1.0);")
        #expect(try live.draw(Self.size) { $0.bytes[0] == 255 })
        // The picture with the effects is then too old to be shown.
        usleep(100_000)
        live.wall.focus = tiles[1].id
        // As it is: white.
        let picture = try live.draw(Self.size)
        #expect(stride(from: 0, to: picture.bytes.count, by: 4).allSatisfy { picture.bytes[$0] == 255 })
        #expect(try live.draw(Self.size) { $0.bytes[0] == 0 })
    }

    /// Where OpenGL draws the wall, its renderer draws effects, but for those that take too long.
    @Test(arguments: [Duration.zero, .seconds(60)]) func slowEffectsLeaveTheWallsRenderer(_ limit: Duration) throws {
        let live = try LiveWall(ownLimit: limit)
        live.wall.effectBudget = .seconds(60)
        let tile = live.wall.addTile(named: "a")
        tile.contentMode = .stretch
        tile.effects = try Self.effect("return vec4(1.0 - sample(uv.yx).rgb, 1.0);")
        tile.mailbox.put(try Self.frame(235))
        #expect(try live.draw(Self.size) { $0.bytes[0] <= 1 })
        // The first one was tried by a thread of its own, as all are.
        let end = MonotonicTime.now + .seconds(600)
        var number = 0
        while tile.report.effectPictures < 3, number < 40 || (limit == .zero && .now < end) {
            let luma = 20 + 5 * (number % 40)
            tile.mailbox.put(try Self.frame(luma))
            #expect(
                try live.draw(Self.size) { abs(Int($0.bytes[0]) - (255 - (luma - 16) * 255 / 219)) <= 1 }, "\(number)")
            number += 1
            // The lane runs while nothing else wants to, so its first picture may take long; the wall's renderer goes on.
            if number >= 40 { usleep(10_000) }
        }
        #expect((tile.report.effectPictures >= 3) == (limit == .zero), "\(tile.report.effectPictures)")
        #expect(tile.report.effectFailure == nil)
    }

    /// `VITRAIL_ROUNDS` is the number of switches: 10,000 were run under the thread sanitizer.
    @Test(.timeLimit(.minutes(60))) func anythingMayChangeAtAnyTime() throws {
        let rounds = ProcessInfo.processInfo.environment["VITRAIL_ROUNDS"].flatMap(Int.init) ?? 300
        let live = LiveWall()
        var random = SeededGenerator(seed: 63)
        func pick<T>(_ values: [T]) -> T { values[Int(random.next() % UInt64(values.count))] }
        var chains = try [
            "none", "blur:radius=3", "edge", "grayscale", "difference", "privacy-mask,sharpen", "denoise",
        ]
        .map { try KernelTests.chain($0) }
        chains.append(try Self.effect("return vec4(unknown, 1.0);"))
        chains.append(try Self.effect("return sample(uv.yx);"))
        let frames = try (0..<4).map { try Self.frame(40 * $0 + 20) }
        for round in 0..<rounds {
            switch random.next() % 8 {
            case 0 where live.wall.tiles.count < 5: live.wall.addTile(named: "\(round)")
            case 1 where live.wall.tiles.count > 2: live.wall.remove(pick(live.wall.tiles))
            case 2: live.wall.focus = live.wall.tiles.isEmpty ? nil : pick([nil, pick(live.wall.tiles).id])
            case 3: live.wall.tiles.forEach { $0.effects = pick(chains) }
            default: if !live.wall.tiles.isEmpty { pick(live.wall.tiles).effects = pick(chains) }
            }
            for tile in live.wall.tiles { tile.mailbox.put(pick(frames)) }
            _ = try live.draw(pick([Self.size, VideoSize(width: 61, height: 47), VideoSize(width: 8, height: 90)]))
            if round % 16 == 0 { usleep(UInt32(random.next() % 5000)) }
        }
        // Afterwards all is as it should be.
        for tile in live.wall.tiles { live.wall.remove(tile) }
        let tile = live.wall.addTile(named: "last")
        (tile.effects, tile.contentMode) = (try Self.effect("return vec4(1.0 - sample(uv.yx).rgb, 1.0);"), .stretch)
        tile.mailbox.put(try Self.frame(235))
        #expect(try live.draw(Self.size) { $0.bytes[0] <= 1 })
    }
}
