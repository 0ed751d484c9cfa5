import Foundation
import TestSupport
import Testing

/// Systems on which something is missing or wrong.
@Suite(.timeLimit(.minutes(25)))
struct EnvironmentTests {
    /// What of the environment is set, and what is missing; not even root can make a folder in `/proc`.
    private static let environments: [[String: String]] = [
        ["HOME": ""], ["HOME": "/proc"], ["HOME": "/proc/nowhere"], ["HOME": "relative/path"],
        ["XDG_CONFIG_HOME": "/proc/nowhere", "XDG_STATE_HOME": "/proc/nowhere", "XDG_CACHE_HOME": "/proc/nowhere"],
        ["XDG_CONFIG_HOME": "relative", "XDG_STATE_HOME": "", "XDG_RUNTIME_DIR": "/proc/nowhere"],
        ["LC_ALL": "xx_YY.UTF-8"], ["LANG": "de_DE.ISO-8859-1", "LC_NUMERIC": "de_DE"], ["TERM": "dumb"], ["TERM": ""],
        ["NO_COLOR": "1", "COLUMNS": "0"], ["TZ": "Nowhere/Nothing"], ["PATH": ""], ["TMPDIR": "/proc/nowhere"],
    ]

    @Test("Pictures are rendered and reports are made, whatever the environment lacks", arguments: environments)
    func reports(_ environment: [String: String]) throws {
        let folder = TemporaryFolder()
        let usual = try Run(["render", "test:bars?size=64x48", "-o", "usual.png"], in: folder.path)
        #expect(usual.status == 0, "\(usual.errors)")
        let run = try Run(
            ["render", "test:bars?size=64x48", "-o", "a.png"], in: folder.path, environment: environment)
        // The driver may say that it keeps no shaders.
        func isClean(_ run: Run) -> Bool { run.status == 0 && run.errors.allSatisfy { $0.contains("shader cache") } }
        #expect(isClean(run), "\(run.errors)")
        #expect(try folder.read("a.png") == folder.read("usual.png"))
        for command in ["info", "formats", "effects", "--help", "--version"] {
            let run = try Run([command], in: folder.path, environment: environment)
            #expect(isClean(run), "\(command): \(run.errors)")
            // No colours and no cursor movements go to what is no terminal.
            #expect(!run.output.contains(0x1B), "\(command)")
        }
    }

    @Test("A picture is rendered without any environment") func nothing() throws {
        let folder = TemporaryFolder()
        let program = try RunningProgram.url(of: "vitrail").path(percentEncoded: false)
        let run = try RunningProgram(
            executable: "/usr/bin/env", ["-i", program, "render", "test:bars?size=64x48", "-o", "a.png"],
            in: folder.path
        ).finish()
        #expect(run.status == 0, "\(run.errors)")
        #expect(try folder.names == ["a.png"])
    }

    @Test("A wall is shown and saved by a path, whatever the environment lacks", arguments: environments)
    func walls(_ environment: [String: String]) throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        let wall = "\(folder.path)/saved.toml"
        _ = folder.write("lines", Array("{\"do\": \"save \(wall)\"}\n{\"do\": \"save office\"}\n".utf8))
        let program = try RunningProgram(
            ["test:bars", "--quit-after", "2", "--control"], in: folder.path,
            environment: environment.merging(["DISPLAY": display.name]) { $1 }, input: "\(folder.path)/lines")
        let run = try program.finish()
        #expect(run.status == 0, "\(run.errors)")
        #expect(try String(decoding: folder.read("saved.toml"), as: UTF8.self).contains("test:bars"))
        // A name is saved in the configuration's folder, or it is said why not.
        let names = try folder.names
        #expect(
            run.errors.contains { $0.contains("saved") && $0.contains("office") }
                || run.errors.contains { $0.contains("cannot be") || $0.contains("no home folder") },
            "\(run.errors) \(names)")
    }

    @Test("A program that is replaced while it runs goes on, and opens what is new with what it was")
    func upgrade() throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        let own = try RunningProgram.url(of: "vitrail").path(percentEncoded: false)
        try Clips.encode("a.mp4", in: folder.path)
        // By another process: while this one has it open to write, so have those that it starts meanwhile.
        #expect(try RunningProgram(executable: "/bin/cp", [own, "\(folder.path)/vitrail"]).finish().status == 0)
        let pipe = "\(folder.path)/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        let writer = open(pipe, O_RDWR)
        defer { close(writer) }
        let program = try RunningProgram(
            executable: "\(folder.path)/vitrail",
            ["view", "test:bars", "--control", "--sandbox", "all", "--statistics-to", "s.jsonl"], in: folder.path,
            environment: ["DISPLAY": display.name], input: pipe)
        func wait(for text: String) throws {
            let end = Date.now + 120
            var seen = ""
            repeat {
                usleep(50_000)
                seen = (try? String(decoding: folder.read("s.jsonl"), as: UTF8.self)) ?? ""
            } while !(seen.split(separator: "\n").last ?? "").contains(text) && Date.now < end
                && program.process.isRunning
            #expect(seen.contains(text), "\(program.errorText)")
        }
        try wait(for: "\"live\"")
        // As a package manager does it; then what is there is no program at all.
        _ = folder.write("new", Array("#!/bin/false\n".utf8))
        #expect(rename("\(folder.path)/new", "\(folder.path)/vitrail") == 0)
        for line in ["{\"do\": \"add a.mp4?loop\"}\n", "{\"effects\": \"grayscale\", \"tile\": 1}\n"] {
            _ = Array(line.utf8).withUnsafeBytes { write(writer, $0.baseAddress, $0.count) }
        }
        try wait(for: "\"name\":\"a.mp4\",\"omitted\":0,\"received\":2")
        _ = Array("{\"do\": \"quit\"}\n".utf8).withUnsafeBytes { write(writer, $0.baseAddress, $0.count) }
        let run = try program.finish()
        #expect(run.status == 0, "\(run.errors)")
    }
}
