import Foundation
import TestSupport
import Testing

/// What the program says and ends with when something is wrong: one line, the right number, and no file left behind.
@Suite(.timeLimit(.minutes(25)))
struct ExitStatusTests {
    @Test(
        "A wrong command line ends with status 64",
        arguments: [
            ("--bogus", "--bogus"),
            ("a.mp4 --rotate 90", "'INPUT?rotate=…'. See vitrail --help."),
            ("render a.mp4 -o a.png --name=Door", "'INPUT?label=…'. See vitrail render --help."),
            ("render -o a.png --bogus", "--bogus"),
            ("formats extra", "extra"),
            ("info a.mp4?bogus=1", "bogus"),
            ("a.mp4 --grid 0x1", "--grid"),
            ("a.mp4 b.mp4 --grid 1x1", "no room"),
            ("a.mp4 --content cover", "fit"),
            ("--quit-after -1", "--quit-after"),
            ("render", "--output"),
            ("render test:bars -o a.avi", ".y4m"),
            ("render test:bars -o a.y4m", "--frames"),
            ("render test:bars test:clock?fps=5 -o -", "--frames"),
            ("render test:bars -o a.png --frames 0", "--frames"),
            ("render test:bars -o a.png --frames 2", "%04d"),
            ("render test:bars -o a.png --start -1", "--start"),
            ("render test:bars -o a.png --start nan", "--start"),
            ("render test:bars -o a.png --size 0x10", "--size"),
            ("render test:bars -o a.png --size 10", "--size"),
            ("render test:bars -o a.png --fps 0", "--fps"),
            ("render - - -o a.png", "Standard input"),
            ("render test:bars?size=0x5 -o a.png", "WIDTHxHEIGHT"),
            ("render test:bars -o a.png --size 100000x100000", "the renderer draws up to 16384x16384"),
            ("render test:bars?size=100000x1 -o a.png", "the renderer draws up to 16384x16384"),
            ("render a.yuv?size=1x100000 -o a.png", "the renderer draws up to 16384x16384"),
        ] as [(String, String)])
    func usage(_ arguments: String, naming hint: String) throws {
        let folder = TemporaryFolder()
        let run = try Run(arguments.split(separator: " ").map(String.init), in: folder.path)
        #expect(run.status == 64)
        expectOneLine(run, hint)
        #expect(try folder.names == [])
    }

    @Test("A size of one pixel is valid")
    func onePixel() throws {
        let folder = TemporaryFolder()
        let run = try Run(["render", "test:bars?size=1x1", "-o", "a.png"], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        #expect(try folder.names == ["a.png"])
    }

    @Test("If none of several inputs can be opened, the status is 66, with a line for each")
    func noneOfSeveral() throws {
        let folder = TemporaryFolder()
        let run = try Run(["render", "a.mp4", "b.y4m", "-o", "out.png"], in: folder.path)
        #expect(run.status == 66)
        #expect(run.errors.count == 2)
        #expect(try folder.names == [])
    }

    @Test("One bad input of several is reported, and the others are rendered")
    func oneOfSeveral() throws {
        let folder = TemporaryFolder()
        let run = try Run(["render", "test:bars", "missing.y4m", "-o", "out.png"], in: folder.path)
        #expect(run.status == 1)
        expectOneLine(run, "missing.y4m")
        #expect(try folder.names == ["out.png"])
    }

    @Test("A truncated stream is reported once, and the frames before are rendered")
    func breaksOff() throws {
        let folder = TemporaryFolder()
        _ = folder.write("a.y4m", Clips.y4m(frames: 3).dropLast(1))
        let run = try Run(["render", "a.y4m", "-o", "p-%d.png", "--frames", "4"], in: folder.path)
        #expect(run.status == 1)
        expectOneLine(run, "is truncated")
        #expect(try folder.names == ["a.y4m", "p-0.png", "p-1.png", "p-2.png", "p-3.png"])
    }

    @Test("A single truncated input leaves no output file")
    func breaksOffAlone() throws {
        let folder = TemporaryFolder()
        _ = folder.write("a.y4m", Clips.y4m(frames: 3).dropLast(1))
        let run = try Run(["render", "a.y4m", "-o", "out.y4m"], in: folder.path)
        #expect(run.status == 1)
        expectOneLine(run, "is truncated")
        #expect(try folder.names == ["a.y4m"])
    }

    @Test("Damage in the middle is reported once, and the rest is rendered")
    func damaged() throws {
        let folder = TemporaryFolder()
        try Clips.encode("a.mp4", in: folder.path)
        var bytes = try folder.read("a.mp4")
        for index in bytes.count / 2..<bytes.count / 2 + 2000 { bytes[index] = UInt8(truncatingIfNeeded: index &* 97) }
        _ = folder.write("a.mp4", bytes)
        let run = try Run(["render", "a.mp4", "-o", "out.y4m"], in: folder.path)
        #expect(run.status == 0)
        expectOneLine(run, "damaged")
        #expect(try folder.names == ["a.mp4", "out.y4m"])
    }

    @Test(
        "A file beyond the user's size limit is 73, and nothing is left of it",
        .enabled(if: HeapCounter.isAvailable, "A sanitizer's own files would exceed the limit."))
    func fileSizeLimit() throws {
        let folder = TemporaryFolder()
        let program = try RunningProgram.url(of: "vitrail").path(percentEncoded: false)
        let line = "ulimit -f 100; exec '\(program)' render test:bars --frames 9 -o out.y4m"
        let run = try RunningProgram(executable: "/bin/bash", ["-c", line], in: folder.path).finish()
        #expect(run.status == 73)
        expectOneLine(run, "out.y4m")
        #expect(try folder.names == [])
    }

    @Test("A start after the end gives status 64, with and without seeking", arguments: ["a.y4m", "a.mkv"])
    func startsTooLate(_ name: String) throws {
        let folder = TemporaryFolder()
        _ = folder.write("a.y4m", Clips.y4m(frames: 3))
        if name == "a.mkv" { try Clips.convert("a.y4m", to: name, in: folder.path) }
        let names = try folder.names
        for start in ["0.3", "5"] {
            let run = try Run(["render", name, "-o", "out.png", "--start", start], in: folder.path)
            #expect(run.status == 64)
            expectOneLine(run, "--start")
            #expect(try folder.names == names)
        }
    }

    @Test(
        "An output that cannot be written ends with status 73",
        arguments: ["missing/a.png", "missing/a-%d.png", "missing/a.y4m", "/proc/a.png", "full.png", "full.y4m"])
    func cannotWrite(_ output: String) throws {
        let folder = TemporaryFolder()
        let links = ["full.png", "full.y4m"]
        for link in links {
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder.path)/\(link)", withDestinationPath: "/dev/full")
        }
        let run = try Run(
            ["render", "test:bars", "-o", output]
                + (output.hasSuffix("d.png") || output.hasSuffix("y4m") ? ["--frames", "2"] : []), in: folder.path)
        #expect(run.status == 73)
        expectOneLine(run, output.replacing("%d", with: "0"))
        #expect(try folder.names == links)
    }

    @Test("A full standard output ends with status 73")
    func fullOutput() throws {
        for arguments in ["render test:bars --frames 1 -o -", "formats", "info test:bars --json"] {
            let run = try Run(shell: "\(arguments) > /dev/full")
            #expect(run.status == 73)
            expectOneLine(run, "standard output")
        }
    }

    @Test("A closed standard output is not an error")
    func closedOutput() throws {
        let run = try Run(shell: "render test:bars --frames 500 -o - | head -c 10 > /dev/null; exit ${PIPESTATUS[0]}")
        #expect(run.status == 0)
        #expect(run.errors == [])
    }

    @Test(
        "Without OpenGL the status is 69",
        arguments: [["render", "test:bars", "-o", "out.png"], ["info"], ["bench", "W3"]])
    func noOpenGL(_ arguments: [String]) throws {
        let folder = TemporaryFolder()
        let run = try Run(
            arguments + ["--renderer", "gpu"], in: folder.path,
            environment: ["__EGL_VENDOR_LIBRARY_FILENAMES": "/dev/null"])
        #expect(run.status == 69)
        expectOneLine(run, "OpenGL")
        #expect(try folder.names == [])
    }

    @Test("Without a display the status is 69", arguments: [[:], ["DISPLAY": ":9999"], ["WAYLAND_DISPLAY": "nowhere"]])
    func noDisplay(_ environment: [String: String]) throws {
        let run = try Run(["test:bars"], environment: environment)
        #expect(run.status == 69)
        expectOneLine(run, "No window can be opened")
    }

    @Test("Missing files open no window: the status is 66, although there is no display either")
    func missingInView() throws {
        let run = try Run(["a.mp4", "b.y4m"])
        #expect(run.status == 66)
        #expect(run.errors.count == 2)
    }

    @Test(
        "Help and version are printed with status 0",
        arguments: [
            "--help", "--version", "help render", "view --help", "render --help", "info --help", "formats --help",
            "effects --help", "devices --help", "bench --help",
        ])
    func help(_ arguments: String) throws {
        let run = try Run(arguments.split(separator: " ").map(String.init))
        #expect(run.status == 0)
        #expect(run.errors == [])
        #expect(run.text.contains("vitrail"))
    }
}

/// Expects one line on standard error that begins with the program's name.
func expectOneLine(_ run: Run, _ hint: String, _ location: SourceLocation = #_sourceLocation) {
    #expect(run.errors.count == 1, "\(run.errors)", sourceLocation: location)
    let line = run.errors.first ?? ""
    #expect(line.hasPrefix("vitrail: ") && (hint.isEmpty || line.contains(hint)), "\(line)", sourceLocation: location)
}
