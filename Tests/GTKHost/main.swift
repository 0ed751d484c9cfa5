// A program with GTK 4 whose window is a GtkGLArea that shows a wall among its own drawing. It prints what it finds
// after each picture. When standard input ends, it releases everything and ends.
@preconcurrency import CGTK4
@preconcurrency import CVitrailEpoxy
import GLRendering
import MediaIO
import Synchronization
import VideoSources
import VideoWall
import VitrailGL

/// What is made once GTK has made its context.
@MainActor final class Drawing {
    private let renderer: GLRenderer
    private let target: GLFramebufferTarget
    private let wall = Wall()
    private var count = 0

    /// The area's context is current.
    init() throws {
        let context = try GLContext.current()
        renderer = try GLRenderer(context: context, restoresState: true)
        target = GLFramebufferTarget(
            context: context, framebuffer: 0, rectangle: Rectangle(x: 100, y: 50, width: 240, height: 160))
        for pattern in [TestPattern.bars, .gradient] {
            let reader = try TestPatternReader(
                pattern: pattern, size: VideoSize(width: 64, height: 48), frameRate: Rational(30), format: .nv12)
            try wall.addTile(named: "\(pattern)").mailbox.put(reader.frame(at: 0))
        }
    }

    func draw() throws {
        epoxy_glClearColor(0, 0, 1, 1)
        epoxy_glClear(GLbitfield(GL_COLOR_BUFFER_BIT))
        var framebuffer: GLint = 0
        epoxy_glGetIntegerv(GLenum(GL_DRAW_FRAMEBUFFER_BINDING), &framebuffer)
        target.framebuffer = UInt32(framebuffer)
        let current = gdk_gl_context_get_current()

        try renderer.render(wall, into: target)

        var now: GLint = 0
        epoxy_glGetIntegerv(GLenum(GL_DRAW_FRAMEBUFFER_BINDING), &now)
        count += 1
        print("\(now == framebuffer ? "right" : "wrong"): the area's framebuffer is bound")
        print("\(gdk_gl_context_get_current() == current ? "right" : "wrong"): the area's context is current")
        print("drawn \(count)")
    }
}

var drawing: Drawing?

/// Whether standard input has ended; the timer below looks at it often enough.
let hasEnded = Atomic(false)

/// Connects a handler without data to a signal.
func connect(_ object: UnsafeMutableRawPointer, _ signal: String, _ handler: GCallback) {
    g_signal_connect_data(object, signal, handler, nil, nil, GConnectFlags(rawValue: 0))
}

gtk_init()
guard let area = gtk_gl_area_new(), let window = gtk_window_new() else { fatalError("GTK makes no widgets.") }
let glArea = UnsafeMutableRawPointer(area).assumingMemoryBound(to: GtkGLArea.self)
let gtkWindow = UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkWindow.self)
gtk_gl_area_set_required_version(glArea, 3, 3)

let realize: @convention(c) (UnsafeMutablePointer<GtkGLArea>?) -> Void = { area in
    gtk_gl_area_make_current(area)
    MainActor.assumeIsolated {
        do {
            drawing = try Drawing()
        } catch {
            print("wrong: \(error)")
        }
    }
}
let render: @convention(c) (UnsafeMutablePointer<GtkGLArea>?, OpaquePointer?) -> gboolean = { _, _ in
    MainActor.assumeIsolated {
        do {
            try drawing?.draw()
        } catch {
            print("wrong: \(error)")
        }
    }
    return 1
}
let unrealize: @convention(c) (UnsafeMutablePointer<GtkGLArea>?) -> Void = { area in
    gtk_gl_area_make_current(area)
    MainActor.assumeIsolated { drawing = nil }
    print("\(epoxy_glGetError() == GLenum(GL_NO_ERROR) ? "right" : "wrong"): nothing was released that is not there")
    print("released")
}
connect(area, "realize", unsafeBitCast(realize, to: GCallback.self))
connect(area, "unrealize", unsafeBitCast(unrealize, to: GCallback.self))
connect(area, "render", unsafeBitCast(render, to: GCallback.self))
gtk_window_set_decorated(gtkWindow, 0)
gtk_window_set_default_size(gtkWindow, 400, 300)
gtk_window_set_child(gtkWindow, area)
gtk_window_present(gtkWindow)
setvbuf(stdout, nil, _IOLBF, 0)
// A picture each time, so that there is more than one.
g_timeout_add(
    100,
    { area in
        gtk_widget_queue_draw(area?.assumingMemoryBound(to: GtkWidget.self))
        return hasEnded.load(ordering: .relaxed) ? 0 : 1
    }, area)
try SystemThread(for: "input") {
    while readLine() != nil {}
    hasEnded.store(true, ordering: .relaxed)
}.detach()
while !hasEnded.load(ordering: .relaxed) { g_main_context_iteration(nil, 1) }
gtk_window_destroy(gtkWindow)
