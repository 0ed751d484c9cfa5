import MediaIO
import TestSupport
import Testing
import VideoWall

/// Tiles that move over each other: drawing only the changes gives the same picture as drawing everything.
@Suite(.everyRenderer) struct TransitionDrawingTests {
    private static let size = VideoSize(width: 96, height: 64)

    @Test(.renderTurn, arguments: [UInt64(1), 2]) func manyRandomTransitions(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let test = try TestWall(layout: GridLayout(gap: 2))
        let time = Monitor(MonotonicTime(sinceBoot: .seconds(100)))
        test.wall.now = { time.withLock { $0 } }
        test.wall.transitionTime = .milliseconds(100)
        let kept = try test.renderer.makeOffscreenTarget(size: Self.size)
        let whole = try test.renderer.makeOffscreenTarget(size: Self.size)
        let pictures = try (0..<6).map { index in
            let size = VideoSize(width: 8 + 7 * index, height: 20)
            return try SamplePicture.random(index % 2 == 0 ? .i420 : .nv12, size, seed: UInt64(index)).buffer()
        }
        var (moving, partly) = (0, 0)
        for step in 0..<400 {
            time.withLock { $0 = $0 + .milliseconds(Int.random(in: 0..<30, using: &random)) }
            if step % 5 == 0 || !test.wall.isInTransition { change(test.wall, &random) }
            if Int.random(in: 0..<3, using: &random) == 0, let picture = pictures.randomElement(using: &random) {
                test.wall.tiles.randomElement(using: &random)?.mailbox.put(VideoFrame(picture))
            }
            test.wall.update(size: Self.size)
            if test.wall.isInTransition {
                moving += 1
                let pixels = test.wall.scene.damage.reduce(0) { $0 + $1.width * $1.height }
                if pixels < Self.size.width * Self.size.height / 2 { partly += 1 }
            }
            try test.renderer.render(test.wall.scene, into: kept)
            whole.invalidate()
            try test.renderer.render(test.wall.scene, into: whole)
            try #require(try kept.readPixels() == whole.readPixels(), "seed \(seed), step \(step)")
        }
        #expect(moving > 100 && partly > 10, "\(moving), \(partly)")
    }

    private func change(_ wall: Wall, _ random: inout SeededGenerator) {
        let tile = wall.tiles.randomElement(using: &random)
        let index = Int.random(in: 0..<5, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1: wall.addTile(named: "new").filter = .bilinear
        case 2 where wall.tiles.count > 3: tile.map(wall.remove)
        case 3: tile.map { wall.move($0, to: 0) }
        case 4: wall.focus = Bool.random(using: &random) ? nil : tile?.id
        case 5: wall.layout = PictureInPictureLayout(index: index, gap: 1, margin: 2)
        case 6: wall.layout = SpotlightLayout(index: index, gap: 1)
        case 7: wall.layout = StripLayout(index: index)
        case 8: tile?.contentMode = ContentMode.allCases.randomElement(using: &random) ?? .fit
        default: wall.layout = GridLayout(gap: index)
        }
        while wall.tiles.count > 6 { wall.remove(wall.tiles[0]) }
    }

    /// The picture is that of the tiles drawn one over the other from the bottom to the top of the order.
    @Test(.renderTurn) func theOrderIsDrawn() throws {
        let layout = PictureInPictureLayout(index: 2, corner: .topLeft, share: 0.5)
        let test = try TestWall(layout: layout)
        for value in [UInt8(60), 120, 180] {
            let size = VideoSize(width: 24, height: 16)
            let bytes = [UInt8](repeating: value, count: 24 * 16)
            test.add(try VideoFrame(copying: bytes.span.bytes, format: .gray8, size: size), filter: .nearest)
        }
        let target = try test.renderer.makeOffscreenTarget(size: Self.size)
        try test.renderer.render(test.wall, into: target)
        let pixels = try target.readPixels()
        func gray(_ x: Int, _ y: Int) -> UInt8 { pixels[(y * Self.size.width + x) * 4] }
        let (first, second, large) = (gray(10, 10), gray(60, 10), gray(90, 60))
        #expect(first < second && second < large && gray(10, 40) == large)
        // A new frame of the large tile does not cover the small ones.
        let bytes = [UInt8](repeating: 250, count: 24 * 16)
        test.wall.tiles[2].mailbox.put(
            try VideoFrame(copying: bytes.span.bytes, format: .gray8, size: VideoSize(width: 24, height: 16)))
        try test.renderer.render(test.wall, into: target)
        let after = try target.readPixels()
        #expect(after[(10 * Self.size.width + 10) * 4] == first && after[(60 * Self.size.width + 90) * 4] > large)
    }
}
