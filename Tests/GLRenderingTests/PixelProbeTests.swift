import MediaIO
import TestSupport
import Testing
import VideoWall

/// ``WallRenderer/sample(atX:y:of:)`` with known frames.
@Suite(.renderTurn, .everyRenderer) struct PixelProbeTests {
    static let formats = PixelFormat.drawn.filter { !$0.isBayer }

    @Test(arguments: formats) func tellsSamplesAndColor(_ format: PixelFormat) throws {
        let size = VideoSize(width: 35, height: 23)
        let picture = TestPicture.noise(format, size)
        let wall = try TestWall()
        wall.wall.colorConversion = .off
        let tile = wall.add(
            try VideoFrame(
                picture.buffer(padding: 1),
                attributes: FrameAttributes(colorSpace: ColorSpace(matrix: .bt709, range: .limited))))
        let (columns, rows) = format.sharing
        for (x, y) in [(0, 0), (34, 22), (17, 5), (8, 21), (3, 3)] {
            let sample = try #require(try wall.sample(x, y, size))
            #expect((sample.tile, sample.x, sample.y) == (tile.id, x, y))
            #expect(sample.format == format)
            let letters = format.layout.model == .rgb ? "RGB" : format.has("U") ? "YUV" : "Y"
            #expect(sample.components.map(\.name) == letters.map { String($0) })
            for (component, letter) in zip(sample.components, letters) {
                let isChroma = letter == "U" || letter == "V"
                let value = Double(picture.value(letter, isChroma ? x / columns : x, isChroma ? y / rows : y))
                // Half floats are reported unchanged.
                let difference = component.value - (format.layout.isFloat ? value / 65_535 : value)
                #expect(abs(difference) <= (format.layout.isFloat ? 1.0 / 2048 : 0), "\(letter) at \(x), \(y)")
            }
            for (color, expected) in zip(
                [sample.red, sample.green, sample.blue], picture.expected(x, y, .bt709, .limited))
            {
                // OpenGL ES expands 5 and 6 bits to 8, inexactly.
                #expect(abs(color * 255 - expected) < (drawsWithES && format == .rgb565 ? 1 : 0.26))
            }
        }
    }

    /// What is drawn as U is called U.
    @Test(arguments: [PixelFormat.i420, .nv12, .v210]) func swappedChromaIsNamedAsDrawn(_ format: PixelFormat) throws {
        let size = VideoSize(width: 6, height: 4)
        let wall = try TestWall()
        let tile = wall.add(try VideoFrame(TestPicture.noise(format, size).buffer()))
        let plain = try #require(try wall.sample(2, 1, size)).components.map(\.value)
        tile.colorOverride.swapsChroma = true
        let swapped = try #require(try wall.sample(2, 1, size)).components
        #expect(swapped.map(\.name) == ["Y", "U", "V"])
        #expect(swapped.map(\.value) == [plain[0], plain[2], plain[1]] && plain[1] != plain[2])
    }

    /// The colour is that of the same pixel of the wall, whatever is done to the picture on the way.
    @Test(arguments: [ScalingFilter.automatic, .nearest, .lanczos]) func isThePixelThatIsDrawn(_ filter: ScalingFilter)
        throws
    {
        let wall = try TestWall(layout: GridLayout(rows: 2, columns: 2, gap: 3))
        let rotations: [VideoRotation] = [.upright, .clockwise90, .clockwise180]
        for (index, format) in [PixelFormat.nv12, .p010, .bgra32].enumerated() {
            let picture = TestPicture.noise(format, VideoSize(width: 64, height: 36))
            let frame = try VideoFrame(
                picture.buffer(),
                attributes: FrameAttributes(
                    colorSpace: ColorSpace(matrix: .bt2020, range: .full, transfer: .pq),
                    mirror: index == 1 ? .horizontal : .unmirrored, crop: Rectangle(x: 3, y: 5, width: 41, height: 30)))
            let tile = wall.add(frame, filter: filter)
            tile.rotation = rotations[index]
            tile.contentMode = ContentMode.allCases[index]
        }
        let size = VideoSize(width: 123, height: 91)
        let picture = try wall.renderer.makeOffscreenTarget(size: size, format: .rgba32f)
        var found = Set<WallTile.ID>()
        for (x, y) in [(30, 20), (31, 40), (90, 20), (100, 7), (12, 70), (40, 80), (61, 45), (100, 80)] {
            let sample = try wall.sample(x, y, size)
            // Drawing continues undisturbed.
            picture.invalidate()
            try wall.renderer.render(wall.wall, into: picture)
            let drawn = try picture.readPixels().withUnsafeBytes { bytes in
                (0..<3).map { min(max(Double(bytes.bindMemory(to: Float.self)[(y * size.width + x) * 4 + $0]), 0), 1) }
            }
            guard let sample else {
                // The gap, the place without a tile, the bars beside a picture.
                #expect(drawn == [0, 0, 0])
                continue
            }
            found.insert(sample.tile)
            for (color, expected) in zip([sample.red, sample.green, sample.blue], drawn) {
                #expect(abs(color - expected) < 1e-4, "\(x), \(y)")
            }
        }
        #expect(found == Set(wall.wall.tiles.map(\.id)))
    }

    @Test func placesAreThoseOfTheSource() throws {
        let picture = TestPicture.noise(.i420, VideoSize(width: 64, height: 32))
        let wall = try TestWall()
        let tile = wall.add(
            try VideoFrame(
                picture.buffer(), attributes: FrameAttributes(crop: Rectangle(x: 10, y: 4, width: 40, height: 20))))
        let size = VideoSize(width: 80, height: 40)
        func place(_ x: Int, _ y: Int) throws -> [Int]? {
            try wall.sample(x, y, size).map { [$0.x, $0.y] }
        }
        #expect(try place(0, 0) == [10, 4])
        #expect(try place(79, 39) == [49, 23])
        tile.mirror = .horizontal
        #expect(try place(0, 0) == [49, 4])
        tile.rotation = .clockwise180
        #expect(try place(0, 0) == [10, 23])
        #expect(try place(80, 0) == nil)
        #expect(try place(-1, 3) == nil)
    }

    @Test func nothingWithoutAPicture() throws {
        let wall = try TestWall()
        let size = VideoSize(width: 16, height: 16)
        #expect(try wall.sample(3, 3, size) == nil)
        wall.wall.addTile(named: "waits")
        #expect(try wall.sample(3, 3, size) == nil)
        #expect(try wall.sample(0, 0, VideoSize(width: 0, height: 9)) == nil)
    }
}

extension TestWall {
    /// One pixel of the wall in a size.
    fileprivate func sample(_ x: Int, _ y: Int, _ size: VideoSize) throws -> PixelSample? {
        wall.update(size: size)
        return try renderer.sample(atX: x, y: y, of: wall.scene)
    }
}
