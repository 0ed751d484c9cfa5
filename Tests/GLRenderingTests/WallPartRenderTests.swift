import MediaIO
import TestSupport
import Testing
import VideoWall

/// The parts of a wall are the picture of the whole wall, cut at the bezels.
@Suite(.everyRenderer) struct WallPartRenderTests {
    private static let size = VideoSize(width: 96, height: 64)
    private static let bezel = 6

    @Test(
        .renderTurn,
        arguments: [Orientation.upright, Orientation(rotation: .clockwise90), Orientation(mirror: .horizontal)])
    func partsAreCutFromTheWhole(_ orientation: Orientation) throws {
        let whole = try picture(.whole, VideoSize(width: 2 * 96 + Self.bezel, height: 2 * 64 + Self.bezel), orientation)
        let bytesPerRow = (2 * 96 + Self.bezel) * 4
        for (column, row) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let part = WallPart(columns: 2, rows: 2, column: column, row: row, bezel: Self.bezel)
            let pixels = try picture(part, Self.size, orientation)
            var largest = 0
            for y in 0..<64 {
                let start = (row * (64 + Self.bezel) + y) * bytesPerRow + column * (96 + Self.bezel) * 4
                for x in 0..<96 * 4 {
                    largest = max(largest, abs(Int(pixels[y * 96 * 4 + x]) - Int(whole[start + x])))
                }
            }
            #expect(largest <= 1, "\(part): \(largest)")
        }
    }

    /// Five tiles with every filter, over the seams and beside them, with labels.
    private func picture(_ part: WallPart, _ size: VideoSize, _ orientation: Orientation) throws -> [UInt8] {
        let test = try TestWall(layout: GridLayout(rows: 2, columns: 3, gap: 3))
        test.wall.part = part
        let filters: [ScalingFilter] = [.nearest, .bilinear, .catmullRom, .lanczos, .automatic]
        for (index, filter) in filters.enumerated() {
            let picture = try SamplePicture.random(
                index % 2 == 0 ? .i420 : .nv12, VideoSize(width: 21 + 30 * index, height: 40), seed: UInt64(index)
            ).buffer()
            let tile = test.add(VideoFrame(picture), filter: filter)
            (tile.rotation, tile.mirror) = (orientation.rotation, orientation.mirror)
            tile.label = "tile \(index)"
        }
        let target = try test.renderer.makeOffscreenTarget(size: size)
        try test.renderer.render(test.wall, into: target)
        return try target.readPixels()
    }
}
