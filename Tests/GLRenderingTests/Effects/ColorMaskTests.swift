import MediaIO
import TestSupport
import Testing
import VideoWall

/// The privacy mask.
@Suite struct ColorMaskTests {
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

    /// From a quarter to three quarters of the width, and from three to five eighths of the height.
    private static func mask(_ style: Int, blocks: Int) -> [String: EffectValue] {
        [
            "first": .point(SIMD2(0.25, 0.375)), "second": .point(SIMD2(0.75, 0.625)), "style": .choice(style),
            "blocks": .int(blocks),
        ]
    }
}
