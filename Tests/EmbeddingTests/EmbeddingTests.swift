import Foundation
import MediaIO
import SoftwareRendering
import TestSupport
import Testing
import VideoSources
import VideoWall

/// A wall in the window of a program with another toolkit, which draws, too.
@Suite(.timeLimit(.minutes(25))) struct EmbeddingTests {
    @Test(
        "The wall is in its rectangle, the host's drawing around it, and the host's state is as it was",
        arguments: ["SDLHost", "GTKHost"])
    func host(_ name: String) throws {
        let display = try VirtualDisplay()
        let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let host = try LineProcess(folder.appendingPathComponent(name).path, [], environment: display.environment)
        defer { host.terminate() }
        try host.wait(for: "drawn 3")
        #expect(host.lines.count { $0.hasPrefix("right") } >= 4)
        #expect(!host.lines.contains { $0.hasPrefix("wrong") }, "\(host.lines)")

        let expected = try picture()
        var screen = try display.screenshot()
        // The window system shows it a little later.
        for _ in 0..<100
        where screen.color(x: 399, y: 299) != [0, 0, 255] || screen.color(x: 150, y: 150) == [0, 0, 255] {
            Thread.sleep(forTimeInterval: 0.1)
            screen = try display.screenshot()
        }
        var worst = 0
        for y in 0..<160 {
            for x in 0..<240 {
                let color = screen.color(x: 100 + x, y: 300 - 50 - 160 + y)
                for index in 0..<3 {
                    worst = max(worst, abs(Int(color[index]) - Int(expected[(y * 240 + x) * 4 + index])))
                }
            }
        }
        #expect(worst <= 1)
        #expect(Set(expected).count > 20)
        for (x, y) in [(99, 150), (340, 150), (200, 89), (200, 250), (0, 0), (399, 299)] {
            #expect(screen.color(x: x, y: y) == [0, 0, 255], "\(x), \(y)")
        }
        if name == "SDLHost" {
            #expect(screen.color(x: 19, y: 280) == [255, 0, 0])
            #expect(screen.color(x: 20, y: 280) == [0, 0, 255] && screen.color(x: 19, y: 279) == [0, 0, 255])
        }
        // What was made goes before the host's context does.
        #expect(host.end() == 0)
        _ = try? host.wait(for: "released")
        #expect(host.lines.last == "released" && !host.lines.contains { $0.hasPrefix("wrong") }, "\(host.lines)")
    }

    /// The same wall, drawn by the CPU.
    private func picture() throws -> [UInt8] {
        let wall = Wall()
        for pattern in [TestPattern.bars, .gradient] {
            let reader = try TestPatternReader(
                pattern: pattern, size: VideoSize(width: 64, height: 48), frameRate: Rational(30), format: .nv12)
            try wall.addTile(named: "\(pattern)").mailbox.put(reader.frame(at: 0))
        }
        let renderer = SoftwareRenderer()
        let picture = try renderer.makeOffscreenTarget(size: VideoSize(width: 240, height: 160))
        try renderer.render(wall, into: picture)
        return try picture.readPixels()
    }
}
