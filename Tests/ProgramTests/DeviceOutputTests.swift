import Foundation
import MediaIO
import TestSupport
import Testing

@testable import vitrail

/// A device that takes pictures, as an output of the program.
@Suite(.timeLimit(.minutes(25))) struct DeviceOutputTests {
    @Test("A device is read with its size and rate; what encodes does not apply")
    func reading() throws {
        for text in ["v4l2:/dev/video9?size=640x360&fps=30", "/dev/video9?size=640x360&fps=30"] {
            let output = try LiveOutputSpecification(text)
            #expect(output.form == .device(path: "/dev/video9"))
            #expect(output.size == VideoSize(width: 640, height: 360) && output.frameRate == Rational(30))
        }
        let elsewhere = try LiveOutputSpecification("v4l2:/run/wall")
        #expect(elsewhere.form == .device(path: "/run/wall"))
        let desktop = try LiveOutputSpecification("pipewire:Wall of cameras?size=640x360")
        #expect(
            desktop.form == .pipeWire(name: "Wall of cameras") && desktop.size == VideoSize(width: 640, height: 360))
        // What shows and encodes them needs even sides.
        for text in ["pipewire:w?size=321x181", "gst:fakesink ?size=321x181", "/dev/video9?size=321x181"] {
            #expect(try LiveOutputSpecification(text).size == VideoSize(width: 322, height: 182))
        }
        for wrong in [
            "v4l2:",
            "pipewire:", "pipewire:screen", "pipewire:wall?crf=3", "/dev/video9?crf=3", "/dev/video9?codec=vp9",
            "v4l2:/dev/video9?sdp=a",
        ] {
            #expect(throws: ProgramError.self) { try LiveOutputSpecification(wrong) }
        }
    }

    @Test("A device that is not there is waited for, and the wall goes on")
    func missing() throws {
        let display = try VirtualDisplay()
        let folder = TemporaryFolder()
        let program = try startViewer(
            ["test:clock?size=64x48", "--also", "/dev/video77?size=64x48", "--statistics-to", "s.jsonl"], display,
            folder)
        func isWaiting() -> Bool {
            (try? String(contentsOfFile: "\(folder.path)/s.jsonl", encoding: .utf8))?.contains("\"waiting\"") == true
        }
        let end = Date.now + 120
        while !isWaiting(), Date.now < end { usleep(50_000) }
        #expect(isWaiting())
        let run = try program.quit(display)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.joined().contains("/dev/video77 is not there"), "\(run.errors)")
    }
}
