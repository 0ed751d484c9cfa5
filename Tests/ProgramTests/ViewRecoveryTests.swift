import Foundation
import TestSupport
import Testing

@testable import vitrail

/// A viewer whose driver resets the GPU: a library between the program and the driver says so.
@Suite(.timeLimit(.minutes(25)), .serialized)
struct ViewRecoveryTests {
    /// Reports a reset once for each time that a file named `reset` is there, or at the call number `RESET_AT`, in a
    /// context that says that it would; makes no shader after a reset as long as there is a file named `broken`.
    ///
    /// What it defines are epoxy's pointers to the driver's functions.
    private static let driver = """
        #include <dlfcn.h>
        #include <stdlib.h>
        #include <unistd.h>
        static int resets;
        static unsigned status(void) {
            static int calls;
            const char *number = getenv("RESET_AT");
            int is_reset = (number && ++calls == atoi(number)) || unlink("reset") == 0;
            resets += is_reset;
            return is_reset ? 0x8253 : 0;
        }
        unsigned (*epoxy_glGetGraphicsResetStatus)(void) = status;

        static unsigned shader(unsigned kind) {
            unsigned (*create)(unsigned) = dlsym(dlopen("libGL.so.1", RTLD_LAZY), "glCreateShader");
            return resets > 0 && access("broken", F_OK) == 0 ? 0 : create(kind);
        }
        unsigned (*epoxy_glCreateShader)(unsigned) = shader;

        static void integers(unsigned name, int *value) {
            void (*get)(unsigned, int *) = dlsym(dlopen("libGL.so.1", RTLD_LAZY), "glGetIntegerv");
            get(name, value);
            if (name == 0x8256) *value = 0x8252;
        }
        void (*epoxy_glGetIntegerv)(unsigned, int *) = integers;
        """

    private static func buildDriver(_ folder: borrowing TemporaryFolder) throws {
        _ = folder.write("driver.c", Array(driver.utf8))
        let compiler = try RunningProgram(
            executable: "/usr/bin/env", ["clang", "-shared", "-fPIC", "-o", "driver.so", "driver.c"], in: folder.path)
        #expect(try compiler.finish().status == 0)
    }

    /// Waits until the pixel at 160, 60 has a colour.
    private static func wait(
        _ what: String, _ program: RunningProgram, _ display: VirtualDisplay, until isThere: ([Int]) -> Bool
    ) throws {
        var color: [Int] = []
        let end = Date.now + 100
        repeat {
            color = (try? display.screenshot().color(x: 160, y: 60).map { Int($0) }) ?? []
        } while !isThere(color) && Date.now < end && program.process.isRunning
        #expect(isThere(color), "\(what): \(color) \(program.errorText)")
    }

    @Test(
        "The window and all tiles are made again, without the effects that were drawn, which e switches on",
        arguments: ["gpu", "cpu"])
    func reset(_ renderer: String) throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        try Self.buildDriver(folder)
        _ = folder.write("still.y4m", Clips.y4m(frames: 1, width: 320, height: 240))
        _ = folder.write("red.effect.glsl", Array("vec4 effect(vec2 uv) { return vec4(1.0, 0.0, 0.0, 1.0); }".utf8))
        let program = try startViewer(
            ["still.y4m", "--effect", "red.effect.glsl", "--size", "320x240", "--renderer", renderer], display, folder,
            environment: ["LD_PRELOAD": "\(folder.path)/driver.so"])
        func wait(_ what: String, until isThere: ([Int]) -> Bool) throws {
            try Self.wait(what, program, display, until: isThere)
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
        let run = try program.quit(display)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.count { $0.contains("has reset the GPU") } == 2, "\(run.errors)")
        #expect(
            run.errors.count { $0.contains("red: bypassed, because the driver reset the GPU") } == 2, "\(run.errors)")
    }

    @Test("The CPU goes on where the GPU is lost again and again, or can draw no more", arguments: [false, true])
    func lost(_ isBroken: Bool) throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        try Self.buildDriver(folder)
        // A picture that says which one it is: the program must draw it again after each loss.
        _ = folder.write("still.y4m", Clips.y4m(frames: 1, width: 320, height: 240))
        let program = try startViewer(
            ["still.y4m", "--size", "320x240", "--renderer", "gpu", "--verbose"], display, folder,
            environment: ["LD_PRELOAD": "\(folder.path)/driver.so"])
        func isPicture(_ color: [Int]) -> Bool { color.count == 3 && color != [0, 0, 0] }
        try Self.wait("the picture", program, display, until: isPicture)
        if isBroken { _ = folder.write("broken", [1]) }
        for number in 0..<(isBroken ? 1 : 3) {
            _ = folder.write("reset", [1])
            try display.xdotool("mousemove", "\(100 + number)", "100", "mousemove", "160", "120", "key", "i")
            let end = Date.now + 120
            while FileManager.default.fileExists(atPath: "\(folder.path)/reset"), Date.now < end {
                // The window may go at any moment.
                _ = try? display.xdotool("search", "--onlyvisible", "--name", "wall", "windowfocus", "key", "i")
            }
            try Self.wait("the picture after \(number + 1) losses", program, display, until: isPicture)
        }
        let end = Date.now + 120
        while !program.errorText.contains("the CPU draws"), Date.now < end { usleep(50_000) }
        let run = try program.quit(display)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.count { $0.contains("has reset the GPU") } == (isBroken ? 1 : 3), "\(run.errors)")
        #expect(run.errors.count { $0.contains("The GPU was lost: the CPU draws") } == 1, "\(run.errors)")
    }

    @Test("render draws the rest with the CPU", arguments: [1, 2, 5, 6])
    func render(_ call: Int) throws {
        let folder = TemporaryFolder()
        try Self.buildDriver(folder)
        func render(_ output: String, _ renderer: String, _ environment: [String: String]) throws -> Run {
            try Run(
                [
                    "render", "test:bars?size=64x36", "test:zoneplate?size=64x36", "--size", "128x36", "--frames", "4",
                    "--output", output, "--renderer", renderer,
                ], in: folder.path, environment: environment)
        }
        #expect(try render("cpu.y4m", "cpu", [:]).status == 0)
        let run = try render(
            "lost.y4m", "gpu", ["LD_PRELOAD": "\(folder.path)/driver.so", "RESET_AT": "\(call)"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.count { $0.contains("The GPU was lost: the CPU draws") } == 1, "\(run.errors)")
        let (expected, found) = (try folder.read("cpu.y4m"), try folder.read("lost.y4m"))
        let isNear = zip(expected, found).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
        #expect(expected.count == found.count && isNear)
    }
}
