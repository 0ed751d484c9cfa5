import MediaIO
import Testing

@testable import VideoWall

/// A picture that is repeated, byte for byte or coded anew.
struct FrozenTests {
    @Test func aPictureThatIsRepeatedIsFrozen() throws {
        let test = SilentWall()
        test.wall.tileLook.hasBars = true
        test.tile.silenceLadder = SilenceLadder()
        /// Delivers five pictures a second with a luma that may change each second; a part of it is enough.
        func play(_ seconds: Int, moving: Bool, _ note: (Int) -> Void = { _ in }) throws {
            for second in 0..<seconds {
                for _ in 0..<5 {
                    test.tile.mailbox.put(try frame(luma: moving ? 40 + second % 100 : 30))
                    test.update()
                    test.pass(.milliseconds(200))
                }
                note(second)
            }
        }
        // What never moved may be a still picture.
        try play(20, moving: false)
        #expect(test.tile.state == .live)
        try play(5, moving: true)
        // 19 s of the same picture are usual here.
        try play(56, moving: false) { _ in #expect(test.tile.state == .live) }
        try play(8, moving: false)
        #expect(test.tile.state == .frozen && !test.isDimmed)
        #expect(test.texts()[1] == "frozen")
        let border = test.wall.scene.tiles[0].overlays.filter { !$0.hasImage }
        #expect(border.count == 5 && Set(border.dropLast().map(\.background)) == [TileState.frozen.severity.color])
        try play(1, moving: true)
        #expect(test.tile.state == .live)
        // What was hidden for long, and shows the same as before, may have moved meanwhile.
        try play(2, moving: false)
        test.pass(.seconds(3600))
        try play(20, moving: false) { _ in #expect(test.tile.state == .live) }
    }

    /// An encoder codes a picture that stands still a little differently in each key frame; a sensor has noise in each.
    @Test(arguments: [
        ("key frames", 5, 1, true), ("a sensor's noise", 1, 1, false), ("a blinking cursor", 5, 40, false),
    ])
    func aPictureThatIsEncodedAgainIsFrozenToo(_ what: String, _ every: Int, _ change: Int, _ isFrozen: Bool) throws {
        let test = SilentWall()
        test.wall.tileLook.hasBars = true
        test.tile.silenceLadder = SilenceLadder()
        var number = 0
        func play(_ seconds: Int, base: (Int) -> Int) throws {
            for second in 0..<seconds {
                for _ in 0..<5 {
                    number += 1
                    let changed = number / every % 3 * change
                    let buffer = try PixelBuffer(format: .gray8, size: VideoSize(width: 640, height: 360)) { planes in
                        planes.withPlane(0) { plane in
                            for index in plane.indices { plane[index] = UInt8(base(second)) }
                            // A few pixels in rows that are looked at.
                            for row in [100, 104, 108] { for x in 40..<44 { plane[row * 640 + x] &+= UInt8(changed) } }
                        }
                    }
                    test.tile.mailbox.put(VideoFrame(buffer))
                    test.update()
                    test.pass(.milliseconds(200))
                }
            }
        }
        try play(4) { 40 + 9 * $0 }
        try play(20) { _ in 60 }
        #expect((test.tile.state == .frozen) == isFrozen, "\(what): \(test.tile.state)")
    }
}
