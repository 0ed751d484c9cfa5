import GLRendering
import MediaIO
import TestSupport
import Testing
import VideoWall
import VitrailGL

/// What a wall does besides converting: states of tiles, statistics, focus, read-back.
@Suite(.renderTurn) struct WallTests {
    @Test(.everyRenderer) func anIdleWallHasNothingToDo() throws {
        let wall = try TestWall()
        let tile = wall.add(try frame())
        let target = try wall.renderer.makeOffscreenTarget(size: VideoSize(width: 64, height: 36))
        #expect(try wall.renderer.render(wall.wall, into: target))
        let before = tile.statistics
        for _ in 0..<10 { #expect(try wall.renderer.render(wall.wall, into: target) == false) }
        #expect(tile.statistics == before)
        tile.mailbox.put(try frame())
        #expect(try wall.renderer.render(wall.wall, into: target))
    }

    @Test(.everyRenderer) func framesAreCounted() throws {
        let wall = try TestWall()
        let tile = wall.add(try frame())
        tile.mailbox.put(try frame())
        tile.mailbox.put(try frame())
        _ = try wall.picture(VideoSize(width: 64, height: 36))
        _ = try wall.picture(VideoSize(width: 64, height: 36))
        var expected = TileStatistics()
        (expected.received, expected.dropped, expected.uploaded, expected.drawn) = (3, 2, 1, 2)
        #expect(tile.statistics == expected)
    }

    @Test func aFrameThatIsTooLargeIsTheTilesOwnTrouble() throws {
        let wall = try TestWall()
        let limit = wall.context.information.maximumTextureSize
        try #require(limit < PixelBuffer.maximumSide)
        let large = try PixelBuffer(format: .i420, size: VideoSize(width: limit + 1, height: 1)) { _ in }
        let tile = wall.add(VideoFrame(large))
        let other = wall.add(try frame())
        _ = try wall.picture(VideoSize(width: 320, height: 90))
        #expect(tile.statistics.failed == 1)
        #expect(tile.notice?.contains("\(limit)") == true)
        #expect(other.notice == nil)
        #expect(other.statistics.uploaded == 1)
        tile.mailbox.put(try frame())
        _ = try wall.picture(VideoSize(width: 320, height: 90))
        #expect(tile.notice == nil)
    }

    @Test(.everyRenderer) func aTileSaysWhatIsAwaitedAndWhatIsWrong() throws {
        let wall = try TestWall()
        let tile = wall.wall.addTile(named: "Eingang / 入口 / مدخل")
        let size = VideoSize(width: 480, height: 270)
        let waiting = try wall.picture(size)
        #expect(tile.notice == "no frame yet")
        #expect(ink(waiting) > 200)
        tile.mailbox.sourceDidChange(.failed("the camera was unplugged"))
        let failed = try wall.picture(size)
        #expect(tile.notice == "the camera was unplugged")
        #expect(failed != waiting)
        // An existing frame stays, with the notice over it.
        tile.mailbox.put(try frame())
        _ = try wall.picture(size)
        tile.mailbox.sourceDidChange(.failed("gone"))
        let over = try wall.picture(size)
        #expect(over.pixel(240, 60) != waiting.pixel(2, 2))
        tile.mailbox.sourceDidChange(.live)
        #expect(try wall.picture(size) != over)
        #expect(tile.notice == nil)
    }

    @Test(.everyRenderer) func labelAndOverlayLieOverThePicture() throws {
        let wall = try TestWall()
        let tile = wall.add(try frame(40))
        let size = VideoSize(width: 480, height: 270)
        let plain = try wall.picture(size)
        tile.label = "Label"
        let labelled = try wall.picture(size)
        tile.label = nil
        wall.wall.overlay = "Overlay"
        let overlaid = try wall.picture(size)
        for texts in [labelled, overlaid] {
            #expect(ink(texts) > ink(plain) + 30)
            // Only the upper left corner has changed.
            for y in 0..<270 {
                for x in 0..<480 where x > 200 || y > 60 { try #require(texts.pixel(x, y) == plain.pixel(x, y)) }
            }
        }
        wall.wall.overlay = nil
        #expect(try wall.picture(size) == plain)
    }

    @Test func texturesGoWithTheirTiles() throws {
        let wall = try TestWall()
        let before = wall.context.textureCount
        for round in 0..<3 {
            let tiles = try (0..<4).map { _ in wall.add(try frame()) }
            tiles[0].label = "label"
            tiles[1].mailbox.sourceDidChange(.failed("notice"))
            _ = try wall.picture(VideoSize(width: 320, height: 180))
            #expect(wall.context.textureCount >= before + 4 * 3 + 2, "round \(round)")
            for tile in tiles { wall.wall.remove(tile) }
            _ = try wall.picture(VideoSize(width: 320, height: 180))
        }
        #expect(wall.context.textureCount == before)
    }

    @Test func aWallThatRunsMakesNoTexture() throws {
        let wall = try TestWall()
        let tile = wall.add(try frame())
        let picture = try wall.renderer.makeOffscreenTarget(size: VideoSize(width: 64, height: 36))
        try wall.renderer.render(wall.wall, into: picture)
        let before = wall.context.textureCount
        for luma in 0..<20 {
            tile.mailbox.put(try frame(UInt8(luma * 10)))
            try wall.renderer.render(wall.wall, into: picture)
        }
        #expect(wall.context.textureCount == before)
        #expect(tile.statistics.uploaded == 21)
    }

    @Test(.everyRenderer) func aTextThatDoesNotFitIsNoTrouble() throws {
        let wall = try TestWall()
        for name in ["", String(repeating: "wide ", count: 400), "\u{1}\u{FFFE}\n\n\n"] {
            wall.wall.addTile(named: name)
        }
        for size in [(1, 1), (7, 3), (40, 40), (300, 20)] {
            _ = try wall.picture(VideoSize(width: size.0, height: size.1))
        }
        #expect(wall.wall.tiles.allSatisfy { $0.statistics.failed == 0 })
    }

    @Test(.everyRenderer) func focusShowsOneTile() throws {
        let wall = try TestWall()
        wall.add(try frame(40))
        let second = wall.add(try frame(200))
        let size = VideoSize(width: 64, height: 36)
        let both = try wall.picture(size)
        wall.wall.focus = second.id
        let one = try wall.picture(size)
        #expect(wall.wall.tile(atX: 1, y: 1) === second)
        #expect(try one == draw(frame(200), in: size))
        wall.wall.focus = nil
        #expect(try wall.picture(size) == both)
    }

    @Test(.everyRenderer) func aTileThatIsNotSeenCostsNothing() throws {
        let wall = try TestWall()
        let first = wall.add(try frame(40))
        let hidden = wall.add(try frame(200))
        let target = try wall.renderer.makeOffscreenTarget(size: VideoSize(width: 64, height: 36))
        try wall.renderer.render(wall.wall, into: target)
        wall.wall.focus = first.id
        try wall.renderer.render(wall.wall, into: target)
        hidden.mailbox.put(try frame(90))
        #expect(try wall.renderer.render(wall.wall, into: target) == false)
        #expect(hidden.statistics.uploaded == 1)
        wall.wall.focus = nil
        #expect(try wall.renderer.render(wall.wall, into: target))
        #expect(hidden.statistics.uploaded == 2)
    }

    @Test(.everyRenderer, arguments: [(1, 1), (2, 2), (3, 5), (35, 23), (64, 36)])
    func i420ReadBackIsTheMeanOfItsPixels(
        _ width: Int, _ height: Int
    ) throws {
        let size = VideoSize(width: width, height: height)
        let wall = try TestWall()
        wall.add(try VideoFrame(SamplePicture.random(.i420, size).buffer()))
        let rgba = try wall.picture(size)
        let picture = try wall.renderer.makeOffscreenTarget(size: size)
        try wall.renderer.render(wall.wall, into: picture)
        let pool = PixelBufferPool()
        for matrix in ColorSpace.Matrix.allCases {
            for range in ColorSpace.Range.allCases {
                let buffer = try picture.readI420(colorSpace: ColorSpace(matrix: matrix, range: range), pool: pool)
                #expect(largestError(buffer, rgba, matrix, range) <= 1, "\(matrix) \(range)")
            }
        }
        #expect(pool.count == 1)
    }

    @Test(.everyRenderer) func aPictureBeyondTheLimitIsRefusedWithItsNumber() throws {
        let renderer = try TestWall().renderer
        let limit = renderer.maximumSide
        #expect {
            _ = try renderer.makeOffscreenTarget(size: VideoSize(width: 100_000, height: 8))
        } throws: {
            let words = TestRenderer.current == .gl ? "GL_MAX_TEXTURE_SIZE is \(limit)" : "1 to \(limit) pixels"
            return "\($0)".contains("100000x8") && "\($0)".contains(words)
        }
    }

    private func frame(_ luma: UInt8 = 120) throws -> VideoFrame {
        let size = VideoSize(width: 32, height: 18)
        let samples = SamplePicture(
            format: .i420, size: size, luma: { _, _ in luma }, cb: { _, _ in 100 }, cr: { _, _ in 150 })
        return try VideoFrame(samples.buffer())
    }

    private func ink(_ image: RGBAImage) -> Int {
        stride(from: 0, to: image.bytes.count, by: 4).count { image.bytes[$0] > 100 }
    }

    /// Against H.273's equations, from the pixels that were drawn.
    private func largestError(
        _ buffer: PixelBuffer, _ image: RGBAImage, _ matrix: ColorSpace.Matrix, _ range: ColorSpace.Range
    ) -> Double {
        let weights: [ColorSpace.Matrix: (Double, Double)] = [
            .bt601: (0.299, 0.114), .bt709: (0.2126, 0.0722), .bt2020: (0.2627, 0.0593), .smpte240m: (0.212, 0.087),
            .fcc: (0.30, 0.11),
        ]
        func components(_ rgb: [Double]) -> [Double] {
            if let (kr, kb) = weights[matrix] {
                let y = kr * rgb[0] + (1 - kr - kb) * rgb[1] + kb * rgb[2]
                return [y, (rgb[2] - y) / (2 * (1 - kb)), (rgb[0] - y) / (2 * (1 - kr))]
            }
            guard matrix == .ycgco else { return [rgb[1], rgb[2], rgb[0]] }
            return [
                (rgb[0] + 2 * rgb[1] + rgb[2]) / 4, (2 * rgb[1] - rgb[0] - rgb[2]) / 4, (rgb[0] - rgb[2]) / 2,
            ]
        }
        func encode(_ rgb: [Double]) -> [Double] {
            let black = range == .full ? 0.0 : 16
            let luma = range == .full ? 1.0 : 219.0 / 255
            let chroma = range == .full ? 1 : matrix == .ycgco ? luma : 224.0 / 255
            let values = components(rgb)
            return matrix == .rgb
                ? values.map { $0 * luma + black }
                : [values[0] * luma + black, values[1] * chroma + 128, values[2] * chroma + 128]
        }
        var worst = 0.0
        for (index, plane) in PixelFormat.i420.planes.enumerated() {
            let block = index == 0 ? 1 : 2
            for y in 0..<plane.height(image.size) {
                for x in 0..<plane.width(image.size) {
                    var mean = [0.0, 0, 0]
                    for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                        let pixel = image.pixel(
                            min(image.size.width - 1, x * block + dx % block),
                            min(image.size.height - 1, y * block + dy % block))
                        for part in 0..<3 { mean[part] += Double(pixel[part]) / 4 }
                    }
                    let expected = min(255, max(0, encode(mean)[index]))
                    let actual = buffer.withPlane(index) { Double($0.bytes[y * $0.bytesPerRow + x]) }
                    worst = max(worst, abs(actual - expected))
                }
            }
        }
        return worst
    }

    /// No texture is as wide as this image.
    @Test func anOverlayThatCannotBeDrawnIsReported() throws {
        let wall = try TestWall()
        let size = VideoSize(width: 64, height: 64)
        let image = CoverageImage(
            [UInt8](repeating: 255, count: 40_000), size: VideoSize(width: 40_000, height: 1), bytesPerRow: 40_000)
        wall.wall.overlays = [WallOverlay(image, x: 0, y: 0)]
        for _ in 0..<2 { _ = try wall.picture(size) }
        guard wall.renderer is GLRenderer else {
            #expect(wall.wall.report.failure == nil)
            return
        }
        #expect(wall.wall.report.failure?.contains("40000x1 pixels cannot be drawn") == true)
        wall.wall.overlays = []
        _ = try wall.picture(size)
        _ = try wall.picture(size)
        #expect(wall.wall.report.failure == nil)
    }
}
