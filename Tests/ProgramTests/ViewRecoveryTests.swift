import Foundation
import TestSupport
import Testing

@testable import vitrail

/// A viewer whose driver resets the GPU: a library between the program and the driver says so.
@Suite(.timeLimit(.minutes(5)), .serialized)
struct ViewRecoveryTests {
    /// Reports a reset once for each time that a file named `reset` is there, in a context that says that it would.
    ///
    /// What it defines are epoxy's pointers to the driver's functions.
    private static let driver = """
        #include <dlfcn.h>
        #include <unistd.h>
        static unsigned status(void) { return unlink("reset") == 0 ? 0x8253 : 0; }
        unsigned (*epoxy_glGetGraphicsResetStatus)(void) = status;

        static void integers(unsigned name, int *value) {
            void (*get)(unsigned, int *) = dlsym(dlopen("libGL.so.1", RTLD_LAZY), "glGetIntegerv");
            get(name, value);
            if (name == 0x8256) *value = 0x8252;
        }
        void (*epoxy_glGetIntegerv)(unsigned, int *) = integers;
        """

    @Test(
        "The window and all tiles are made again, without the effects that were drawn, which e switches on",
        arguments: ["gpu", "cpu"])
    func reset(_ renderer: String) throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        _ = folder.write("driver.c", Array(Self.driver.utf8))
        let compiler = try RunningProgram(
            executable: "/usr/bin/env", ["clang", "-shared", "-fPIC", "-o", "driver.so", "driver.c"], in: folder.path)
        #expect(try compiler.finish().status == 0)
        _ = folder.write("still.y4m", Clips.y4m(frames: 1, width: 320, height: 240))
        _ = folder.write("red.effect.glsl", Array("vec4 effect(vec2 uv) { return vec4(1.0, 0.0, 0.0, 1.0); }".utf8))
        let program = try startViewer(
            ["still.y4m", "--effect", "red.effect.glsl", "--size", "320x240", "--renderer", renderer], display, folder,
            environment: ["LD_PRELOAD": "\(folder.path)/driver.so"])
        func wait(_ what: String, until isThere: ([Int]) -> Bool) throws {
            var color: [Int] = []
            let end = Date.now + 30
            repeat {
                color = (try? display.screenshot().color(x: 160, y: 60).map { Int($0) }) ?? []
            } while !isThere(color) && Date.now < end && program.process.isRunning
            #expect(isThere(color), "\(what): \(color) \(program.errorText)")
        }
        try wait("the effect") { $0 == [255, 0, 0] }
        for _ in 0..<2 {
            _ = folder.write("reset", [1])
            try display.xdotool("mousemove", "100", "100", "mousemove", "160", "120")
            try wait("the plain picture") { $0.count == 3 && $0 != [255, 0, 0] && $0 != [0, 0, 0] }
            let window = try #require(display.xdotool("search", "--onlyvisible", "--name", "wall").first)
            try display.xdotool("windowfocus", "--sync", window)
            try display.xdotool("key", "e")
            try wait("the effect again") { $0 == [255, 0, 0] }
        }
        try display.xdotool("key", "q")
        let run = try program.finish()
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.count { $0.contains("has reset the GPU") } == 2, "\(run.errors)")
        #expect(
            run.errors.count { $0.contains("red: bypassed, because the driver reset the GPU") } == 2, "\(run.errors)")
    }
}
