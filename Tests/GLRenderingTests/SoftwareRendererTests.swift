import MediaIO
import TestSupport
import Testing
import VideoWall

@testable import SoftwareRendering

/// What the CPU's renderer does that OpenGL's need not: threads, and effects by another renderer.
@Suite(.renderTurn) struct SoftwareRendererTests {
    private static let size = VideoSize(width: 96, height: 64)

    private static func frame(_ seed: UInt64) throws -> VideoFrame {
        VideoFrame(try SamplePicture.random(.nv12, VideoSize(width: 41, height: 33), seed: seed).buffer())
    }

    private static let inverted = "vec4 effect(vec2 uv) { return vec4(1.0 - sample(uv).rgb, 1.0); }"

    /// Effects lie under and over plain tiles; plain tiles lie under and over effects.
    @Test func overlappingTilesKeepTheirOrder() throws {
        let layout = FreeLayout([
            .init(x: 0, y: 0, width: 0.6, height: 0.6), .init(x: 0.2, y: 0.1, width: 0.5, height: 0.5),
            .init(x: 0.4, y: 0.3, width: 0.5, height: 0.5), .init(x: 0.1, y: 0.4, width: 0.5, height: 0.6),
        ])
        let pictures = try TestRenderer.allCases.map { renderer in
            let test = try TestWall(layout: layout, with: renderer)
            for index in 0..<4 {
                let tile = test.add(try Self.frame(UInt64(index)), filter: .bilinear)
                tile.contentMode = .stretch
                if index % 2 == 1 { tile.effects = EffectChain([try Effect(Self.inverted, file: "inverted")]) }
            }
            let first = try test.picture(Self.size)
            test.wall.tiles[0].mailbox.put(try Self.frame(9))
            return [first, try test.picture(Self.size)]
        }
        for (gl, cpu) in zip(pictures[0], pictures[1]) {
            let worst = cpu.largestDifference(from: gl)
            #expect(worst.value <= 1, "(\(worst.x), \(worst.y))")
        }
        #expect(pictures[1][0] != pictures[1][1])
    }

    @Test func effectsThatCannotBeDrawnAreReported() throws {
        let wall = Wall(layout: GridLayout())
        let tile = wall.addTile(named: "tile")
        tile.mailbox.put(try Self.frame(1))
        let renderer = SoftwareRenderer(threadCount: 1)
        let picture = try renderer.makeOffscreenTarget(size: Self.size)
        try renderer.render(wall, into: picture)
        let plain = try picture.readPixels()
        tile.effects = EffectChain([try Effect(Self.inverted, file: "inverted")])
        wall.effects = tile.effects
        try renderer.render(wall, into: picture)
        #expect(tile.report.effectFailure?.reason.contains("need OpenGL") == true)
        #expect(wall.report.effectFailure?.reason.contains("need OpenGL") == true)
        (tile.effects, wall.effects) = (EffectChain(), EffectChain())
        try renderer.render(wall, into: picture)
        #expect(tile.notice == nil && wall.report.effectFailure == nil)
        #expect(try picture.readPixels() == plain)
    }

    @Test(arguments: [2, 3, 7]) func threadsDrawWhatOneDraws(_ count: Int) throws {
        let pictures = try [1, count].map { threads in
            let wall = Wall(layout: GridLayout(gap: 3))
            for index in 0..<7 { wall.addTile(named: "\(index)").mailbox.put(try Self.frame(UInt64(index))) }
            let renderer = SoftwareRenderer(threadCount: threads)
            renderer.fewPixels = 0
            let picture = try renderer.makeOffscreenTarget(size: VideoSize(width: 301, height: 203))
            // Again and again: threads take strips as they come.
            return try (0..<20).map { round in
                wall.tiles[round % 7].mailbox.put(try Self.frame(UInt64(round)))
                try renderer.render(wall, into: picture)
                return try picture.readPixels()
            }
        }
        #expect(pictures[0] == pictures[1])
    }

    /// A camera lends few buffers.
    @Test func aHiddenTileKeepsNoFrame() throws {
        let released = Monitor(0)
        let size = VideoSize(width: 16, height: 16)
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 * 16, alignment: 64)
        bytes.initializeMemory(as: UInt8.self, repeating: 99)
        defer { bytes.deallocate() }
        let wall = Wall(layout: GridLayout())
        let (tile, other) = (wall.addTile(named: "a"), wall.addTile(named: "b"))
        let plane = PixelBuffer.Plane(bytes: UnsafeRawBufferPointer(bytes), bytesPerRow: 16)
        tile.mailbox.put(
            VideoFrame(
                try PixelBuffer(lending: [plane], format: .gray8, size: size) { released.withLock { $0 += 1 } }))
        let renderer = SoftwareRenderer(threadCount: 2)
        let picture = try renderer.makeOffscreenTarget(size: Self.size)
        try renderer.render(wall, into: picture)
        #expect(released.withLock { $0 } == 0 && tile.report.uploaded == 1)
        wall.focus = other.id
        try renderer.render(wall, into: picture)
        tile.clear()
        #expect(released.withLock { $0 } == 1)
    }

    /// NaN and infinity do not spoil neighbouring pixels.
    @Test(arguments: [ScalingFilter.nearest, .bilinear, .lanczos]) func everyHalfFloatIsAColor(_ filter: ScalingFilter)
        throws
    {
        let size = VideoSize(width: 256, height: 64)
        let buffer = try PixelBuffer(format: .rgba64f, size: size) { planes in
            for row in 0..<size.height {
                planes.withRowBytes(row, ofPlane: 0) { bytes in
                    for column in 0..<size.width {
                        let value = UInt16(row * 1024 + column * 4)
                        for part in 0..<3 {
                            bytes.storeBytes(of: value, toByteOffset: column * 8 + part * 2, as: UInt16.self)
                        }
                        bytes.storeBytes(of: 0x3C00, toByteOffset: column * 8 + 6, as: UInt16.self)
                    }
                }
            }
        }
        let test = try TestWall(with: .cpu)
        let space = ColorSpace(matrix: .rgb, range: .full, transfer: .sRGB)
        let frame = VideoFrame(buffer, attributes: FrameAttributes(colorSpace: space))
        _ = try test.floats(of: frame, VideoSize(width: 200, height: 50), filter: filter)
        guard filter == .nearest else { return }
        let picture = try test.picture(of: frame, size, filter: filter)
        // 0, 1, infinity, not a number, minus one.
        let places = [(0, 0), (0, 15), (0, 31), (4, 31), (0, 47)]
        #expect(places.map { picture.pixel($0.0, $0.1)[0] } == [0, 255, 255, 0, 0])
    }

    @Test func itsNameSaysHowItDraws() {
        #expect(SoftwareRenderer(threadCount: 1).name.hasSuffix("1 thread"))
        #expect(SoftwareRenderer(threadCount: 3).name.hasSuffix("3 threads"))
    }
}
