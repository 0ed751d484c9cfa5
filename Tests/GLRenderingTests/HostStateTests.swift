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
    /// What hosts leave behind, each of which has spoilt pictures.
    struct Habit: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let set: @Sendable () -> Void

        init(_ name: String, _ set: @escaping @Sendable () -> Void) {
            testDescription = name
            self.set = set
        }

        static let all: [Habit] = [
            Habit("scissor") {
                epoxy_glEnable(GLenum(GL_SCISSOR_TEST))
                epoxy_glScissor(1, 1, 2, 2)
            },
            Habit("blending") {
                epoxy_glEnable(GLenum(GL_BLEND))
                epoxy_glBlendFunc(GLenum(GL_ZERO), GLenum(GL_ZERO))
            },
            Habit("blend equation") { epoxy_glBlendEquation(GLenum(GL_FUNC_REVERSE_SUBTRACT)) },
            Habit("colour mask") { epoxy_glColorMask(0, 1, 0, 1) },
            Habit("polygon mode") {
                guard !drawsWithES else { return }
                epoxy_glPolygonMode(GLenum(GL_FRONT_AND_BACK), GLenum(GL_LINE))
            },
            Habit("culling") {
                epoxy_glEnable(GLenum(GL_CULL_FACE))
                epoxy_glCullFace(GLenum(GL_FRONT_AND_BACK))
            },
            Habit("rasterizer discard") { epoxy_glEnable(GLenum(GL_RASTERIZER_DISCARD)) },
            Habit("depth test") {
                epoxy_glEnable(GLenum(GL_DEPTH_TEST))
                epoxy_glDepthFunc(GLenum(GL_NEVER))
            },
            Habit("logic operation") {
                guard !drawsWithES else { return }
                epoxy_glEnable(GLenum(GL_COLOR_LOGIC_OP))
                epoxy_glLogicOp(GLenum(GL_CLEAR))
            },
            Habit("clip distances") {
                guard !drawsWithES else { return }
                for index in 0..<8 { epoxy_glEnable(GLenum(GL_CLIP_DISTANCE0) + GLenum(index)) }
            },
            Habit("unpack parameters") {
                epoxy_glPixelStorei(GLenum(GL_UNPACK_ALIGNMENT), 8)
                epoxy_glPixelStorei(GLenum(GL_UNPACK_ROW_LENGTH), 3)
                epoxy_glPixelStorei(GLenum(GL_UNPACK_SKIP_ROWS), 2)
                epoxy_glPixelStorei(GLenum(GL_UNPACK_SKIP_PIXELS), 1)
                if !drawsWithES { epoxy_glPixelStorei(GLenum(GL_UNPACK_SWAP_BYTES), 1) }
            },
            Habit("pack parameters") {
                epoxy_glPixelStorei(GLenum(GL_PACK_ALIGNMENT), 8)
                epoxy_glPixelStorei(GLenum(GL_PACK_SKIP_PIXELS), 1)
            },
            Habit("pixel buffers") {
                var names: [GLuint] = [0, 0]
                epoxy_glGenBuffers(2, &names)
                for (target, name) in zip([GL_PIXEL_UNPACK_BUFFER, GL_PIXEL_PACK_BUFFER], names) {
                    epoxy_glBindBuffer(GLenum(target), name)
                    epoxy_glBufferData(GLenum(target), 64, nil, GLenum(GL_STREAM_DRAW))
                }
            },
            Habit("a texture of another unit") {
                var name: GLuint = 0
                epoxy_glGenTextures(1, &name)
                epoxy_glActiveTexture(GLenum(GL_TEXTURE7))
                epoxy_glBindTexture(GLenum(GL_TEXTURE_2D), name)
            },
            Habit("clip control") {
                guard !drawsWithES, epoxy_gl_version() >= 45 else { return }
                epoxy_glClipControl(GLenum(GL_UPPER_LEFT), GLenum(GL_ZERO_TO_ONE))
            },
            Habit("an error") { epoxy_glEnable(0xDEAD) },
            Habit("several errors") {
                epoxy_glEnable(0xDEAD)
                epoxy_glViewport(0, 0, -1, 1)
                epoxy_glUseProgram(123_456)
            },
        ]
    }

    private let size = VideoSize(width: 34, height: 22)

    @Test(arguments: Habit.all) func whatAHostLeavesBehindDoesNoHarm(_ habit: Habit) throws {
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
        for habit in Habit.all.dropLast(2) { habit.set() }
        epoxy_glViewport(3, 4, 5, 6)
        epoxy_glClearColor(0.25, 0.5, 0.75, 1)
        let before = state()
        target.invalidate()
        try wall.renderer.render(wall.wall, into: target)
        #expect(state() == before)
        #expect(epoxy_glGetError() == GLenum(GL_NO_ERROR))
    }

    @Test func everyCallPutsTheStateBackIfAskedTo() throws {
        let context = try HeadlessContext.forTests()
        for habit in Habit.all.dropLast(2) { habit.set() }
        let before = state()
        func check(_ call: String) {
            #expect(state() == before, "\(call)")
            #expect(epoxy_glGetError() == GLenum(GL_NO_ERROR), "\(call)")
        }
        let renderer = try GLRenderer(context: context, restoresState: true)
        check("GLRenderer.init")
        let target = try renderer.makeOffscreenTarget(size: size)
        check("makeOffscreenTarget")
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
        let target = try renderer.makeOffscreenTarget(size: size)
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
        _ = try GLRenderer(context: renderer.context, restoresState: true)
        check("GLRenderer.init")
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

    /// All that can be asked for and that drawing might change.
    private func state() -> [[GLint]] {
        let parameters = [
            GL_SCISSOR_TEST, GL_SCISSOR_BOX, GL_BLEND, GL_BLEND_SRC_RGB, GL_BLEND_DST_RGB, GL_BLEND_SRC_ALPHA,
            GL_BLEND_DST_ALPHA, GL_BLEND_EQUATION_RGB, GL_BLEND_EQUATION_ALPHA, GL_COLOR_WRITEMASK,
            GL_CULL_FACE, GL_RASTERIZER_DISCARD, GL_DEPTH_TEST, GL_STENCIL_TEST, GL_DITHER,
            GL_VIEWPORT, GL_CURRENT_PROGRAM, GL_VERTEX_ARRAY_BINDING, GL_DRAW_FRAMEBUFFER_BINDING,
            GL_READ_FRAMEBUFFER_BINDING, GL_ACTIVE_TEXTURE,
            GL_PIXEL_UNPACK_BUFFER_BINDING, GL_PIXEL_PACK_BUFFER_BINDING, GL_UNPACK_ALIGNMENT, GL_UNPACK_ROW_LENGTH,
            GL_UNPACK_SKIP_ROWS, GL_UNPACK_SKIP_PIXELS, GL_PACK_ALIGNMENT, GL_PACK_SKIP_PIXELS,
            GL_PACK_ROW_LENGTH, GL_COLOR_CLEAR_VALUE,
        ]
        func values(_ parameters: [Int32]) -> [[GLint]] {
            parameters.map { parameter in
                var values = [GLint](repeating: 0, count: 4)
                epoxy_glGetIntegerv(GLenum(parameter), &values)
                return values
            }
        }
        let ofDesktop = [
            GL_POLYGON_MODE, GL_COLOR_LOGIC_OP, GL_FRAMEBUFFER_SRGB, GL_UNPACK_SWAP_BYTES, GL_CLIP_DISTANCE0,
            GL_CLIP_DISTANCE7,
        ]
        var all = values(parameters + (drawsWithES ? [] : ofDesktop))
        if !drawsWithES, epoxy_gl_version() >= 45 { all += values([GL_CLIP_ORIGIN, GL_CLIP_DEPTH_MODE]) }
        let unit = values([GL_ACTIVE_TEXTURE])[0][0]
        for index in 0..<16 {
            epoxy_glActiveTexture(GLenum(GL_TEXTURE0) + GLenum(index))
            all += values([GL_TEXTURE_BINDING_2D, GL_SAMPLER_BINDING])
        }
        epoxy_glActiveTexture(GLenum(unit))
        return all
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
