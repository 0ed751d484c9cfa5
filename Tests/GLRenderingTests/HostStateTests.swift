@preconcurrency import CVitrailEpoxy
import GLRendering
import HeadlessGL
import MediaIO
import TestSupport
import Testing
import TextRaster
import VideoWall
import VitrailGL

/// Drawing in a context that a host uses, too: its state does no harm, and is put back when asked for.
@Suite(.renderTurn) struct HostStateTests {
    private let size = VideoSize(width: 34, height: 22)

    @Test(arguments: HostHabit.all) func whatAHostLeavesBehindDoesNoHarm(_ habit: HostHabit) throws {
        let expected = try picture { _ in }
        #expect(Set(expected).count > 20)
        #expect(try picture { _ in habit.set() } == expected)
    }

    /// Draws a frame of each of two formats, samples and reads back; `disturb` comes before each step.
    private func picture(_ disturb: (GLContext) -> Void) throws -> [UInt8] {
        let wall = try TestWall(disturb: disturb)
        disturb(wall.context)
        let target = try wall.renderer.makeOffscreenTarget(size: size)
        var bytes: [UInt8] = []
        for format in [PixelFormat.nv12, .i420] {
            wall.add(try VideoFrame(SamplePicture.random(format, size).buffer(padding: 3))).label = "label"
            disturb(wall.context)
            try wall.renderer.render(wall.wall, into: target)
            disturb(wall.context)
            bytes += try target.readPixels()
            disturb(wall.context)
            let planes = try target.readI420(
                colorSpace: ColorSpace(matrix: .bt709, range: .limited), pool: PixelBufferPool())
            bytes += planes.withPlane(0) { Array($0.bytes[..<size.width]) }
            disturb(wall.context)
            let sample = try #require(try wall.renderer.sample(atX: 9, y: 11, of: wall.wall.scene))
            bytes += [sample.red, sample.green, sample.blue].map { UInt8($0 * 255) }
        }
        #expect(wall.wall.tiles.allSatisfy { $0.report.failure == nil })
        return bytes
    }

    @Test func theHostsStateIsPutBack() throws {
        let wall = try TestWall()
        wall.add(try VideoFrame(SamplePicture.random(.i420, size).buffer()))
        let host = try Framebuffer(wall.context, .rgba8, width: 50, height: 40)
        host.bind()
        var name: GLint = 0
        epoxy_glGetIntegerv(GLenum(GL_FRAMEBUFFER_BINDING), &name)
        let target = GLFramebufferTarget(
            context: wall.context, framebuffer: UInt32(name),
            rectangle: Rectangle(x: 7, y: 9, width: size.width, height: size.height))
        // First without habits, so that everything is made.
        try wall.renderer.render(wall.wall, into: target)
        for habit in HostHabit.all where habit.isRestored { habit.set() }
        epoxy_glViewport(3, 4, 5, 6)
        epoxy_glClearColor(0.25, 0.5, 0.75, 1)
        let before = HostHabit.state()
        target.invalidate()
        try wall.renderer.render(wall.wall, into: target)
        #expect(HostHabit.state() == before)
        #expect(epoxy_glGetError() == GLenum(GL_NO_ERROR))
    }

    @Test func everyCallPutsTheStateBackIfAskedTo() throws {
        let context = try HeadlessContext.forTests()
        for habit in HostHabit.all where habit.isRestored { habit.set() }
        let before = HostHabit.state()
        func check(_ call: String) {
            #expect(HostHabit.state() == before, "\(call)")
            #expect(epoxy_glGetError() == GLenum(GL_NO_ERROR), "\(call)")
        }
        let renderer = try GLRenderer(context: context, restoresState: true)
        check("GLRenderer.init")
        let target = try renderer.makeOffscreenTarget(size: size)
        check("makeTextureTarget")
        let wall = Wall(text: TextRasterizer())
        let tile = wall.addTile(named: "tile")
        tile.label = "label"
        for format in [PixelFormat.nv12, .i420] {
            tile.mailbox.put(try VideoFrame(SamplePicture.random(format, size).buffer()))
            try renderer.render(wall, into: target)
            check("render")
            _ = try target.readPixels()
            check("readPixels")
            let space = ColorSpace(matrix: .bt709, range: .limited)
            _ = try target.readI420(colorSpace: space, pool: PixelBufferPool())
            check("readI420")
            tile.mailbox.put(try VideoFrame(SamplePicture.random(.gray8, size).buffer()))
            wall.update(size: size)
            _ = try renderer.sample(atX: 3, y: 4, of: wall.scene)
            check("sample")
        }
        let mapped = try GLRenderer(context: context, upload: .mapped, restoresState: true)
        try mapped.reserveFrameMemory(byteCount: 1 << 20)
        check("reserveFrameMemory")
        let limit = renderer.maximumSide
        #expect(throws: RenderingError.self) {
            _ = try renderer.makeOffscreenTarget(size: VideoSize(width: limit + 1, height: 1))
        }
        check("a call that throws")
    }

    @Test func theHostsContextIsCurrentAgain() throws {
        let renderer = try GLRenderer(context: HeadlessContext.forTests(), restoresState: true)
        let host = try HeadlessContext.forTests()
        let current = try #require(currentContext())
        func check(_ call: String) { #expect(currentContext() == current, "\(call)") }
        let target = try renderer.makeTextureTarget(size: size)
        check("makeOffscreenTarget")
        let wall = Wall(text: TextRasterizer())
        let tile = wall.addTile(named: "tile")
        for _ in 0..<2 {
            tile.mailbox.put(try VideoFrame(SamplePicture.random(.nv12, size).buffer()))
            try renderer.render(wall, into: target)
            check("render")
            // Nothing is new now.
            try renderer.render(wall, into: target)
            check("render without changes")
            _ = try target.readPixels()
            check("readPixels")
            _ = try target.textureFrame()
            check("textureFrame")
            _ = try renderer.sample(atX: 3, y: 4, of: wall.scene)
            check("sample")
        }
        let mapped = try GLRenderer(context: renderer.context, upload: .mapped, restoresState: true)
        check("GLRenderer.init")
        try mapped.reserveFrameMemory(byteCount: 1 << 20)
        check("reserveFrameMemory")
        #expect(throws: RenderingError.self) {
            _ = try renderer.makeOffscreenTarget(size: VideoSize(width: renderer.maximumSide + 1, height: 1))
        }
        check("a call that throws")
        withExtendedLifetime(host) {}
    }

    @Test func aContextThatTheHostMade() throws {
        let host = try HeadlessContext.forTests()
        let context = try GLContext.current()
        let renderer = try GLRenderer(context: context, restoresState: true)
        let target = try renderer.makeOffscreenTarget(size: size)
        let wall = Wall()
        wall.addTile(named: "tile").mailbox.put(try VideoFrame(SamplePicture.random(.nv12, size).buffer()))
        try renderer.render(wall, into: target)
        let expected = try target.readPixels()
        #expect(Set(expected).count > 20)
        // Another one is current meanwhile.
        let other = try HeadlessContext.forTests()
        let current = currentContext()
        target.invalidate()
        try renderer.render(wall, into: target)
        #expect(try target.readPixels() == expected)
        #expect(currentContext() == current)
        // Its group makes contexts that share with the host's.
        let shared = try context.shareGroup.makeContext()
        let texture = try Texture(shared, .rgba8, width: 2, height: 2)
        shared.finish()
        try host.use()
        #expect(epoxy_glIsTexture(texture.name) != 0)
        try other.use()
        #expect(epoxy_glIsTexture(texture.name) == 0)
        withExtendedLifetime(host) {}
    }

    @Test func withoutAContextThereIsNone() throws {
        let message = Monitor("")
        try SystemThread(for: "the test") {
            do throws(GLError) {
                _ = try GLContext.current()
            } catch {
                message.withLock { $0 = error.description }
            }
        }.join()
        #expect(message.withLock { $0 }.contains("No OpenGL context is current on this thread"))
    }

    @Test func aHostsRectangleIsTheOffscreenPictureUpsideDown() throws {
        let wall = try TestWall()
        wall.add(try VideoFrame(SamplePicture.random(.i420, size).buffer()))
        let host = try Framebuffer(wall.context, .rgba8, width: 50, height: 40)
        host.bind()
        wall.context.clear(red: 1, green: 0, blue: 1)
        var name: GLint = 0
        epoxy_glGetIntegerv(GLenum(GL_FRAMEBUFFER_BINDING), &name)
        let target = GLFramebufferTarget(
            context: wall.context, framebuffer: UInt32(name),
            rectangle: Rectangle(x: 7, y: 9, width: size.width, height: size.height))
        try wall.renderer.render(wall.wall, into: target)
        var bytes = [UInt8](repeating: 0, count: 50 * 40 * 4)
        wall.context.prepareForDrawing()
        bytes.withUnsafeMutableBytes { host.readPixels(into: $0, bytesPerRow: 200) }
        let expected = try wall.picture(size)
        for y in 0..<40 {
            for x in 0..<50 {
                let pixel = bytes[(y * 50 + x) * 4..<(y * 50 + x) * 4 + 3].map(Int.init)
                let isInside = (7..<41).contains(x) && (9..<31).contains(y)
                try #require(pixel == (isInside ? expected.pixel(x - 7, 30 - y) : [255, 0, 255]), "\(x), \(y)")
            }
        }
    }

    @Test func lettingGoOfAWallMakesNoOtherContextCurrent() throws {
        let other = try HeadlessContext.forTests()
        var wall: TestWall? = try TestWall()
        wall?.add(try VideoFrame(SamplePicture.random(.i420, size).buffer()))
        _ = try wall?.picture(size)
        let texture = try { () throws -> Texture in
            try other.use()
            return try Texture(other, .r8, width: 1, height: 1)
        }()
        wall = nil
        // A debug build would stop here if another context were current.
        other.setViewport(width: 1, height: 1)
        #expect(texture.width == 1)
    }
}
