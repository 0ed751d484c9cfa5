import Foundation
import MediaIO
import TestSupport
import Testing
import VideoEffects
import VideoWall

@testable import WallRendering

/// Privacy masks where effects are drawn at a pace of their own: what they hide is never shown.
@Suite(.renderTurn) struct LiveMaskTests {
    private static let size = VideoSize(width: 96, height: 64)
    private static let mask = "privacy-mask:first=0/0:second=1/1"

    /// White on the left, black on the right of a part of the width.
    private static func frame(white part: Double) throws -> VideoFrame {
        try VideoFrame(
            TestPicture(format: .i444, size: size) { letter, x, _ in
                letter != "Y" ? 128 : Double(x) < part * Double(size.width) ? 235 : 16
            }.buffer())
    }

    private static func effect(_ body: String, before rest: String, head: String = "") throws -> EffectChain {
        let effect = try Effect("\(head)\nvec4 effect(vec2 uv) { \(body) }", file: "own.effect.glsl")
        return EffectChain([EffectChain.Step(effect)] + (rest.isEmpty ? [] : try KernelTests.chain(rest).steps))
    }

    /// The brightest value of a part of a picture.
    private static func brightest(_ picture: RGBAImage, rows: Range<Int>) -> UInt8 {
        let width = picture.size.width
        return rows.flatMap { y in (0..<width).map { picture.bytes[(y * width + $0) * 4] } }.max() ?? 0
    }

    @Test("A new mask is there at once, although the wall has effects of its own")
    func underTheWallsEffects() throws {
        let live = LiveEffectTests.LiveWall()
        let tile = live.wall.addTile(named: "a")
        tile.contentMode = .stretch
        live.wall.effects = try KernelTests.chain("blur:radius=4")
        tile.mailbox.put(try Self.frame(white: 0.5))
        // The edge is blurred.
        let edge = (Self.size.width * 30 + Self.size.width / 2) * 4
        #expect(try live.draw(Self.size) { (64...192).contains($0.bytes[edge]) })
        tile.effects = try KernelTests.chain(Self.mask)
        #expect(Self.brightest(try live.draw(Self.size), rows: 0..<64) == 0)
        // And stays, once the wall's effects are drawn again.
        live.wall.effects = try KernelTests.chain("invert,blur:radius=4")
        #expect(try live.draw(Self.size) { $0.bytes[edge] == 255 })
    }

    @Test("A tile that shows another one shows its new mask at once", arguments: [false, true])
    func inAnotherTile(_ isFirst: Bool) throws {
        let live = LiveEffectTests.LiveWall()
        let tiles = [live.wall.addTile(named: "a"), live.wall.addTile(named: "b")]
        let (hidden, shown) = isFirst ? (tiles[0], tiles[1]) : (tiles[1], tiles[0])
        for tile in tiles { tile.contentMode = .stretch }
        hidden.mailbox.put(try Self.frame(white: 1))
        shown.mailbox.put(try Self.frame(white: 0))
        shown.effects = try KernelTests.chain("wipe:with=\(isFirst ? 1 : 2):position=0,blur:radius=3")
        let tall = VideoSize(width: 96, height: 128)
        let rows = isFirst ? 64..<128 : 0..<64
        #expect(try live.draw(tall) { Self.brightest($0, rows: rows) == 255 })
        hidden.effects = try KernelTests.chain(Self.mask)
        for _ in 0..<20 {
            #expect(Self.brightest(try live.draw(tall), rows: 0..<128) == 0)
            // Meanwhile, lanes draw.
            usleep(5000)
        }
    }

    /// Of a picture that is white on the left, the effect makes one that is white on the right, where the mask is.
    @Test(
        "While an effect that moves things is not drawn, the mask after it hides everything", arguments: [false, true])
    func afterAnEffectThatMovesThings(_ isTooSlow: Bool) throws {
        let live = LiveEffectTests.LiveWall()
        // A quarter of the picture takes more than the tenfold, also on fast machines.
        live.wall.effectBudget = isTooSlow ? .microseconds(100) : .milliseconds(33)
        let tile = live.wall.addTile(named: "a")
        tile.contentMode = .stretch
        let loop = "for (int i = 0; i < 3000; i++) sum += sample(fract(uv.yx + sum.xy)).rgb;"
        tile.effects = try Self.effect(
            """
            vec3 sum = vec3(0.0);
            \(isTooSlow ? loop : "")
            return sample(vec2(1.0 - uv.x, uv.y)) + vec4(sum / 1e9, 0.0);
            """, before: "privacy-mask:first=0.4/0:second=1/1")
        var pictures = 0
        let end = MonotonicTime.now + .seconds(600)
        var isDone: Bool {
            pictures >= 20 && tile.report.effectPictures > 0 && (!isTooSlow || tile.report.effectPace == .muted)
        }
        repeat {
            tile.mailbox.put(try Self.frame(white: 0.5))
            #expect(Self.brightest(try live.draw(Self.size), rows: 0..<64) == 0, "\(pictures)")
            pictures += 1
            // Meanwhile, lanes draw.
            usleep(2000)
        } while !isDone && .now < end
        #expect(isDone, "\(tile.report)")
    }

    @Test("What a new mask hides does not come from an effect's previous picture", .everyRenderer)
    func inPreviousPictures() throws {
        let wall = try TestWall()
        let tile = wall.wall.addTile(named: "a")
        tile.contentMode = .stretch
        let trail = try Self.effect("return max(sample(uv), previous(uv));", before: "")
        tile.effects = trail
        for part in [1, 0.0] {
            tile.mailbox.put(try Self.frame(white: part))
            #expect(try Self.brightest(wall.picture(Self.size), rows: 0..<64) == 255)
        }
        tile.effects = EffectChain(try KernelTests.chain(Self.mask).steps + trail.steps)
        for _ in 0..<2 {
            #expect(try Self.brightest(wall.picture(Self.size), rows: 0..<64) == 0)
            tile.mailbox.put(try Self.frame(white: 1))
        }
    }

    private static func plan(of chain: EffectChain) -> EffectPlan {
        let wall = Wall()
        wall.addTile(named: "a").effects = chain
        wall.update(size: size)
        var tile = wall.scene.tiles[0]
        tile.effects = chain
        tile.plan()
        return tile.effectPlan
    }

    /// What is left out, and what the mask after it then hides.
    @Test("A plan leaves out no mask") func plans() throws {
        let passes = (0..<8).map { "//! pass p\($0) size 4096x4096" }.joined(separator: "\n")
        let functions = (0..<8).map { "vec4 p\($0)_pass(vec2 uv) { return sample(uv); }" }.joined(separator: "\n")
        let large = try Self.effect("return sample(uv.yx);", before: Self.mask, head: passes + "\n" + functions)
        let plan = Self.plan(of: large)
        #expect(plan.failure != nil && plan.steps.map(\.effect) == [large.steps[1].effect])
        let flip = try Self.effect("return sample(uv.yx);", before: "privacy-mask:first=0.5/0.5:second=0.6/0.6")
        let left = EffectPlan(Self.plan(of: flip).key, foldsIntoPicture: true, isFoldable: \.traits.isFoldable) {
            step in
            (step.isMask ? step : nil, nil)
        }
        #expect(left.steps.count == 1)
        guard case .point(let first) = left.steps[0].values[0], case .point(let second) = left.steps[0].values[1]
        else { return #expect(Bool(false)) }
        #expect(first.x <= 0 && first.y <= 0 && second.x >= 1 && second.y >= 1)
    }

    @Test("A crash of the driver refuses no mask") func crashes() throws {
        var state = PacedTiles(laneCount: 2, drawsOwn: false)
        let live = LiveEffectTests.LiveWall()
        let tile = live.wall.addTile(named: "a")
        let chain = try Self.effect("return sample(uv.yx);", before: Self.mask)
        tile.effects = chain
        tile.mailbox.put(try Self.frame(white: 1))
        live.wall.update(size: Self.size)
        var shown = live.wall.scene.tiles[0]
        shown.effects = chain
        state.refuse(
            EffectLane.Job(subject: EffectLane.Subject(shown), tile: shown, scene: live.wall.scene), ofCrashed: 0)
        #expect(state.deadly == [chain.steps[0].effect])
        let error = state.leaveOutDeadly(of: &shown, or: PacedTile(shown, lane: 0, update: 0))
        #expect(error?.file == "own.effect.glsl" && shown.hasMasks && shown.effects.steps.count == 1)
    }
}
