import Foundation
import TestSupport
import Testing

/// The pointer on a wall that fills the screen.
@Suite(.timeLimit(.minutes(25)))
final class RestingPointerTests {
    private let folder = TemporaryFolder()

    @Test("In fullscreen, a pointer that rests is hidden, and comes back when it is moved") func hidden() throws {
        let display = try VirtualDisplay()
        let program = try startViewer(
            ["test:bars", "--fullscreen"], display, folder, environment: ["LIBGL_ALWAYS_SOFTWARE": "1"])
        /// Whether the place under the pointer looks as it does without one.
        func isBare() throws -> Bool {
            func pixels(_ mouse: String) throws -> [UInt8] {
                try Clips.ffmpeg(
                    [
                        "-f", "x11grab", "-draw_mouse", mouse, "-video_size", "40x40", "-grab_x", "300", "-grab_y",
                        "300", "-i", display.name, "-frames:v", "1", "-pix_fmt", "rgb24", "-y", "a.ppm",
                    ], in: folder.path)
                return try folder.read("a.ppm")
            }
            return try pixels("1") == pixels("0")
        }
        func wait(_ isDone: () throws -> Bool) throws {
            let end = Date.now + 120
            while try !isDone(), Date.now < end, program.process.isRunning { usleep(100_000) }
            #expect(try isDone(), "\(program.errorText)")
        }
        for place in ["310", "315"] {
            // Moved until it is seen: a move before the window is there wakes nobody.
            try wait {
                try display.xdotool("mousemove", place, place, "mousemove_relative", "1", "0")
                return try !isBare()
            }
            try wait { try isBare() }
        }
        let run = try program.quit(display)
        #expect(run.status == 0, "\(run.errors)")
    }
}
