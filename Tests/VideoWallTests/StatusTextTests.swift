import MediaIO
import Testing

@testable import VideoWall

/// The texts over an old picture, in tiles of any size.
struct StatusTextTests {
    @Test(
        arguments: [
            (1280, 720, nil, ["Offline", "00:42", "lost"]), (320, 180, "name", ["Offline", "00:42", "lost", "name"]),
            (160, 90, nil, ["Offline", "00:42", "lost"]),
            // First the reason goes, then the word, then the age; the name stays.
            (160, 64, nil, ["Offline", "00:42"]), (160, 56, "name", ["Offline", "00:42", "name"]),
            (100, 56, nil, ["00:42"]), (100, 56, "name", ["00:42", "name"]), (64, 36, nil, ["00:42"]),
            (64, 40, "name", ["name"]), (56, 36, nil, ["lost"]), (16, 9, nil, []), (1, 1, nil, []),
            (90, 160, nil, ["00:42", "lost"]),
            (640, 32, nil, ["Offline", "00:42"]),
        ] as [(Int, Int, String?, [String])])
    func whatFits(_ width: Int, _ height: Int, _ label: String?, _ texts: [String]) throws {
        let test = SilentWall()
        test.size = VideoSize(width: width, height: height)
        test.tile.label = label
        try test.arrive()
        test.tile.mailbox.sourceDidChange(.waiting("lost"))
        test.pass(.seconds(42))
        #expect(test.texts() == texts && test.isDimmed)
        // All lie inside the tile, and none over another.
        let overlays = test.wall.scene.tiles[0].overlays.filter(\.hasImage)
        for (index, overlay) in overlays.enumerated() {
            #expect(overlay.bounds.intersection(test.wall.scene.bounds) == overlay.bounds)
            for other in overlays[(index + 1)...] { #expect(!overlay.bounds.intersects(other.bounds)) }
        }
    }

    @Test(arguments: [(1280, 720, 80, 28), (640, 360, 40, 16), (160, 90, 14, 11), (300, 720, 25, 28)])
    func theAgeIsLargerThanTheReason(_ width: Int, _ height: Int, _ age: Int, _ reason: Int) throws {
        let test = SilentWall()
        test.size = VideoSize(width: width, height: height)
        try test.arrive()
        test.tile.mailbox.sourceDidChange(.waiting("lost"))
        _ = test.texts()
        // The painter's lines are 1.3 times as high as the font.
        let heights = test.wall.scene.tiles[0].overlays.filter(\.hasImage).map(\.image.size.height)
        #expect(heights == [age * 13 / 10, age * 13 / 10, reason * 13 / 10])
    }

    @Test func ownMarksAreNotDimmed() throws {
        let test = SilentWall()
        let image = CoverageImage([255], size: VideoSize(width: 1, height: 1), bytesPerRow: 1)
        test.tile.overlays = [WallOverlay(image, x: 3, y: 4)]
        try test.arrive()
        test.tile.mailbox.sourceDidChange(.waiting("lost"))
        _ = test.texts()
        let overlays = test.wall.scene.tiles[0].overlays
        #expect(test.isDimmed && overlays[1] == test.tile.overlays[0] && overlays.count == 5)
    }

    @Test func onlyTheAgeIsMadeAnewEachSecond() throws {
        let test = SilentWall()
        test.tile.label = "name"
        try test.arrive()
        test.tile.mailbox.sourceDidChange(.waiting("lost"))
        test.update()
        let before = test.wall.scene.tiles[0].overlays
        test.pass(.seconds(1))
        test.update()
        let after = test.wall.scene.tiles[0].overlays
        #expect(before.count == 5 && after.count == 5)
        #expect(zip(before, after).map { $0 == $1 } == [true, true, false, true, true])
    }
}
