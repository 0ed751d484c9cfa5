@preconcurrency import CVitrailEpoxy
import HeadlessGL
import MediaIO
import TestSupport
import Testing
import VideoWall
import VitrailGL

@testable import GLRendering
@testable import SoftwareRendering

/// Frames in textures of another context look like the same frames in memory, and go back when they are drawn.
@Suite(.renderTurn) struct TextureFrameTests {
    private let wall: TestWall
    private let producer: TextureProducer

    init() throws {
        wall = try TestWall(with: .gl)
        producer = try TextureProducer(wall.context.shareGroup)
    }

    static let formats = PixelFormat.drawn.filter { PlaneSampling($0).hasTextureForEachPlane }

    private func failure(of frame: VideoFrame) throws -> String {
        var tile: WallTile?
        _ = try wall.picture(of: frame, frame.image.size) { tile = $0 }
        return tile?.notice ?? "It was drawn."
    }

    @Test(arguments: formats) func theyLookTheSame(_ format: PixelFormat) throws {
        for size in [
            VideoSize(width: 34, height: 22), VideoSize(width: 35, height: 23), VideoSize(width: 1, height: 1),
        ] {
            let planes = VideoFrame(try SamplePicture.random(format, size).buffer(padding: 3))
            var frame = try producer.frame(planes)
            #expect(try wall.picture(of: frame, size) == wall.picture(of: planes, size), "\(size)")
            // The attributes apply as for any other frame.
            frame.attributes.rotation = .clockwise90
            var turned = planes
            turned.attributes.rotation = .clockwise90
            let other = VideoSize(width: 50, height: 61)
            #expect(
                try wall.picture(of: frame, other, filter: .catmullRom)
                    == wall.picture(of: turned, other, filter: .catmullRom))
        }
        #expect(Self.formats.contains(.rgba32) && Self.formats.contains(.i420) && Self.formats.contains(.nv12))
    }

    @Test func theyGoBackWhenTheyAreDrawn() throws {
        let size = VideoSize(width: 16, height: 16)
        let picture = try wall.renderer.makeOffscreenTarget(size: size)
        let tile = wall.wall.addTile(named: "texture")
        for number in 1...10 {
            tile.mailbox.put(try producer.frame(VideoFrame(SamplePicture.random(.nv12, size).buffer())))
            try wall.renderer.render(wall.wall, into: picture)
            _ = try picture.readPixels()
            // One is shown, one may be read by the GPU.
            #expect((max(0, number - 2)..<number).contains(producer.returned), "\(number)")
        }
        #expect(tile.statistics.drawn == 10 && tile.statistics.uploaded == 0)
        // Memory again, and no tile at all.
        tile.mailbox.put(VideoFrame(try SamplePicture.random(.nv12, size).buffer()))
        for _ in 0..<2 {
            picture.invalidate()
            try wall.renderer.render(wall.wall, into: picture)
        }
        #expect(producer.returned == 10)
        do {
            let removed = wall.wall.addTile(named: "removed")
            removed.mailbox.put(try producer.frame(VideoFrame(SamplePicture.random(.i420, size).buffer())))
            try wall.renderer.render(wall.wall, into: picture)
            wall.wall.remove(removed)
        }
        for _ in 0..<2 {
            _ = try picture.readPixels()
            picture.invalidate()
            try wall.renderer.render(wall.wall, into: picture)
        }
        #expect(producer.returned == 11)
    }

    @Test func whatCannotBeDrawnIsNamed() throws {
        let size = VideoSize(width: 16, height: 16)
        let planes = VideoFrame(try SamplePicture.random(.rgba32, size).buffer())
        let stranger = try TextureProducer(nil)
        #expect(try failure(of: stranger.frame(planes)).contains("shares nothing with the renderer's"))
        var image = try producer.frame(planes, claiming: VideoSize(width: 15, height: 16))
        #expect(try failure(of: image).contains("is 16x16, but its plane is 15x16"))
        image = try producer.frame(VideoFrame(SamplePicture.random(.yuyv, size).buffer()))
        #expect(try failure(of: image).contains("Textures of yuyv cannot be drawn"))
        image = VideoFrame(
            .texture(
                try TextureImage(
                    names: [99_999], format: .rgba32, size: size, fence: nil,
                    shareGroup: ObjectIdentifier(wall.context.shareGroup)
                ) {}))
        #expect(try failure(of: image).contains("There is no texture 99999"))
        image = VideoFrame(
            .texture(
                try TextureImage(
                    names: [1], format: .rgba32, size: size, fence: 0xDEAD0,
                    shareGroup: ObjectIdentifier(wall.context.shareGroup)
                ) {}))
        #expect(try failure(of: image).contains("is no GLsync"))
        #expect(stranger.returned == 1)
        // The tile goes on, and so does the CPU's renderer with an explanation.
        #expect(try failure(of: producer.frame(planes)) == "It was drawn.")
        let cpu = try TestWall(with: .cpu)
        var tile: WallTile?
        _ = try cpu.picture(of: producer.frame(planes), size) { tile = $0 }
        #expect(tile?.notice?.contains("glReadPixels") == true)
    }

    @Test func anotherThreadMakesThem() throws {
        let size = VideoSize(width: 34, height: 22)
        let planes = VideoFrame(try SamplePicture.random(.nv12, size).buffer())
        let made = Monitor<Result<VideoFrame, any Error>?>(nil)
        let group = wall.context.shareGroup
        // The renderer's context is current here, the other one there.
        try SystemThread(for: "the test") {
            let result = Result { try TextureProducer(group).frame(planes) }
            made.withLock { $0 = result }
        }.join()
        let frame = try #require(made.withLock { $0 }).get()
        #expect(try wall.picture(of: frame, size) == wall.picture(of: planes, size))
    }

    @Test(arguments: [PictureFormat.rgba8, .bgra8, .rgb10a2, .rgba16f]) func aWallInAWall(_ format: PictureFormat)
        throws
    {
        let size = VideoSize(width: 34, height: 22)
        wall.add(VideoFrame(try SamplePicture.random(.nv12, size).buffer()))
        let inner = try #require(wall.renderer as? GLRenderer).makeTextureTarget(size: size, format: format)
        try wall.renderer.render(wall.wall, into: inner)
        let expected = try wall.picture(size)
        // The same context, and another one.
        let difference = try wall.picture(of: inner.textureFrame(), size).largestDifference(from: expected)
        #expect(difference.value <= (format.depth > 8 ? 1 : 0), "\(difference)")
        let second = try GLRenderer(context: wall.context.shareGroup.makeContext())
        let outer = Wall()
        let tile = outer.addTile(named: "wall")
        tile.filter = .nearest
        try wall.context.use()
        tile.mailbox.put(try inner.textureFrame())
        let picture = try second.makeOffscreenTarget(size: size)
        try second.render(outer, into: picture)
        let bytes = try picture.readPixels()
        let other = RGBAImage(size: size, bytes: bytes).largestDifference(from: expected)
        #expect(other.value <= (format.depth > 8 ? 1 : 0), "\(other)")
        #expect(inner.textureName != 0)
    }

    @Test func picturesOfFullFloatsAreNoFrames() throws {
        let renderer = try #require(wall.renderer as? GLRenderer)
        let full = try renderer.makeTextureTarget(size: VideoSize(width: 4, height: 4), format: .rgba32f)
        #expect(throws: RenderingError.self) { try full.textureFrame() }
    }

    /// The last reference to a picture's texture may go on any thread, after its renderer and its context.
    @Test func anImageOutlivesItsRenderer() throws {
        let last: Monitor<VideoFrame?>
        do {
            let renderer = try GLRenderer(context: HeadlessContext.forTests())
            let picture = try renderer.makeTextureTarget(size: VideoSize(width: 4, height: 4))
            try renderer.render(Wall(), into: picture)
            last = Monitor(try picture.textureFrame())
        }
        try SystemThread(for: "the test") { last.withLock { $0 = nil } }.join()
    }
}

/// Makes textures in a context of its own.
final class TextureProducer {
    private let context: GLContext
    private let count = Monitor(0)

    /// Makes a context in a group, or one that shares with none.
    init(_ group: ShareGroup?) throws { context = try group?.makeContext() ?? HeadlessContext.forTests() }

    /// How many frames were released.
    var returned: Int { count.withLock { $0 } }

    /// One texture.
    private final class Plane: @unchecked Sendable {
        let texture: Texture
        init(_ texture: consuming Texture) { self.texture = texture }
    }

    private final class Keeper: @unchecked Sendable {
        var planes: [Plane] = []
        let fence: Fence
        init(_ planes: [Plane], _ fence: consuming Fence) {
            self.planes = planes
            self.fence = fence
        }
    }

    /// The planes of a frame as textures, one for each.
    func frame(_ frame: VideoFrame, claiming size: VideoSize? = nil) throws -> VideoFrame {
        try context.use()
        let buffer = try frame.pixelBuffer
        let sampling = PlaneSampling(buffer.format)
        let planes = try buffer.format.planes.indices.map { index in
            let format = try #require(sampling.views[index]).format
            let plane = buffer.format.planes[index]
            let texture = try Texture(
                context, format, width: plane.width(buffer.size), height: plane.height(buffer.size))
            buffer.withPlane(index) { texture.upload($0.bytes, bytesPerRow: $0.bytesPerRow) }
            return Plane(texture)
        }
        let keeper = Keeper(planes, Fence(context))
        context.flush()
        let image = try TextureImage(
            names: planes.map { $0.texture.name }, format: buffer.format, size: size ?? buffer.size,
            fence: keeper.fence.address, shareGroup: ObjectIdentifier(context.shareGroup)
        ) { [count] in
            withExtendedLifetime(keeper) { count.withLock { $0 += 1 } }
        }
        var frame = frame
        frame.image = .texture(image)
        return frame
    }
}
