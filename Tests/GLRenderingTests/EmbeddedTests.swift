import HeadlessGL
import MediaIO
import TestSupport
import Testing
import TextRaster
import VideoEffects
import VideoWall
import VitrailGL

@testable import GLRendering

/// OpenGL ES gives the same pictures as OpenGL.
///
/// With `VITRAIL_GLES` in the environment, all tests of this module draw with it.
@Suite(.renderTurn) struct EmbeddedTests {
    private let desktop: Drawing
    private let embedded: Drawing

    /// A wall of one tile in a context of its own.
    private struct Drawing {
        let context: GLContext
        let renderer: GLRenderer
        let wall = Wall(text: TextRasterizer())

        init(_ interface: GLInterface) throws {
            context = try HeadlessContext.make(interfaces: [interface])
            renderer = try GLRenderer(context: context)
        }

        func picture(
            _ frame: VideoFrame, _ format: PictureFormat = .rgba8, _ configure: (WallTile) throws -> Void = { _ in }
        ) throws -> RGBAImage {
            let size = VideoSize(width: 61, height: 47)
            for tile in wall.tiles { wall.remove(tile) }
            let tile = wall.addTile(named: "tile")
            tile.mailbox.put(frame)
            try configure(tile)
            let target = try renderer.makeOffscreenTarget(size: size, format: format)
            try renderer.render(wall, into: target)
            #expect(tile.notice == nil)
            return RGBAImage(size: size, bytes: try target.readPixels())
        }
    }

    init() throws {
        desktop = try Drawing(.desktop)
        embedded = try Drawing(.embedded)
    }

    private func expectEqual(
        _ frame: VideoFrame, _ comment: String = "", _ configure: (WallTile) throws -> Void = { _ in }
    ) throws {
        let expected = try desktop.picture(frame, .rgba8, configure)
        let worst = try embedded.picture(frame, .rgba8, configure).largestDifference(from: expected)
        #expect(worst.value <= 1, "\(comment) \(worst)")
        #expect(Set(expected.bytes).count > 3, "\(comment)")
    }

    private let size = VideoSize(width: 34, height: 22)

    @Test func theContextSaysWhatItIs() {
        #expect(desktop.context.information.interface == .desktop)
        #expect(embedded.context.information.interface == .embedded)
        #expect(embedded.context.information.version.hasPrefix("OpenGL ES 3"))
    }

    @Test(arguments: [
        PixelFormat.i420, .nv12, .yuyv, .p010, .v210, .bgra32, .rgb565, .rgba64f, .grbg8, .gray8,
    ])
    func formats(_ format: PixelFormat) throws {
        let frame = VideoFrame(try SamplePicture.random(format, size).buffer(padding: 3))
        try expectEqual(frame) { $0.filter = .nearest }
        try expectEqual(frame) { $0.rotation = .clockwise90 }
    }

    @Test(arguments: ScalingFilter.allCases) func filters(_ filter: ScalingFilter) throws {
        let large = VideoSize(width: 350, height: 230)
        let space = ColorSpace(matrix: .bt2020, range: .limited, primaries: .bt2020, transfer: .pq)
        for (size, attributes) in [
            (size, FrameAttributes()), (large, FrameAttributes()), (large, FrameAttributes(colorSpace: space)),
        ] {
            try expectEqual(VideoFrame(SamplePicture.random(.nv12, size).buffer(), attributes: attributes)) {
                $0.filter = filter
                $0.label = "label"
            }
        }
    }

    @Test func effects() throws {
        let frame = VideoFrame(try SamplePicture.random(.nv12, size).buffer())
        for name in BuiltInEffects.names {
            let effect = try #require(try BuiltInEffects.effect(named: name))
            // They need files, or other tiles.
            guard !effect.parameters.contains(where: { $0.kind == .lut || $0.kind == .tile }) else { continue }
            try expectEqual(frame, name) { $0.effects = EffectChain([EffectChain.Step(effect)]) }
        }
    }

    @Test(arguments: [PictureFormat.bgra8, .rgb10a2, .rgba16f, .rgba32f]) func pictures(_ format: PictureFormat) throws
    {
        let frame = VideoFrame(try SamplePicture.random(.nv12, size).buffer())
        let expected = try desktop.picture(frame, format)
        // The last bits of floating-point numbers may differ.
        let same = zip(try embedded.picture(frame, format).bytes, expected.bytes).count { abs(Int($0) - Int($1)) <= 1 }
        #expect(Double(same) >= 0.99 * Double(expected.bytes.count))
        #expect(Set(expected.bytes).count > 10)
    }

    @Test func whatIsMissingIsNamed() throws {
        let tile = embedded.wall.addTile(named: "tile")
        tile.mailbox.put(VideoFrame(try SamplePicture.random(.xrgb1555, size).buffer()))
        let target = try embedded.renderer.makeOffscreenTarget(size: size)
        try embedded.renderer.render(embedded.wall, into: target)
        #expect(tile.notice?.contains("convert the frames to rgba32") == true)
    }
}
