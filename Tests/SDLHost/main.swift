// A program with SDL 2 whose window shows a wall among its own drawing. It prints what it finds after each picture.
// When standard input ends, it releases everything and ends.
@preconcurrency import CSDL2
@preconcurrency import CVitrailEpoxy
import GLRendering
import HeadlessGL
import MediaIO
import VideoSources
import VideoWall
import VitrailGL

func check(_ isRight: Bool, _ what: String) {
    print("\(isRight ? "right" : "wrong"): \(what)")
}

setvbuf(stdout, nil, _IOLBF, 0)
SDL_SetMainReady()
SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1")
guard SDL_Init(SDL_INIT_VIDEO) == 0 else { fatalError(String(cString: SDL_GetError())) }
SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3)
SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3)
SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, Int32(SDL_GL_CONTEXT_PROFILE_CORE.rawValue))
let flags = SDL_WINDOW_OPENGL.rawValue | SDL_WINDOW_BORDERLESS.rawValue
guard let window = SDL_CreateWindow("host", 0, 0, 400, 300, flags), let own = SDL_GL_CreateContext(window),
    let other = SDL_GL_CreateContext(window)
else { fatalError(String(cString: SDL_GetError())) }

/// Draws; what it has made is released at its end, while the host's context is current.
func draw() throws {
    SDL_GL_MakeCurrent(window, own)
    let context = try GLContext.current()
    let renderer = try GLRenderer(context: context, restoresState: true)
    let target = GLFramebufferTarget(
        context: context, framebuffer: 0, rectangle: Rectangle(x: 100, y: 50, width: 240, height: 160))
    let wall = Wall()
    for pattern in [TestPattern.bars, .gradient] {
        let reader = try TestPatternReader(
            pattern: pattern, size: VideoSize(width: 64, height: 48), frameRate: Rational(30), format: .nv12)
        try wall.addTile(named: "\(pattern)").mailbox.put(reader.frame(at: 0))
    }

    // A renderer with a context of another interface, which takes the place of the host's only for a moment.
    let host = CurrentContext()
    let elsewhere = try GLRenderer(context: HeadlessContext.make(), restoresState: true)
    let picture = try elsewhere.makeOffscreenTarget(size: VideoSize(width: 64, height: 48))
    host.restore()

    for number in 1...3 {
        // What the host draws: blue, blended, within a scissor rectangle.
        SDL_GL_MakeCurrent(window, own)
        epoxy_glDisable(GLenum(GL_SCISSOR_TEST))
        epoxy_glClearColor(0, 0, 1, 1)
        epoxy_glClear(GLbitfield(GL_COLOR_BUFFER_BIT))
        epoxy_glEnable(GLenum(GL_SCISSOR_TEST))
        epoxy_glEnable(GLenum(GL_BLEND))
        epoxy_glScissor(0, 0, 20, 20)
        if number == 2 { SDL_GL_MakeCurrent(window, other) }
        let current = SDL_GL_GetCurrentContext()

        try renderer.render(wall, into: target)
        try elsewhere.render(wall, into: picture)

        check(SDL_GL_GetCurrentContext() == current, "the host's context is current")
        SDL_GL_MakeCurrent(window, own)
        check(epoxy_glIsEnabled(GLenum(GL_BLEND)) != 0, "blending is as it was")
        // The scissor rectangle, too, or all were red.
        epoxy_glClearColor(1, 0, 0, 1)
        epoxy_glClear(GLbitfield(GL_COLOR_BUFFER_BIT))
        SDL_GL_SwapWindow(window)
        print("drawn \(number)")
    }
    while readLine() != nil {}
    SDL_GL_MakeCurrent(window, own)
}

try draw()
check(epoxy_glGetError() == GLenum(GL_NO_ERROR), "nothing was released that is not there")
SDL_GL_DeleteContext(other)
SDL_GL_DeleteContext(own)
SDL_DestroyWindow(window)
SDL_Quit()
print("released")
