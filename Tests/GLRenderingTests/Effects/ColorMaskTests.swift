import Foundation
import MediaIO
import TestSupport
import Testing
import VideoWall

/// The privacy mask.
@Suite(.everyRenderer) struct ColorMaskTests {
    typealias Color = SIMD3<Double>

    /// A rectangle of 32 by 16 pixels of two blocks, whose means are those of their pixels.
    @Test func pixelatedBlocksAreMeans() throws {
        let picture = ColorPicture()
        let drawn = try picture.drawn(with: "privacy-mask", Self.mask(1, blocks: 2))
        let (columns, rows) = (16..<48, 24..<40)
        var sums = [Color(repeating: 0), Color(repeating: 0)]
        for y in rows {
            for x in columns { sums[x < 32 ? 0 : 1] += picture.colors[y * 64 + x] }
        }
        var worst = LargestError()
        for (index, color) in picture.colors.enumerated() {
            let (x, y) = (index % 64, index / 64)
            let exact = columns.contains(x) && rows.contains(y) ? sums[x < 32 ? 0 : 1] / 256 : color
            for part in 0..<3 { worst.add(drawn[index][part] - exact[part]) }
        }
        #expect(worst.value * 255 <= 1)
    }

    @Test func blackIsBlackAndTheRestUnchanged() throws {
        let picture = ColorPicture(Color(1, 0.8, 0.6))
        let drawn = try picture.drawn(
            with: "privacy-mask", Self.mask(0, blocks: 2), in: VideoSize(width: 256, height: 256))
        let covered = drawn.enumerated().filter { $1 == [0, 0, 0] }.map(\.offset)
        #expect(covered == (96..<160).flatMap { y in (64..<192).map { y * 256 + $0 } })
        for color in drawn where color != [0, 0, 0] {
            for part in 0..<3 { #expect(abs(color[part] - picture.colors[0][part]) * 255 <= 1) }
        }
    }

    /// A larger tile shows no more of what is hidden, and blocks are square in a wide one.
    @Test(arguments: [(256, 1, 1, 1), (256, 5, 5, 3), (256, 32, 32, 16), (512, 12, 12, 3)])
    func thereAreAsManyBlocksInATileOfAnySize(
        _ row: (width: Int, blocks: Int, across: Int, down: Int)
    ) throws {
        let drawn = try ColorPicture().drawn(
            with: "privacy-mask", Self.mask(1, blocks: row.blocks), in: VideoSize(width: row.width, height: 256))
        let across = Set((row.width / 4..<row.width * 3 / 4).map { drawn[130 * row.width + $0] })
        let down = Set((96..<160).map { drawn[$0 * row.width + row.width / 4 + 4] })
        #expect(across.count == row.across && down.count == row.down)
    }

    /// Either pair of opposite corners in either order, and no pixel for a rectangle of no size.
    @Test func cornersMayBeInAnyOrder() throws {
        let picture = ColorPicture()
        let expected = try picture.drawn(with: "privacy-mask", Self.mask(1, blocks: 4))
        var turned = Self.mask(1, blocks: 4)
        (turned["first"], turned["second"]) = (.point(SIMD2(0.75, 0.375)), .point(SIMD2(0.25, 0.625)))
        #expect(try picture.drawn(with: "privacy-mask", turned) == expected)
        turned["second"] = turned["first"]
        let plain = try picture.drawn(with: "privacy-mask", turned)
        for (drawn, color) in zip(plain, picture.colors) { #expect(abs(drawn[0] - color.x) * 255 <= 1) }
    }

    /// A white rectangle on black, under a mask that hides it, is never shown: not enlarged, not cropped, not by an effect
    /// that reads the frame itself or another tile, and not without the other effects.
    @Test(arguments: Showing.allCases) func whatIsHiddenStaysHidden(_ showing: Showing) throws {
        let picture = TestPicture(format: .i444, size: VideoSize(width: 64, height: 64)) { letter, x, y in
            letter != "Y" ? 128 : (16..<48).contains(x) && (24..<40).contains(y) ? 235 : 16
        }
        let frame = try VideoFrame(picture.buffer())
        let wall = try TestWall()
        let tile = wall.add(frame)
        var effects: [(String, [String: EffectValue])] = [("privacy-mask", Self.mask(0, blocks: 2))]
        var size = VideoSize(width: 128, height: 128)
        switch showing {
        case .plain, .bypassed: break
        case .zoomed: tile.zoom = TileZoom(scale: 3, x: 0.3, y: 0.4)
        case .cropped: (tile.contentMode, size) = (.fill, VideoSize(width: 40, height: 128))
        case .byItself: effects.append(("plain-luma", [:]))
        case .byAnother: effects.append(("blur", ["radius": .float(3)]))
        case .elsewhere, .elsewhereAlone:
            let other = wall.add(
                try VideoFrame(TestPicture(format: .i444, size: picture.size) { _, _, _ in 16 }.buffer()))
            other.effects = try ColorPicture.chain([
                ("wipe", ["with": .tile(1), "position": .float(0), "line": .float(0)])
            ])
            if showing == .elsewhereAlone { wall.wall.focus = other.id }
        }
        tile.effects = try ColorPicture.chain(effects)
        if showing == .bypassed { tile.effects.bypassReason = "too slow" }
        let drawn = try wall.picture(size)
        if showing == .bypassed {
            // The notice covers a part of the picture.
            for x in stride(from: 34, to: 94, by: 6) {
                let sample = try RenderTurn.lock.withLock {
                    try wall.renderer.sample(atX: x, y: 64, of: wall.wall.scene)
                }
                #expect(try #require(sample).green <= 0.004)
            }
        } else {
            #expect(stride(from: 0, to: drawn.bytes.count, by: 4).allSatisfy { drawn.bytes[$0] <= 1 })
        }
        // Without the mask, it is there.
        tile.effects = EffectChain()
        let plain = try wall.picture(size)
        #expect(stride(from: 0, to: plain.bytes.count, by: 4).contains { plain.bytes[$0] > 200 })
    }

    enum Showing: CaseIterable {
        case plain, zoomed, cropped, byItself, byAnother, bypassed, elsewhere, elsewhereAlone
    }

    /// From a quarter to three quarters of the width, and from three to five eighths of the height.
    private static func mask(_ style: Int, blocks: Int) -> [String: EffectValue] {
        [
            "first": .point(SIMD2(0.25, 0.375)), "second": .point(SIMD2(0.75, 0.625)), "style": .choice(style),
            "blocks": .int(blocks),
        ]
    }
}
