import FFmpegMedia
import Foundation
import MediaIO
import TestSupport
import Testing

@testable import vitrail

/// Outputs that are inputs, or other outputs.
@Suite(.timeLimit(.minutes(25))) struct OutputLoopTests {
    @Test(
        "A wall is not written to what it shows, however that is written",
        arguments: [
            ("v4l2:/dev/video77", "/dev/video77?fps=30", "/dev/video78"),
            ("pipewire:wall?fps=30", "pipewire:wall", "pipewire:wall-2"),
            ("pipewire:wall", "pipewire:camera", "pipewire:screen"),
            ("rtsp://LOCALHOST:8554/w", "rtsp://localhost:8554/w", "rtsp://localhost:8554/W"),
            ("rtsp://localhost/w#fps=5", "rtsp://user:secret@localhost:554/w?tcp", "rtsp://localhost:555/w"),
            ("rtsp://127.0.0.1:8554/w", "rtsp://localhost:8554/w", "rtsp://host:8554/w"),
            ("rtp://127.0.0.1:5555", "rtp://127.0.0.1:5555", "rtp://127.0.0.1:5557"),
            ("udp://127.0.0.1:5577#size=320x180", "udp://@:5577", "udp://@:5578"),
            ("udp://127.0.0.1:5577", "udp://0.0.0.0:5577", "udp://0.0.0.0:5578"),
            ("srt://localhost:9000?latency=120000", "srt://:9000?mode=listener", "srt://camera:9000"),
            (
                "srt://server:8890?streamid=publish:wall#fps=5", "srt://server:8890?streamid=read:wall",
                "srt://server:8890?streamid=read:door"
            ),
            // What is sent to another machine does not come back.
            ("udp://10.0.0.7:5577", "udp://10.0.0.7:5577", "udp://@:5577"),
        ])
    func loops(_ output: String, _ input: String, _ other: String) throws {
        let output = try LiveOutputSpecification(output)
        let error = #expect(throws: ProgramError.self) { try output.check(isNot: try InputSpecification(input)) }
        #expect(error?.description.contains(input == "pipewire:camera" ? "wall itself" : "both the input") == true)
        #expect(throws: Never.self) { try output.check(isNot: try InputSpecification(other)) }
    }

    @Test("Neither the segments of a playlist nor substreams are overwritten")
    func files() throws {
        let folder = TemporaryFolder()
        for name in ["wall0.ts", "wall12.ts", "wall.ts", "wall1x.ts", "other0.ts", "sub.mp4"] {
            _ = folder.write(name, [1, 2, 3])
        }
        let output = try LiveOutputSpecification("\(folder.path)/wall.m3u8")
        for (name, isSegment) in [
            ("wall0.ts", true), ("./wall12.ts", true), ("wall.ts", false), ("wall1x.ts", false), ("other0.ts", false),
        ] {
            let input = try InputSpecification("\(folder.path)/\(name)")
            #expect(((try? output.check(isNot: input)) == nil) == isSegment, "\(name)")
        }
        let text = "[[input]]\nurl = 'test:bars'\nsubstream = 'sub.mp4'\n"
        _ = folder.write("wall.toml", Array(text.utf8))
        for command in [
            ["view", "wall.toml", "--no-window", "--quit-after", "1", "--also", "sub.mp4"],
            ["render", "wall.toml", "--frames", "1", "-o", "sub.mp4"],
        ] {
            let run = try Run(command, in: folder.path)
            #expect(run.status == 64 && run.errors.joined().contains("is both the input"), "\(run.errors)")
        }
        #expect(try folder.read("sub.mp4") == [1, 2, 3])
    }

    @Test(
        "Two outputs are not one file, however it is written",
        arguments: [
            ("d.mp4", "./d.mp4"), ("d.mkv?fps=5", "/proc/self/cwd/d.mkv"), ("z.m3u8", "../here/z.m3u8"),
            ("udp://127.0.0.1:5577", "udp://LOCALHOST:5577#fps=5"),
        ])
    func twice(_ one: String, _ other: String) throws {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(atPath: "\(folder.path)/here", withIntermediateDirectories: false)
        let run = try Run(
            ["view", "test:bars", "--no-window", "--quit-after", "1", "--also", one, "--also", other],
            in: "\(folder.path)/here")
        #expect(run.status == 64 && run.errors.joined().contains("is an output already"), "\(run.errors)")
    }

    @Test("A playlist in a folder that is not there, or whose name players misread, is refused at once")
    func playlists() throws {
        let folder = TemporaryFolder()
        for (output, status, text) in [
            ("nowhere/x.m3u8", 73, "cannot be written"), ("a:b.m3u8", 64, "without : and %"),
            ("a%d.m3u8", 64, "without : and %"),
        ] {
            let run = try Run(
                ["view", "test:bars", "--no-window", "--quit-after", "1", "--also", output], in: folder.path)
            #expect(Int(run.status) == status && run.errors.joined().contains(text), "\(run.status) \(run.errors)")
        }
    }

    @Test("The password of a URL need not stand in it")
    func secrets() throws {
        let folder = TemporaryFolder()
        let file = folder.write("password", Array("pass/word\n".utf8))
        let output = try LiveOutputSpecification("rtsp://me@server/wall#secret=file:\(file)&fps=5")
        #expect(output.form == .destination(.network(url: "rtsp://me:pass%2Fword@server/wall")))
        #expect(output.frameRate.value == 5 && !output.name.contains("word"), "\(output.name)")
        for (wrong, text) in [
            ("rtsp://me@server/wall#secret=hunter2", "a secret is env:NAME"),
            ("rtsp://me@server/wall#secret=env:VITRAIL_NO_SUCH", "is not set in the environment"),
            ("rtsp://me:x@server/wall#secret=file:\(file)", "has a password already"),
            ("wall.mp4?secret=file:\(file)", "needs a URL"),
        ] {
            let error = #expect(throws: ProgramError.self) { try LiveOutputSpecification(wrong) }
            #expect(error?.description.contains(text) == true && error?.description.contains("hunter2") == false)
        }
    }
}
