import Foundation
import TestSupport
import Testing

@testable import vitrail

/// Effects that would hold up the wall: a library between the program and the driver makes them so.
@Suite(.timeLimit(.minutes(25)), .serialized)
final class ViewPaceTests {
    /// Compiles a shader with the word `slow_one` for an hour, one with `late_one` for two seconds, and crashes at one
    /// with `deadly_one`.
    ///
    /// What it defines are epoxy's pointers to the driver's functions.
    private static let driver = """
        #include <dlfcn.h>
        #include <stdlib.h>
        #include <string.h>
        #include <unistd.h>
        static _Thread_local int kind;
        static void *real(const char *name) { return dlsym(dlopen("libGL.so.1", RTLD_LAZY), name); }
        static void source(unsigned shader, int count, const char *const *texts, const int *lengths) {
            kind = 0;
            for (int i = 0; i < count; i++) {
                if (strstr(texts[i], "slow_one")) kind = 1;
                if (strstr(texts[i], "deadly_one")) kind = 2;
                if (strstr(texts[i], "late_one")) kind = 3;
            }
            ((void (*)(unsigned, int, const char *const *, const int *))real("glShaderSource"))(
                shader, count, texts, lengths);
        }
        void (*epoxy_glShaderSource)(unsigned, int, const char *const *, const int *) = source;
        static void compile(unsigned shader) {
            if (kind == 1) {
                write(2, "compiling\\n", 10);
                sleep(3600);
            }
            if (kind == 2) abort();
            if (kind == 3) sleep(2);
            ((void (*)(unsigned))real("glCompileShader"))(shader);
        }
        void (*epoxy_glCompileShader)(unsigned) = compile;
        """

    /// Effects are drawn while nothing else wants the processor, which other tests do.
    private static let patience = 500.0

    private let display: VirtualDisplay
    private let folder = TemporaryFolder()

    init() throws {
        display = try VirtualDisplay()
        _ = folder.write("driver.c", Array(Self.driver.utf8))
        let compiler = try RunningProgram(
            executable: "/usr/bin/env", ["clang", "-shared", "-fPIC", "-o", "driver.so", "driver.c"], in: folder.path)
        try #require(try compiler.finish().status == 0)
        _ = folder.write("still.y4m", Clips.y4m(frames: 1, width: 320, height: 240))
    }

    private func save(_ color: String, _ name: String = "a", with word: String = "plain_one") {
        let text = """
            float \(word) = 0.0;
            vec4 effect(vec2 uv) { return vec4(\(color), 1.0) + \(word) * sample(uv.yx); }

            """
        _ = folder.write("\(name).effect.glsl", Array(text.utf8))
    }

    private func start(_ arguments: [String], _ renderer: String) throws -> RunningProgram {
        try startViewer(
            arguments + ["--renderer", renderer], display, folder,
            environment: ["LD_PRELOAD": "\(folder.path)/driver.so"])
    }

    private func color(x: Int, y: Int) throws -> [Int] { try display.screenshot().color(x: x, y: y).map { Int($0) } }

    private func wait(for color: [Int], x: Int = 160, y: Int = 100, _ program: RunningProgram) throws {
        var drawn: [Int] = []
        let end = Date.now + Self.patience
        repeat {
            drawn = try self.color(x: x, y: y)
        } while drawn != color && Date.now < end && program.process.isRunning
        #expect(drawn == color, "\(program.errorText)")
    }

    /// Neither the wall nor its end waits for it; the last good effect stays, and other effects change: those that the
    /// CPU draws, those that OpenGL draws, those that take long on any lane, and those of the whole wall.
    @Test(
        "An effect that compiles for an hour leaves the last one, and other tiles go on",
        arguments: [
            ("cpu", "invert", []), ("cpu", "sharpen", []), ("cpu", "late.effect.glsl", []),
            ("cpu", "invert", ["--wall-effect", "blue.effect.glsl"]),
        ]
            + [("gpu", "sharpen", [])])
    func slow(_ row: (renderer: String, other: String, options: [String])) throws {
        save("0.0, 1.0, 0.0")
        save("1.0, sample(uv).gb", "late", with: "late_one")
        save("sample(uv).rg, uv.y < 0.1 ? 1.0 : sample(uv).b", "blue", with: "plain_two")
        let program = try start(
            ["still.y4m?effect=a.effect.glsl", "test:clock?size=320x240&effect=\(row.other)", "--size", "640x240"]
                + row.options, row.renderer)
        try wait(for: [0, 255, 0], program)
        // The first picture of the whole wall may have been begun before the tile had its effect.
        if !row.options.isEmpty { try wait(for: [0, 255, 255], y: 10, program) }
        let end = Date.now + Self.patience
        while row.other.hasPrefix("late"), try color(x: 480, y: 120)[0] < 255, Date.now < end { usleep(10_000) }
        save("1.0, 0.0, 0.0", with: "slow_one")
        while !program.errorText.contains("compiling"), Date.now < end { usleep(10_000) }
        // Other tiles go on to change: each picture of the clock differs.
        var seen: Set<[UInt8]> = []
        for number in 0... {
            if number >= 20 && seen.count > 4 || Date.now > end { break }
            let picture = try display.screenshot()
            seen.insert((0..<240).flatMap { picture.color(x: 480, y: $0) + picture.color(x: 400, y: $0) })
            #expect(picture.color(x: 160, y: 100) == [0, 255, 0])
            usleep(100_000)
        }
        #expect(seen.count > 4, "\(seen.count)")
        let begin = Date.now
        #expect(try program.quit(display).status == 0)
        // Not an hour: that thread is left behind.
        #expect(-begin.timeIntervalSinceNow < 30)
    }

    @Test("A wall whose effect compiles for an hour shows its streams at once", arguments: ["cpu", "gpu"])
    func slowAtTheStart(_ renderer: String) throws {
        save("1.0, 0.0, 0.0", with: "slow_one")
        let program = try start(["still.y4m?effect=a.effect.glsl", "--size", "320x240"], renderer)
        // The luma of the first frame, 30, in limited range.
        try wait(for: [16, 16, 16], program)
        #expect(try program.quit(display).status == 0)
    }

    @Test("An effect at which the driver crashes is refused, and the wall goes on", arguments: ["cpu", "gpu"])
    func deadly(_ renderer: String) throws {
        save("0.0, 1.0, 0.0")
        let program = try start(
            ["still.y4m?effect=a.effect.glsl", "test:clock?size=320x240", "--size", "640x240"], renderer)
        try wait(for: [0, 255, 0], program)
        save("1.0, 0.0, 0.0", with: "deadly_one")
        let end = Date.now + Self.patience
        while !program.errorText.contains("the driver crashed"), Date.now < end, program.process.isRunning {
            usleep(10_000)
        }
        try wait(for: [0, 255, 0], program)
        // The next version is a new effect.
        save("0.0, 0.0, 1.0")
        try wait(for: [0, 0, 255], program)
        let run = try program.quit(display)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.count { $0.contains("a.effect.glsl: the driver crashed") } == 1, "\(run.errors)")
    }

    @Test("An output at whose effect the driver crashes ends, and the wall goes on")
    func deadlyForAnOutput() throws {
        save("1.0, 0.0, 0.0", with: "deadly_one")
        let program = try start(
            [
                "test:clock?size=320x240", "--size", "320x240", "--control", "--also", "a.mkv?size=64x48&fps=5",
                "--effect", "a.effect.glsl", "--verbose",
            ], "cpu")
        let end = Date.now + Self.patience
        while !program.errorText.contains("a.mkv has ended"), Date.now < end, program.process.isRunning {
            usleep(10_000)
        }
        usleep(2_000_000)
        #expect(program.process.isRunning)
        let run = try program.quit(display)
        #expect(run.status == 1, "\(run.errors)")
        #expect(run.errors.count { $0.contains("a.mkv has ended: the driver crashed") } == 1, "\(run.errors)")
    }

    @Test("A crash of the driver takes no privacy mask away", arguments: ["cpu", "gpu"])
    func deadlyBesideMasks(_ renderer: String) throws {
        save("0.0, 1.0, 0.0", "b")
        save("1.0, 0.0, 0.0", with: "deadly_one")
        let mask = "privacy-mask:first=0/0:second=1/1"
        // The masks of one tile are tried together with the effect at which the driver crashes.
        let program = try start(
            ["still.y4m?effect=\(mask),a.effect.glsl", "still.y4m?effect=b.effect.glsl,\(mask)", "--size", "640x240"],
            renderer)
        let end = Date.now + Self.patience
        var (screenshots, isRefused) = (0, false)
        while !isRefused || screenshots < 40, Date.now < end, program.process.isRunning {
            isRefused = isRefused || program.errorText.contains("the driver crashed")
            let picture = try display.screenshot()
            // The window may not be there yet, or not drawn yet: then the gap has the same colour. The luma of the frame is 30.
            let (gap, colors) = (picture.color(x: 320, y: 100), [160, 480].map { picture.color(x: $0, y: 100) })
            #expect(colors.allSatisfy { $0 == [0, 0, 0] || $0 == gap }, "\(screenshots): \(colors), gap \(gap)")
            screenshots += 1
        }
        let run = try program.quit(display)
        #expect(isRefused && run.status == 0, "\(run.errors)")
        #expect(run.errors.count { $0.contains("a.effect.glsl: the driver crashed") } == 1, "\(run.errors)")
    }

    @Test("Twenty effects that are saved at once all come") func twenty() throws {
        let names = (0..<20).map { "e\($0)" }
        for name in names { save("0.0, 1.0, 0.0", name) }
        let program = try start(
            names.map { "still.y4m?effect=\($0).effect.glsl" } + ["--size", "600x400", "--gap", "0"], "cpu")
        let places = (0..<20).map { (x: 60 + 120 * ($0 % 5), y: 50 + 100 * ($0 / 5)) }
        for place in places { try wait(for: [0, 255, 0], x: place.x, y: place.y, program) }
        for (number, name) in names.enumerated() { save("1.0, \(number).0 / 255.0, 0.0", name) }
        for (number, place) in places.enumerated() { try wait(for: [255, number, 0], x: place.x, y: place.y, program) }
        #expect(try program.quit(display).status == 0)
    }
}
