import FFmpegMedia
import Foundation
import MediaIO
import TestSupport
import Testing

@testable import vitrail

/// `gst:` as an input and an output of the program.
@Suite(.timeLimit(.minutes(25)))
struct PipelineInputTests {
    @Test("Options follow the last question mark; others belong to the pipeline")
    func reading() throws {
        let plain = try InputSpecification("gst:uridecodebin uri=http://h/x?rotate=1&y=2 ! queue")
        #expect(plain.pipeline == "uridecodebin uri=http://h/x?rotate=1&y=2 ! queue" && plain.settings.isEmpty)
        let turned = try InputSpecification("gst: souphttpsrc location=http://h/x?y=2 ! jpegdec ?rotate=90&label=Yard")
        #expect(turned.pipeline == "souphttpsrc location=http://h/x?y=2 ! jpegdec")
        #expect(turned.options.rotation == .clockwise90 && turned.options.label == "Yard")
        #expect(throws: ProgramError.self) { try InputSpecification("gst: ") }
        #expect(throws: ProgramError.self) { try InputSpecification("gst:videotestsrc?latency=5") }
        let output = try LiveOutputSpecification("gst:x264enc ! filesink location=a?b ?size=640x360&fps=5")
        #expect(output.form == .pipeline("x264enc ! filesink location=a?b"))
        #expect(output.size == VideoSize(width: 640, height: 360) && output.frameRate == Rational(5))
        #expect(throws: ProgramError.self) { try LiveOutputSpecification("gst:fakesink?codec=h264") }
        #expect(throws: ProgramError.self) { try LiveOutputSpecification("gst:") }
    }

    @Test(
        "Passwords in a pipeline are shown nowhere",
        arguments: [
            "gst:rtspsrc location=rtsp://admin:hidden@door/1 ! decodebin", "gst:rtspsrc user-id=a user-pw=hidden ! x",
            "gst:rtspsrc user-pw = \"hidden hidden\" ! x", "gst:s passphrase='hidden' ! x?label=a",
            "add gst:src token=hidden", "gst:a location=\"http://h/x?token=hidden\" ! b",
        ])
    func secrets(_ text: String) {
        let shown = MediaLocation.hidingSecrets(in: text)
        #expect(!shown.contains("hidden") && shown != text, "\(shown)")
    }

    @Test("A picture of a pipeline is rendered, turned; the inspections read pipelines, too")
    func rendering() throws {
        let folder = TemporaryFolder()
        let source = "gst:videotestsrc num-buffers=3 pattern=white ! video/x-raw,width=64,height=32,framerate=5/1"
        let run = try Run(["render", "\(source) ?rotate=90", "-o", "a.png"], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        let probe = try Run(["info", "--json", source])
        #expect(
            probe.status == 0 && String(decoding: probe.output, as: UTF8.self).contains("gst"),
            "\(probe.output) \(probe.errors)")
    }

    @Test("A wall file and a list run no pipeline, unless that is allowed")
    func permission() throws {
        let folder = TemporaryFolder()
        let pipeline = "videotestsrc num-buffers=1 ! video/x-raw,width=64,height=32 ! tee name=t ! queue ! "
        let writing = "gst:\(pipeline) filesink location=stolen t. ! queue"
        _ = folder.write("wall.toml", Array("[[input]]\nurl = '\(writing)'\n".utf8))
        let run = try Run(["render", "wall.toml", "-o", "a.png"], in: folder.path)
        #expect(run.status == 66 && run.errors.joined().contains("--pipelines"), "\(run.errors)")
        let sandboxed = try Run(
            ["render", "wall.toml", "--pipelines", "--sandbox", "all", "-o", "a.png"], in: folder.path)
        #expect(sandboxed.status == 66 && sandboxed.errors.joined().contains("sandbox"), "\(sandboxed.errors)")
        _ = folder.write("list.m3u", Array("\(writing)\n".utf8))
        for command in ["render", "info"] {
            let list = try Run([command, "list.m3u"] + (command == "render" ? ["-o", "a.png"] : []), in: folder.path)
            #expect(list.status == 66 && list.errors.joined().contains("--pipelines"), "\(list.errors)")
        }
        #expect(try !folder.names.contains("stolen"))
        let allowed = try Run(["render", "list.m3u", "--pipelines", "-o", "a.png"], in: folder.path)
        #expect(allowed.status == 0, "\(allowed.errors)")
        #expect(try folder.names.contains("stolen"))
    }

    @Test(
        "While a wall is shown, neither an input nor an output of a line runs a pipeline, but typed ones do",
        arguments: [false, true])
    func control(_ isAllowed: Bool) throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        let lines = """
            {"do": "add gst:videotestsrc is-live=true ! tee name=t ! queue ! filesink location=input t. ! queue"}
            {"do": "also gst:filesink location=output"}

            """
        _ = folder.write("lines", Array(lines.utf8))
        let program = try startViewer(
            [
                "gst:videotestsrc is-live=true ! video/x-raw,width=64,height=48", "--control", "--statistics-to",
                "s.jsonl",
                "--also", "gst:y4menc ! filesink location=typed.y4m ?size=64x48&fps=5",
            ] + (isAllowed ? ["--pipelines"] : []), display, folder, input: "\(folder.path)/lines")
        func size(_ name: String) -> Int {
            (try? FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name)")[.size] as? Int) ?? -1
        }
        let wanted = ["typed.y4m"] + (isAllowed ? ["input", "output"] : [])
        let end = Date.now + 120
        while wanted.contains(where: { size($0) < 20_000 }), Date.now < end { usleep(50_000) }
        let run = try program.quit(display)
        #expect(run.status == 0, "\(run.errors)")
        for name in wanted { #expect(size(name) >= 20_000, "\(name): \(run.errors)") }
        if !isAllowed {
            #expect(try !folder.names.contains { ["input", "output"].contains($0) }, "\(run.errors)")
            #expect(
                String(decoding: run.output, as: UTF8.self).contains("--pipelines")
                    || run.errors.joined().contains("--pipelines"), "\(run.errors)")
        }
    }
}
