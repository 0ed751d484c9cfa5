// The code of the article of the same name.
import GLRendering
import HeadlessGL
import MediaEngine
import MediaIO
import VideoWall
import VitrailGL
import WallRendering

/// What a host has: its framebuffer and its size.
struct HostSurface {
    var framebuffer: UInt32
    var width: Int
    var height: Int
}

final class EmbeddedWall {
    let wall = Wall()
    private let renderer: GLRenderer
    private let target: GLFramebufferTarget

    /// Called while the host's context is current.
    init() throws {
        let context = try GLContext.current()
        renderer = try GLRenderer(context: context, restoresState: true)
        target = GLFramebufferTarget(
            context: context, framebuffer: 0, rectangle: Rectangle(x: 0, y: 0, width: 640, height: 360))
    }

    func draw(on surface: HostSurface) throws {
        target.framebuffer = surface.framebuffer
        target.rectangle = Rectangle(x: 0, y: 0, width: surface.width, height: surface.height)
        try renderer.render(wall, into: target)
    }
}

func composeOneself(context: GLContext, wall: Wall, draw: (UInt32) -> Void) throws {
    let renderer = try GLRenderer(context: context, restoresState: true)
    let picture = try renderer.makeTextureTarget(size: VideoSize(width: 1280, height: 720))
    try renderer.render(wall, into: picture)
    draw(picture.textureName)
}

func textures(
    renderer: GLRenderer, tile: WallTile, names: [UInt32], fence: UInt, size: VideoSize,
    giveBack: @escaping @Sendable () -> Void
) throws {
    let group = renderer.context.shareGroup
    let image = try TextureImage(
        names: names, format: .rgba32, size: size, fence: fence, shareGroup: ObjectIdentifier(group), release: giveBack)
    tile.mailbox.put(VideoFrame(.texture(image)))
    let engine = VideoEngine(textures: group)
    engine.dispose()
    let mine = try group.makeContext()
    print(mine.information.version)
}

func small() throws {
    let context = try HeadlessContext.make(interfaces: [.embedded])
    print(context.information.interface == .embedded)
}

func wallAsSource(_ engine: VideoEngine, _ door: FrameMailbox) throws {
    let rendered = RenderedWall(size: VideoSize(width: 1280, height: 720), rate: Rational(30)) {
        let wall = Wall()
        wall.addTile(named: "door", mailbox: door)
        return wall
    }
    rendered.change { wall in wall.tiles[0].mirror = .horizontal }
    try engine.setVideoSource(rendered)
}

func pictures(of rendered: RenderedWall, _ analyse: (VideoFrame) -> Void) async throws {
    for await picture in try await rendered.pictures() { analyse(picture) }
}
