import FFmpegMedia
import Foundation
import MediaIO
import TestSupport
import Testing

@testable import vitrail

/// `pipewire:` inputs, from a PipeWire of their own.
@Suite(.timeLimit(.minutes(25)), .serialized)
final class PipeWireTests {
    private let desktop: DesktopSession
    private let folder = TemporaryFolder()

    /// A picture that stands still.
    private let still: String

    init() throws {
        desktop = try DesktopSession()
        still = "\(folder.path)/still.y4m"
        try Clips.ffmpeg(
            [
                "-f", "lavfi", "-i", "gradients=size=1280x720:seed=1", "-frames:v", "1", "-pix_fmt", "yuv420p",
                "still.y4m",
            ],
            in: folder.path)
    }

    /// Renders one picture.
    private func render(_ input: String, _ output: String, _ environment: [String: String]? = nil) throws -> Run {
        try Run(
            ["render", input, "--frames", "1", "--size", "1280x720", "-o", output, "--lossless"], in: folder.path,
            environment: environment ?? desktop.environment)
    }

    /// Checks that a picture is that of a wall.
    private func check(_ name: String, shows inputs: [String]) throws {
        let reference = try Run(
            ["render"] + inputs + ["--frames", "1", "--size", "1280x720", "-o", "r.mkv", "--lossless"], in: folder.path)
        #expect(reference.status == 0, "\(reference.errors)")
        let pictures = try [name, "r.mkv"].map { name in
            try #require(try MediaReader(.file(path: "\(folder.path)/\(name)")).next()).planes.packedBytes
        }
        let worst = zip(pictures[0], pictures[1]).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
        #expect(pictures[0].count == pictures[1].count && worst <= 2, "\(worst)")
    }

    @Test("What another program shows is listed and read; what is not there is an error that says what is")
    func nodes() throws {
        let wall = try desktop.provide("wall-7", ["\(still)?loop"])
        let run = try render("pipewire:wall-7", "0.mkv")
        #expect(run.status == 0, "\(run.errors)")
        try check("0.mkv", shows: ["\(still)?loop"])
        // A desktop without a portal asks nobody.
        let camera = try render("pipewire:camera", "c.mkv")
        #expect(camera.status == 0, "\(camera.errors)")
        try check("c.mkv", shows: ["\(still)?loop"])
        let missing = try render("pipewire:wall-8", "m.mkv")
        #expect(
            missing.status == 66 && missing.errors.joined().contains("is not there: there is pipewire:wall-7"),
            "\(missing.errors)")
        #expect(wall.process.isRunning)
    }

    @Test("A node that goes and comes back is shown again, under its name")
    func comesBack() throws {
        let first = try desktop.provide("wall-7", ["test:clock?size=320x240"])
        _ = try desktop.provide("other", ["test:bars?size=320x240"])
        let viewer = try RunningProgram(
            [
                "view", "pipewire:wall-7", "--no-window", "--also", "a.mkv?size=64x32&fps=5", "--statistics-to",
                "s.jsonl",
            ], in: folder.path, environment: desktop.environment)
        defer { viewer.process.terminate() }
        func state() -> String? {
            let text = (try? String(contentsOfFile: "\(folder.path)/s.jsonl", encoding: .utf8)) ?? ""
            return text.split(separator: "\n").last?.firstMatch(of: /"tiles":.*?"state":"([a-z ]+)"/).map {
                String($0.1)
            }
        }
        try desktop.wait("the picture") { state() == "live" }
        first.process.terminate()
        try desktop.wait("its end") { state().map { $0 != "live" && $0 != "late" } ?? false }
        // It does not take the other one instead.
        usleep(7_000_000)
        #expect(state() != "live", "\(state() ?? "")")
        _ = try desktop.provide("wall-7", ["test:clock?size=320x240"])
        try desktop.wait("the picture") { state() == "live" }
    }

    @Test("The desktop lends a screen, by its portal, as long as its user wants")
    func screen() throws {
        _ = try desktop.provide("screen-1", ["\(still)?loop"])
        let lonely = try render("pipewire:screen", "l.mkv", ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/proc/nowhere"])
        #expect(lonely.status == 66 && lonely.errors.joined().contains("no session bus"), "\(lonely.errors)")
        let without = try render("pipewire:screen", "w.mkv")
        #expect(without.status == 66 && without.errors.joined().contains("xdg-desktop-portal"), "\(without.errors)")
        try desktop.startPortal(.grants, node: "screen-1")
        let run = try render("pipewire:screen", "s.mkv")
        #expect(run.status == 0, "\(run.errors)")
        try check("s.mkv", shows: ["\(still)?loop"])
        let camera = try render("pipewire:camera", "c.mkv")
        #expect(camera.status == 0, "\(camera.errors)")
        try check("c.mkv", shows: ["\(still)?loop"])
    }

    @Test(
        "A user who refuses or ends it is not asked again",
        arguments: [
            (PortalUser.refuses, "its user has refused"), (.grantsForAWhile, "no longer lent by the desktop"),
        ])
    func ends(_ user: PortalUser, _ words: String) throws {
        _ = try desktop.provide("screen-1", ["test:clock?size=320x240"])
        try desktop.startPortal(user, node: "screen-1")
        let viewer = try RunningProgram(
            ["view", "pipewire:screen", "test:bars", "--no-window", "--also", "a.mkv?size=64x32&fps=5"],
            in: folder.path, environment: desktop.environment)
        try desktop.wait("the end") { viewer.errorText.contains(words) }
        usleep(3_000_000)
        viewer.process.terminate()
        let run = try viewer.finish()
        #expect(run.status == -SIGTERM && run.errors.count { $0.contains("pipewire:screen") } == 1, "\(run.errors)")
    }

    @Test("The program ends while the user hesitates")
    func hesitation() throws {
        _ = try desktop.provide("screen-1", ["test:clock?size=320x240"])
        try desktop.startPortal(.hesitates, node: "screen-1")
        let run = try Run(
            [
                "view", "pipewire:screen", "test:bars", "--no-window", "--also", "a.mkv?size=64x32&fps=5",
                "--quit-after", "3",
            ], in: folder.path, environment: desktop.environment)
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    }

    @Test(
        "Names that make no sense are refused",
        arguments: ["pipewire:", "pipewire:screen?loop", "pipewire:x?format=i420"])
    func refusals(_ input: String) throws {
        let run = try Run(["render", input, "-o", "a.png"], in: folder.path)
        #expect(run.status == 64, "\(run.errors)")
        #expect(try folder.names == ["still.y4m"])
    }
}
