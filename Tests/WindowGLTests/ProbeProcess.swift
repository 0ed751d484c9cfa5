import Foundation
import TestSupport
import Testing

/// The program `WindowProbe`, which opens a window and obeys commands.
struct ProbeProcess {
    let process: LineProcess
    /// Its output about the window.
    let opened: String

    /// Starts it and waits until its window is open.
    init(on display: VirtualDisplay, _ wayOfOpening: String = "plain") throws {
        try self.init(environment: display.environment, wayOfOpening)
    }

    /// Starts it on the display that the environment names and waits until its window is open.
    init(environment: [String: String?], _ wayOfOpening: String = "plain") throws {
        process = try LineProcess(Self.executable, [wayOfOpening], environment: environment)
        opened = try process.wait(for: "opened")
    }

    /// Where it was built: beside the test bundle.
    static var executable: String {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("WindowProbe").path
    }

    /// Has it do something and waits until that is done.
    func run(_ command: String) throws {
        process.send(command)
        try process.wait(for: "done \(command)")
    }

    /// What it says of its window now.
    func state() throws -> String {
        process.send("state")
        return try process.wait(for: "state framebuffer")
    }

    /// Has it draw what has changed, so many times, and expects that every picture is right.
    ///
    /// - Parameters:
    ///   - count: how many pictures.
    ///   - renderer: what draws: `gpu` or `cpu`.
    /// - Returns: for how many pictures it was known what was in the buffer.
    /// - Throws: if it ends or takes too long.
    func partial(_ count: Int, _ renderer: String) throws -> Int {
        process.send("partial \(count) \(renderer)")
        let words = try process.wait(for: "partial wrong").split(separator: " ")
        #expect(words[2] == "0")
        return try #require(Int(words[4]))
    }

    /// Has it present until refreshes of the screen were reported.
    ///
    /// - Parameter count: how many.
    /// - Returns: how far apart they usually were, and how long ago the last one was, in milliseconds.
    /// - Throws: if it ends or takes too long.
    func refreshes(_ count: Int) throws -> (distance: Double, age: Double) {
        process.send("reports \(count)")
        let words = try process.wait(for: "refreshes").split(separator: " ")
        return (try #require(Double(words[1])), try #require(Double(words[6])))
    }

    /// Waits for an event of its first window.
    @discardableResult
    func event(_ text: String) throws -> String { try process.wait(for: "event 0 \(text)") }
}
