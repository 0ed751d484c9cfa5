@preconcurrency import CVitrailEpoxy
import GLRendering
import HeadlessGL
import MediaIO
import TestSupport
import Testing
import VideoWall
import VitrailGL

/// Drawing into a framebuffer that a host has made: into the right buffer, or not at all and with a reason.
@Suite(.renderTurn) struct HostFramebufferTests {
    private let wall: TestWall
    private let expected: RGBAImage
    private static let size = VideoSize(width: 34, height: 22)

    init() throws {
        wall = try TestWall(with: .gl)
        wall.add(try VideoFrame(SamplePicture.random(.i420, Self.size).buffer()))
        expected = try wall.picture(Self.size)
    }

    /// Makes a framebuffer with a texture for each format, cleared to white.
    private func framebuffer(_ formats: [Int32]) -> (name: UInt32, textures: [GLuint]) {
        var name: GLuint = 0
        epoxy_glGenFramebuffers(1, &name)
        epoxy_glBindFramebuffer(GLenum(GL_FRAMEBUFFER), name)
        var textures: [GLuint] = []
        for (index, format) in formats.enumerated() {
            var texture: GLuint = 0
            epoxy_glGenTextures(1, &texture)
            epoxy_glBindTexture(GLenum(GL_TEXTURE_2D), texture)
            epoxy_glTexStorage2D(
                GLenum(GL_TEXTURE_2D), 1, GLenum(format), GLsizei(Self.size.width), GLsizei(Self.size.height))
            epoxy_glFramebufferTexture2D(
                GLenum(GL_FRAMEBUFFER), GLenum(GL_COLOR_ATTACHMENT0) + GLenum(index), GLenum(GL_TEXTURE_2D), texture, 0)
            textures.append(texture)
        }
        return (name, textures)
    }

    private func target(_ name: UInt32, keepsPixels: Bool = false) -> GLFramebufferTarget {
        GLFramebufferTarget(
            context: wall.context, framebuffer: name,
            rectangle: Rectangle(x: 0, y: 0, width: Self.size.width, height: Self.size.height),
            keepsPixels: keepsPixels)
    }

    /// What a texture of 8-bit components contains, with the top row first.
    private func picture(_ texture: GLuint) -> RGBAImage {
        var name: GLuint = 0
        epoxy_glGenFramebuffers(1, &name)
        epoxy_glBindFramebuffer(GLenum(GL_FRAMEBUFFER), name)
        epoxy_glFramebufferTexture2D(
            GLenum(GL_FRAMEBUFFER), GLenum(GL_COLOR_ATTACHMENT0), GLenum(GL_TEXTURE_2D), texture, 0)
        let row = Self.size.width * 4
        var bytes = [UInt8](repeating: 0, count: row * Self.size.height)
        epoxy_glReadPixels(
            0, 0, GLsizei(Self.size.width), GLsizei(Self.size.height), GLenum(GL_RGBA), GLenum(GL_UNSIGNED_BYTE), &bytes
        )
        let rows = (0..<Self.size.height).reversed().flatMap { bytes[$0 * row..<($0 + 1) * row] }
        return RGBAImage(size: Self.size, bytes: rows)
    }

    private func drawBuffers() -> [GLint] {
        (0..<4).map { index in
            var name: GLint = 0
            epoxy_glGetIntegerv(GLenum(GL_DRAW_BUFFER0) + GLenum(index), &name)
            return name
        }
    }

    /// The buffers that are chosen, and the attachment that gets the picture.
    @Test(arguments: [
        ([GL_NONE], 0), ([GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1, GL_COLOR_ATTACHMENT2], 0),
        ([GL_COLOR_ATTACHMENT0, GL_NONE, GL_COLOR_ATTACHMENT2], 0),
    ]) func oneBufferGetsThePicture(_ chosen: [Int32], _ index: Int) throws {
        try checkOneBuffer(chosen, index)
    }

    @Test(
        .disabled(if: drawsWithES, "OpenGL ES has no other order"),
        arguments: [
            ([GL_COLOR_ATTACHMENT1], 1), ([GL_NONE, GL_COLOR_ATTACHMENT2], 2),
            ([GL_COLOR_ATTACHMENT2, GL_COLOR_ATTACHMENT0], 2), ([GL_COLOR_ATTACHMENT3], 0),
        ]) func itIsTheFirstThatIsChosen(_ chosen: [Int32], _ index: Int) throws
    {
        try checkOneBuffer(chosen, index)
    }

    private func checkOneBuffer(_ chosen: [Int32], _ index: Int) throws {
        let (name, textures) = framebuffer([GL_RGBA8, GL_RGBA8, GL_RGBA8])
        var buffers = [GLenum](repeating: GLenum(GL_NONE), count: 4)
        for (index, buffer) in chosen.enumerated() { buffers[index] = GLenum(buffer) }
        epoxy_glDrawBuffers(
            4, [GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1, GL_COLOR_ATTACHMENT2].map { GLenum($0) } + [0])
        epoxy_glClearColor(1, 1, 1, 1)
        epoxy_glClear(GLbitfield(GL_COLOR_BUFFER_BIT))
        epoxy_glDrawBuffers(4, buffers)
        let before = drawBuffers()
        let target = target(name)
        #expect(try wall.renderer.render(wall.wall, into: target))
        #expect(epoxy_glGetError() == GLenum(GL_NO_ERROR))
        #expect(drawBuffers() == before)
        for (number, texture) in textures.enumerated() {
            let found = picture(texture)
            if number == index {
                #expect(found == expected)
            } else {
                #expect(found.bytes.allSatisfy { $0 == 255 }, "attachment \(number)")
            }
        }
    }

    private func refusal(_ name: UInt32) -> String {
        let target = target(name, keepsPixels: true)
        var words = ""
        for _ in 0..<2 {
            do throws(RenderingError) {
                words = "drawn: \(try wall.renderer.render(wall.wall, into: target))"
            } catch {
                words = error.description
                #expect(error.code == .target)
            }
            #expect(epoxy_glGetError() == GLenum(GL_NO_ERROR))
        }
        return words
    }

    @Test func whatIsNoFramebufferIsRefused() throws {
        #expect(refusal(4711).contains("There is no framebuffer 4711 in this context"))
        var name: GLuint = 0
        epoxy_glGenFramebuffers(1, &name)
        #expect(refusal(name).contains("was never bound"))
        epoxy_glBindFramebuffer(GLenum(GL_FRAMEBUFFER), name)
        #expect(refusal(name).contains("The framebuffer \(name) is incomplete: nothing is attached"))
        let (depth, _) = framebuffer([])
        var buffer: GLuint = 0
        epoxy_glGenRenderbuffers(1, &buffer)
        epoxy_glBindRenderbuffer(GLenum(GL_RENDERBUFFER), buffer)
        epoxy_glRenderbufferStorage(GLenum(GL_RENDERBUFFER), GLenum(GL_DEPTH_COMPONENT24), 34, 22)
        epoxy_glFramebufferRenderbuffer(
            GLenum(GL_FRAMEBUFFER), GLenum(GL_DEPTH_ATTACHMENT), GLenum(GL_RENDERBUFFER), buffer)
        epoxy_glDrawBuffers(1, [GLenum(GL_NONE)])
        epoxy_glReadBuffer(GLenum(GL_NONE))
        #expect(refusal(depth).contains("has no buffer of colours"))
        // The test's context has no surface.
        #expect(refusal(0).contains("no default framebuffer"))
        // The renderer goes on.
        #expect(try wall.picture(Self.size) == expected)
    }

    @Test(arguments: [
        (GL_RGBA8UI, "GL_RGBA8UI"), (GL_R32I, "GL_R32I"), (GL_RG16UI, "GL_RG16UI"), (GL_RGB10_A2UI, "GL_RGB10_A2UI"),
    ]) func integersAreRefused(_ format: Int32, _ name: String) {
        let (framebuffer, _) = framebuffer([format])
        let words = refusal(framebuffer)
        #expect(words.contains("has integers (\(name))"), "\(words)")
    }

    @Test func whatTheHostRendersConditionallyIsRefused() throws {
        let (name, textures) = framebuffer([GL_RGBA8])
        let target = target(name, keepsPixels: true)
        HostHabit.renderConditionally()
        try #require(epoxy_glGetError() == GLenum(GL_NO_ERROR))
        let error = #expect(throws: RenderingError.self) { try wall.renderer.render(wall.wall, into: target) }
        #expect(error?.code == .target)
        #expect(error?.description.contains("glEndConditionalRender") == true)
        #expect(epoxy_glGetError() == GLenum(GL_NO_ERROR))
        // It is still active.
        epoxy_glEndConditionalRender()
        #expect(epoxy_glGetError() == GLenum(GL_NO_ERROR))
        #expect(try wall.renderer.render(wall.wall, into: target))
        #expect(picture(textures[0]) == expected)
    }

    @Test func aCountOfSamplesGoesOn() throws {
        let context = try HeadlessContext.forTests()
        var query: GLuint = 0
        epoxy_glGenQueries(1, &query)
        epoxy_glBeginQuery(GLenum(GL_ANY_SAMPLES_PASSED), query)
        let renderer = try GLRenderer(context: context, restoresState: true)
        let target = try renderer.makeOffscreenTarget(size: Self.size)
        try renderer.render(wall.wall.scene, into: target)
        var active: GLint = 0
        epoxy_glGetQueryiv(GLenum(GL_ANY_SAMPLES_PASSED), GLenum(GL_CURRENT_QUERY), &active)
        #expect(GLuint(active) == query)
        #expect(epoxy_glGetError() == GLenum(GL_NO_ERROR))
        epoxy_glEndQuery(GLenum(GL_ANY_SAMPLES_PASSED))
    }
}
