import Foundation
import MediaIO
import TestSupport
import Testing

@testable import vitrail

/// Effects that change while they run, in a real window.
@Suite(.timeLimit(.minutes(25)), .serialized)
struct ViewEffectTests {
    /// Waits until the middle of a window of 320 × 240 has a colour.
    private func wait(
        for color: [Int], _ display: VirtualDisplay, _ program: RunningProgram,
        _ place: SourceLocation = #_sourceLocation
    ) throws {
        var drawn: [Int] = []
        let end = Date.now + 100
        repeat {
            drawn = try display.screenshot().color(x: 160, y: 100).map { Int($0) }
        } while zip(drawn, color).contains { abs($0 - $1) > 1 } && Date.now < end && program.process.isRunning
        #expect(
            zip(drawn, color).allSatisfy { abs($0 - $1) <= 1 }, "\(drawn) \(program.errorText)", sourceLocation: place)
    }

    private static func effect(_ color: String, header: String = "") -> [UInt8] {
        Array("\(header)\nvec4 effect(vec2 uv) { return vec4(\(color), 1.0) + 0.0 * sample(uv); }\n".utf8)
    }

    @Test("A saved file is shown at once, written in place or replaced; a broken one leaves the last and says where")
    func live() throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        _ = folder.write("still.y4m", Clips.y4m(frames: 1, width: 320, height: 240))
        _ = folder.write("a.effect.glsl", Self.effect("0.0, 1.0, 0.0"))
        let program = try startViewer(
            ["still.y4m?effect=a.effect.glsl", "--size", "320x240"], display, folder)
        try wait(for: [0, 255, 0], display, program)
        _ = folder.write("a.effect.glsl", Self.effect("0.0, 0.0, 1.0"))
        try wait(for: [0, 0, 255], display, program)
        _ = folder.write("new", Self.effect("1.0, 0.0, 0.0"))
        #expect(rename("\(folder.path)/new", "\(folder.path)/a.effect.glsl") == 0)
        try wait(for: [255, 0, 0], display, program)

        func save(_ text: [UInt8], _ line: String) throws {
            _ = folder.write("a.effect.glsl", text)
            let end = Date.now + 100
            while !program.errorText.contains(line), Date.now < end, program.process.isRunning { usleep(10_000) }
            #expect(program.errorText.contains(line), "\(program.errorText)")
            try wait(for: [255, 0, 0], display, program)
        }
        try save(Self.effect("unknown"), "a.effect.glsl:2: ")
        try save(Self.effect("1.0", header: "//! param a nothing"), "a.effect.glsl:1: “nothing” is not a type")
        try save([], "a.effect.glsl:1: the file is empty")
        _ = folder.write("a.effect.glsl", Self.effect("1.0, 1.0, 0.0"))
        try wait(for: [255, 255, 0], display, program)
        #expect(try program.quit(display).status == 0)
    }

    @Test("JSON lines on standard input set parameters, chains and presets; a wrong one is named")
    func control() throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        _ = folder.write("still.y4m", Clips.y4m(frames: 1, width: 320, height: 240))
        _ = folder.write("a.effect.glsl", Self.effect("x, 0.0, 0.0", header: "//! param x float 0 1 0.2"))
        let pipe = "\(folder.path)/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        let writer = open(pipe, O_RDWR)
        defer { close(writer) }
        let program = try startViewer(
            ["still.y4m?effect=a.effect.glsl", "--size", "320x240", "--control"], display, folder, input: pipe)
        func send(_ line: String) {
            _ = Array((line + "\n").utf8).withUnsafeBytes { write(writer, $0.baseAddress, $0.count) }
        }
        try wait(for: [51, 0, 0], display, program)
        send(#"{"set": {"a.x": 0.6}, "tile": 1}"#)
        try wait(for: [153, 0, 0], display, program)
        send(#"{"save": "kept.json"}"#)
        send(#"{"set": {"x": 7}}"#)
        try wait(for: [255, 0, 0], display, program)
        send(#"{"effects": "a.effect.glsl:x=0.4,invert", "tile": 1}"#)
        try wait(for: [153, 255, 255], display, program)
        send(#"{"on": false}"#)
        send(#"{"effects": "invert", "wall": true}"#)
        send(#"{"effects": "a.effect.glsl:x=0.2", "tile": 1}"#)
        try wait(for: [204, 255, 255], display, program)
        send(#"{"preset": "kept.json"}"#)
        try wait(for: [153, 0, 0], display, program)
        for line in [
            "{", "[]", "{}", #"{"set": 1}"#, #"{"set": {"y": 1}}"#, #"{"effects": "no", "tile": 1}"#,
            #"{"tile": 9, "on": true}"#, #"{"tile": -9223372036854775808, "on": true}"#, #"{"tile": 1, "radius": 3}"#,
            #"{"tile": 1, "wall": true, "on": true}"#,
        ] {
            send(line)
        }
        send(#"{"set": {"x": 0.8}}"#)
        try wait(for: [204, 0, 0], display, program)
        let run = try program.quit(display)
        #expect(run.status == 0)
        #expect(
            run.errors.count { $0.contains("standard input: ") || $0.contains("no: there is no effect") } == 10,
            "\(run.errors)")
        #expect(run.errors.contains { $0.contains("x=7 is out of range (0 to 1), so 1 is used") })
        // The file shows the same wall from the start.
        let render = try Run(
            ["render", "still.y4m", "--preset", "kept.json", "-o", "kept.png"], in: folder.path)
        #expect(render.status == 0, "\(render.errors)")
    }

    @Test("Keys turn effects off and on, choose a parameter, change it; all are saved")
    func keys() throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        _ = folder.write("still.y4m", Clips.y4m(frames: 1, width: 320, height: 240))
        let header = "//! param x float 0 1 0.2\n//! param y float 0 1 0.4"
        _ = folder.write("a.effect.glsl", Self.effect("x, y, 0.0", header: header))
        let pipe = "\(folder.path)/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        let writer = open(pipe, O_RDWR)
        defer { close(writer) }
        let program = try startViewer(
            ["still.y4m?effect=a.effect.glsl", "--size", "320x240", "--verbose", "--control"], display, folder,
            input: pipe)
        try wait(for: [51, 102, 0], display, program)
        try display.xdotool("key", "plus", "plus", "minus", "bracketright", "minus", "minus")
        try wait(for: [64, 76, 0], display, program)
        let plain = try display.screenshot().color(x: 160, y: 100).map { Int($0) }
        try display.xdotool("key", "e")
        while try display.screenshot().color(x: 160, y: 100).map({ Int($0) }) == plain, program.process.isRunning {}
        try display.xdotool("key", "e")
        try wait(for: [64, 76, 0], display, program)
        let line = "{\"do\": \"save-effects\"}\n"
        _ = Array(line.utf8).withUnsafeBytes { write(writer, $0.baseAddress, $0.count) }
        let file = "\(folder.path)/vitrail-effects.json"
        while access(file, F_OK) != 0, program.process.isRunning { usleep(10_000) }
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("\"y\" : \"0.3\""))
        #expect(try program.quit(display).status == 0)
    }
}
