import Foundation
import HeadlessGL
import MediaIO
import TestSupport
import Testing
import VideoWall
import VitrailGL

@testable import GLRendering

/// Every filter against ``ScalingReference``: enlarged and reduced, rotated, in code values and in light.
@Suite(.everyRenderer) struct ScalingTests {
    struct Ratio: Sendable, CustomTestStringConvertible {
        let source: VideoSize
        let target: VideoSize
        /// Odd sources, so that no pixel of the target lies just between two samples, where `nearest` has a choice.
        static let all = [
            Ratio(source: VideoSize(width: 21, height: 13), target: VideoSize(width: 69, height: 43)),
            Ratio(source: VideoSize(width: 41, height: 25), target: VideoSize(width: 24, height: 15)),
            Ratio(source: VideoSize(width: 51, height: 33), target: VideoSize(width: 20, height: 13)),
            Ratio(source: VideoSize(width: 97, height: 63), target: VideoSize(width: 12, height: 8)),
            // Reduced in one direction, enlarged in the other.
            Ratio(source: VideoSize(width: 75, height: 11), target: VideoSize(width: 21, height: 30)),
        ]
        var testDescription: String { "\(source) to \(target)" }
    }

    static let turns = [
        GeometryTests.Turn(rotation: .upright, mirror: .unmirrored),
        GeometryTests.Turn(rotation: .clockwise90, mirror: .unmirrored),
        GeometryTests.Turn(rotation: .clockwise270, mirror: .horizontal),
        GeometryTests.Turn(rotation: .clockwise180, mirror: .vertical),
    ]

    @Test(arguments: ScalingFilter.allCases, Ratio.all)
    func agreesWithTheReference(_ filter: ScalingFilter, _ ratio: Ratio) throws {
        let wall = try TestWall()
        wall.wall.colorConversion = .off
        // Sixteen bits, because Mesa's software filter weighs eight bits in eight bits.
        let picture = TestPicture.noise(.rgba64, ratio.source)
        let buffer = try picture.buffer()
        // Blended over black, before anything else.
        let codes = (0..<ratio.source.height).map { y in
            (0..<ratio.source.width).map { x in
                let opacity = Double(picture.value("A", x, y)) / 65_535
                return "RGB".map { Double(picture.value($0, x, y)) / 65_535 * opacity }
            }
        }
        for isLinear in [false, true] {
            let reference = ScalingReference(filter: filter, isLinearLight: isLinear)
            let values = isLinear ? codes.map { $0.map { $0.map(ScalingReference.light) } } : codes
            let scaled = reference.scaled(values, to: ratio.target)
            let expected = isLinear ? scaled.map { $0.map { $0.map(ScalingReference.code) } } : scaled
            for turn in Self.turns {
                let shown = turn.rotation.isQuarterTurn ? ratio.target.transposed : ratio.target
                let space = ColorSpace(matrix: .rgb, range: .full, transfer: .sRGB)
                let frame = VideoFrame(
                    buffer, attributes: FrameAttributes(colorSpace: space, rotation: turn.rotation, mirror: turn.mirror)
                )
                let drawn = try wall.floats(of: frame, shown, filter: filter) {
                    $0.contentMode = .stretch
                    $0.scalesInLinearLight = isLinear
                }
                var worst = 0.0
                for y in 0..<shown.height {
                    for x in 0..<shown.width {
                        let source = turn.source(x, y, shown: shown)
                        for (value, other) in zip(drawn[y * shown.width + x], expected[source.y][source.x]) {
                            worst = max(worst, 255 * abs(min(1, max(0, value)) - min(1, max(0, other))))
                        }
                    }
                }
                #expect(worst < 0.01, "\(turn), light \(isLinear)")
            }
        }
    }

    /// Chroma is interpolated first, then scaled like luma; with four samples both are read at once.
    @Test(arguments: [ScalingFilter.automatic, .bilinear, .catmullRom, .lanczos], Ratio.all)
    func chromaIsScaledFromWhereItLies(_ filter: ScalingFilter, _ ratio: Ratio) throws {
        let wall = try TestWall()
        wall.wall.colorConversion = .off
        for location in [ChromaLocation.topLeft, .center, .left, .bottom] {
            try chromaIsScaledFromWhereItLies(filter, ratio, .i016, location, wall)
        }
        // Those that read several samples at once.
        guard filter == .automatic else { return }
        for format in [PixelFormat.i216, .i411, .yuv9] {
            for location in [ChromaLocation.left, .center] {
                try chromaIsScaledFromWhereItLies(filter, ratio, format, location, wall)
            }
        }
    }

    private func chromaIsScaledFromWhereItLies(
        _ filter: ScalingFilter, _ ratio: Ratio, _ format: PixelFormat, _ location: ChromaLocation, _ wall: TestWall
    ) throws {
        let noise = TestPicture.noise(format, ratio.source)
        let depth = format.bits("Y")
        let picture = TestPicture(format: format, size: ratio.source) { letter, x, y in
            94 << (depth - 8) + noise.value(letter, x, y) / 4
        }
        let frame = try VideoFrame(
            picture.buffer(),
            attributes: FrameAttributes(colorSpace: ColorSpace(matrix: .bt709, range: .full), chromaLocation: location))
        let drawn = try wall.floats(of: frame, ratio.target, filter: filter) { $0.contentMode = .stretch }
        let (w, h) = (ratio.source.width, ratio.source.height)
        func plane(_ letter: Character, _ w: Int, _ h: Int) -> [[[Double]]] {
            (0..<h).map { y in (0..<w).map { x in [Double(picture.value(letter, x, y))] } }
        }
        let luma = ScalingReference(filter: filter).scaled(plane("Y", w, h), to: ratio.target)
        let chroma = "UV".map { letter in
            let (columns, rows) = format.sharing
            let samples = plane(letter, (w + columns - 1) / columns, (h + rows - 1) / rows)
            /// The place among chroma samples, which lie on the first of `count` luma samples, in their middle or on the last.
            func chromaPlace(_ luma: Double, _ count: Int, _ place: Double) -> Double {
                (luma - 0.5 - place * Double(count - 1)) / Double(count) + 0.5
            }
            let between = ScalingReference(filter: .bilinear)
            func read(_ centersX: [Double], _ centersY: [Double]) -> [[[Double]]] {
                let wide = samples.map { row in
                    centersX.map {
                        between.weighted(row, center: chromaPlace($0, columns, location.place.x), ratio: 1)
                    }
                }
                return centersY.map { y in
                    centersX.indices.map { x in
                        between.weighted(
                            wide.map { $0[x] }, center: chromaPlace(y, rows, location.place.y), ratio: 1)
                    }
                }
            }
            let (across, down) = (Double(w) / Double(ratio.target.width), Double(h) / Double(ratio.target.height))
            if filter == .bilinear || filter == .automatic && max(across, down) <= 1 {
                return read(
                    (0..<ratio.target.width).map { (Double($0) + 0.5) * across },
                    (0..<ratio.target.height).map { (Double($0) + 0.5) * down })
            }
            // Beyond the edges, a kernel finds the outermost pixels.
            let full = read((0..<w).map { Double($0) + 0.5 }, (0..<h).map { Double($0) + 0.5 })
            return ScalingReference(filter: filter).scaled(full, to: ratio.target)
        }
        let converter = ReferenceConverter(matrix: .bt709, range: .full, depth: depth)
        var worst = 0.0
        for y in 0..<ratio.target.height {
            for x in 0..<ratio.target.width {
                let expected = converter.rgb(y: luma[y][x][0], cb: chroma[0][y][x][0], cr: chroma[1][y][x][0])
                for (value, other) in zip(drawn[y * ratio.target.width + x], expected) {
                    worst = max(worst, abs(value * 255 - other))
                }
            }
        }
        // Textures of eight bits are read less exactly.
        #expect(worst < (depth == 8 ? 0.06 : 0.01), "\(format) \(location)")
    }

    /// What most streams are, with the texture unit's own weights.
    @Test(arguments: [ScalingFilter.bilinear, .automatic], Ratio.all)
    func eightBitsAreScaledByTheTextureUnit(_ filter: ScalingFilter, _ ratio: Ratio) throws {
        let picture = TestPicture.noise(.rgb24, ratio.source)
        let codes = (0..<ratio.source.height).map { y in
            (0..<ratio.source.width).map { x in "RGB".map { Double(picture.value($0, x, y)) } }
        }
        let expected = ScalingReference(filter: filter).scaled(codes, to: ratio.target)
        let drawn = try draw(VideoFrame(picture.buffer()), in: ratio.target, filter: filter) {
            $0.contentMode = .stretch
        }
        var worst = 0.0
        for y in 0..<ratio.target.height {
            for x in 0..<ratio.target.width {
                for (value, other) in zip(drawn.pixel(x, y), expected[y][x]) {
                    worst = max(worst, abs(Double(value) - other))
                }
            }
        }
        // Mesa's software filter has weights of eight bits and rounds twice.
        #expect(worst < 1.6)
    }

    @Test(arguments: ScalingFilter.allCases) func flatStaysFlatAndARampARamp(_ filter: ScalingFilter) throws {
        let wall = try TestWall()
        wall.wall.colorConversion = .off
        for ratio in Ratio.all {
            for slope in [0, 400] {
                let picture = TestPicture(format: .gray16, size: ratio.source) { _, x, _ in 20_000 + slope * x }
                let frame = try VideoFrame(
                    picture.buffer(), attributes: FrameAttributes(colorSpace: ColorSpace(matrix: .rgb, range: .full)))
                let drawn = try wall.floats(of: frame, ratio.target, filter: filter) { $0.contentMode = .stretch }
                let step = Double(ratio.source.width) / Double(ratio.target.width)
                // Beyond the edges the ramp is flat; a kernel reaches three samples or three pixels of the target.
                let margin = slope == 0 ? 0 : Int((3 * max(1, 1 / step)).rounded(.up))
                var worst = 0.0
                for y in 0..<ratio.target.height where ratio.target.width > 2 * margin {
                    for x in margin..<ratio.target.width - margin {
                        let place = (Double(x) + 0.5) * step - 0.5
                        let expected = 20_000 + Double(slope) * place
                        worst = max(worst, abs(drawn[y * ratio.target.width + x][0] * 65_535 - expected))
                    }
                }
                // In units of 1/65535. The nearest sample is half a sample off; a kernel of a few lobes is not quite a line.
                let share = filter == .nearest ? 0.51 : filter == .automatic ? 0.1 : 0.03
                #expect(worst < Double(slope) * share + 2, "\(ratio) \(slope)")
            }
        }
    }

    @Test func automaticIsBilinearUnlessItReduces() throws {
        let source = VideoSize(width: 64, height: 36)
        let frame = try VideoFrame(TestPicture.noise(.i420, source).buffer())
        let wall = try TestWall()
        func isBilinear(_ width: Int, _ height: Int) throws -> Bool {
            let pictures = try [ScalingFilter.automatic, .bilinear].map { filter in
                try wall.picture(of: frame, VideoSize(width: width, height: height), filter: filter) {
                    $0.contentMode = .stretch
                }
            }
            return pictures[0] == pictures[1]
        }
        #expect(try isBilinear(200, 111) && isBilinear(64, 36))
        #expect(try !isBilinear(63, 36) && !isBilinear(64, 35) && !isBilinear(43, 24))
        // As it is where the CPU draws.
        wall.setAutomaticReduction(1.5)
        #expect(try isBilinear(200, 111) && isBilinear(47, 25) && isBilinear(43, 24))
        #expect(try !isBilinear(42, 24))
    }

    @Test func antialiasingDependsOnTheDriver() throws {
        try RenderTurn.lock.withLock {
            let context = try HeadlessContext.forTests()
            let renderer = try GLRenderer(context: context)
            #expect(renderer.automaticReduction == (context.information.isSoftware ? 1.5 : 1))
        }
    }

    /// Rings ever finer up to the finest there are: what the small picture cannot show has to become grey.
    @Test func anEighthOfAZonePlateHasNoMoire() throws {
        let side = 512
        let picture = TestPicture(format: .gray8, size: VideoSize(width: side, height: side)) { _, x, y in
            let (dx, dy) = (Double(x) + 0.5 - 256, Double(y) + 0.5 - 256)
            // A frequency of half a cycle a pixel at the middle of an edge.
            return Int((127.5 + 127.5 * cos(.pi * (dx * dx + dy * dy) / 512)).rounded())
        }
        let frame = try VideoFrame(
            picture.buffer(), attributes: FrameAttributes(colorSpace: ColorSpace(matrix: .rgb, range: .full)))
        let target = VideoSize(width: 64, height: 64)
        var residue: [ScalingFilter: Double] = [:]
        let wall = try TestWall()
        for filter in ScalingFilter.allCases {
            let drawn = try wall.picture(of: frame, target, filter: filter)
            // The small picture's finest rings lie at a radius of 4 of its pixels; no filter ends just there.
            if filter != .nearest && filter != .bilinear {
                #expect(Self.deviation(drawn, from: 8, to: 32) < 2, "\(filter)")
            }
            residue[filter] = Self.deviation(drawn, from: 4, to: 32)
        }
        let automatic = try #require(residue[.automatic])
        let bilinear = try #require(residue[.bilinear])
        #expect(automatic < 4 && automatic * 12 < bilinear, "\(automatic) \(bilinear)")
    }

    /// The standard deviation where the radius, in pixels of the small picture, is in a range.
    private static func deviation(_ picture: RGBAImage, from inner: Double, to outer: Double) -> Double {
        var values: [Double] = []
        for y in 0..<picture.size.height {
            for x in 0..<picture.size.width {
                let (dx, dy) = (Double(x) + 0.5 - 32, Double(y) + 0.5 - 32)
                let radius = (dx * dx + dy * dy).squareRoot()
                if radius >= inner, radius < outer { values.append(Double(picture.pixel(x, y)[0])) }
            }
        }
        let mean = values.reduce(0, +) / Double(values.count)
        return (values.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(values.count)).squareRoot()
    }
}
