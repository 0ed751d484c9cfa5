import Foundation
import TestSupport
import Testing

/// Starts the viewer, or another command with a window, and waits until it is there and takes keys.
///
/// The window is found by its title, in which `title` has to put "wall".
func startViewer(
    _ arguments: [String], _ display: VirtualDisplay, _ folder: borrowing TemporaryFolder, input: String = "/dev/null",
    environment: [String: String] = [:], command: String = "view", title: [String] = ["--title", "wall"]
) throws -> RunningProgram {
    let program = try RunningProgram(
        [command] + title + arguments, in: folder.path,
        environment: environment.merging(["DISPLAY": display.name]) { $1 }, input: input)
    var window: String?
    while window == nil, program.process.isRunning {
        window = try? display.xdotool("search", "--onlyvisible", "--name", "wall").first
    }
    // Without a window manager only the test gives the window the keyboard focus.
    try display.xdotool("windowfocus", "--sync", #require(window, "\(program.errorText)"))
    return program
}

extension RunningProgram {
    /// Presses q until the program has ended: a key that comes while the window is made anew is lost.
    func quit(_ display: VirtualDisplay) throws -> Run {
        repeat {
            _ = try? display.xdotool("search", "--onlyvisible", "--name", "wall", "windowfocus", "key", "q")
            let end = ContinuousClock.now + .seconds(2)
            while process.isRunning, ContinuousClock.now < end { usleep(5000) }
        } while process.isRunning
        return try finish()
    }
}
