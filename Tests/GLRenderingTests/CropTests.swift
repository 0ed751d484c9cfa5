import MediaIO
import Testing
import VideoWall

/// A frame whose crop rectangle leaves a part of it: only that part is seen, and nothing else shines through.
@Suite(.everyRenderer) struct CropTests {
    struct Case {
        let format: PixelFormat
        let crop: Rectangle

        static let size = VideoSize(width: 40, height: 26)
        static let crops = [
            Rectangle(x: 4, y: 2, width: 24, height: 16), Rectangle(x: 5, y: 3, width: 17, height: 11),
            Rectangle(x: 0, y: 0, width: 13, height: 26), Rectangle(x: 39, y: 25, width: 1, height: 1),
            Rectangle(x: 7, y: 0, width: 33, height: 25),
        ]
        static let formats: [PixelFormat] = [.i420, .nv12, .yuyv, .v210, .yuv9, .p010, .gray8, .bgra32, .gbrp]

        /// Whether a sample belongs to a pixel that is seen.
        func isSeen(_ letter: Character, _ x: Int, _ y: Int) -> Bool {
            let (columns, rows) = "UV".contains(letter) ? format.sharing : (1, 1)
            return crop.x / columns...(crop.x + crop.width - 1) / columns ~= x
                && crop.y / rows...(crop.y + crop.height - 1) / rows ~= y
        }

        /// Mild noise in what is seen; all around, what `around` gives.
        func picture(around: @escaping (Int, Int) -> Int) -> TestPicture {
            let noise = TestPicture.noise(format, Self.size)
            return TestPicture(format: format, size: Self.size) { letter, x, y in
                let most = (1 << format.bits(letter)) - 1
                if letter == "A" { return most }
                guard isSeen(letter, x, y) else { return around(x, y) * most / 255 }
                return most * 2 / 5 + noise.value(letter, x, y) / 8
            }
        }

        /// The seen pixels alone, each with its own chroma.
        func alone(_ whole: TestPicture) -> TestPicture {
            let (columns, rows) = format.sharing
            let full: PixelFormat = format.has("U") ? (format.bits("Y") == 10 ? .i410 : .i444) : format
            return TestPicture(format: full, size: VideoSize(width: crop.width, height: crop.height)) { letter, x, y in
                let isChroma = "UV".contains(letter)
                return whole.value(
                    letter, (crop.x + x) / (isChroma ? columns : 1), (crop.y + y) / (isChroma ? rows : 1))
            }
        }
    }

    static let space = ColorSpace(matrix: .bt709, range: .full)

    @Test(arguments: Case.formats) func isTheFrameOfThosePixels(_ format: PixelFormat) throws {
        let wall = try TestWall()
        wall.wall.colorConversion = .off
        for crop in Case.crops { try isTheFrameOfThosePixels(Case(format: format, crop: crop), wall) }
    }

    private func isTheFrameOfThosePixels(_ test: Case, _ wall: TestWall) throws {
        let whole = test.picture { x, y in (x + y) % 2 * 255 }
        for turn in ScalingTests.turns {
            let size = VideoSize(width: test.crop.width, height: test.crop.height)
            let shown = turn.rotation.isQuarterTurn ? size.transposed : size
            let cropped = try VideoFrame(
                whole.buffer(),
                attributes: FrameAttributes(
                    colorSpace: Self.space, rotation: turn.rotation, mirror: turn.mirror, crop: test.crop))
            let alone = try VideoFrame(
                test.alone(whole).buffer(),
                attributes: FrameAttributes(colorSpace: Self.space, rotation: turn.rotation, mirror: turn.mirror))
            // As large as it is, and each pixel three wide and two high.
            for target in [shown, VideoSize(width: shown.width * 3, height: shown.height * 2)] {
                let pictures = try [cropped, alone].map {
                    try wall.floats(of: $0, target, filter: .nearest) { $0.contentMode = .stretch }
                }
                let worst = zip(pictures[0], pictures[1]).flatMap { zip($0, $1).map { abs($0 - $1) * 255 } }.max()
                #expect(worst ?? 9 < 0.001, "\(test.crop) \(turn) \(target)")
            }
        }
    }

    @Test(arguments: Case.formats) func nothingElseShinesThrough(_ format: PixelFormat) throws {
        let wall = try TestWall()
        for crop in Case.crops { try nothingElseShinesThrough(Case(format: format, crop: crop), wall) }
    }

    private func nothingElseShinesThrough(_ test: Case, _ wall: TestWall) throws {
        let targets = [
            VideoSize(width: test.crop.width, height: test.crop.height),
            VideoSize(width: test.crop.width * 7 / 2 + 1, height: test.crop.height * 3),
            VideoSize(width: max(1, test.crop.width / 3), height: max(1, test.crop.height * 2 / 7)),
        ]
        let surroundings = [test.picture { x, y in (x + y) % 2 * 255 }, test.picture { _, _ in 0 }]
        for filter in [ScalingFilter.bilinear, .automatic, .lanczos] {
            for (turn, location) in zip(ScalingTests.turns.prefix(2), [ChromaLocation.left, .bottom]) {
                for target in targets {
                    let pictures = try surroundings.map { picture in
                        let frame = try VideoFrame(
                            picture.buffer(),
                            attributes: FrameAttributes(
                                colorSpace: Self.space, chromaLocation: location, rotation: turn.rotation,
                                mirror: turn.mirror, crop: test.crop))
                        return try wall.floats(of: frame, target, filter: filter) { $0.contentMode = .stretch }
                    }
                    #expect(pictures[0] == pictures[1], "\(test.crop) \(filter) \(turn) \(target)")
                }
            }
        }
    }

    @Test(arguments: VideoRotation.allCases) func theShapeIsThatOfTheCrop(_ rotation: VideoRotation) throws {
        let picture = TestPicture(format: .gray8, size: VideoSize(width: 40, height: 40)) { _, _, _ in 200 }
        let frame = try VideoFrame(
            picture.buffer(),
            attributes: FrameAttributes(rotation: rotation, crop: Rectangle(x: 3, y: 7, width: 30, height: 10)))
        let drawn = try draw(frame, in: VideoSize(width: 60, height: 60))
        for place in 0..<60 {
            let isBright = (20..<40).contains(place)
            let (across, down) = rotation.isQuarterTurn ? ((place, 30), (30, place)) : ((30, place), (place, 30))
            #expect((drawn.pixel(across.0, across.1) != [0, 0, 0]) == isBright)
            #expect(drawn.pixel(down.0, down.1) != [0, 0, 0])
        }
    }

    @Test func aCropBesideThePictureIsNone() throws {
        let size = VideoSize(width: 12, height: 8)
        let buffer = try TestPicture.noise(.i420, size).buffer()
        let whole = try draw(VideoFrame(buffer), in: size)
        for crop in [Rectangle(x: 12, y: 0, width: 4, height: 4), Rectangle(x: 2, y: 2, width: 0, height: 3)] {
            #expect(try draw(VideoFrame(buffer, attributes: FrameAttributes(crop: crop)), in: size) == whole)
        }
        // What sticks out is cut off.
        let corner = try draw(
            VideoFrame(buffer, attributes: FrameAttributes(crop: Rectangle(x: 6, y: 4, width: 100, height: 100))),
            in: VideoSize(width: 6, height: 4)
        )
        for y in 0..<4 { for x in 0..<6 { #expect(corner.pixel(x, y) == whole.pixel(6 + x, 4 + y)) } }
    }
}
