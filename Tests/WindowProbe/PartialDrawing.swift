import MediaIO
import TextRaster
import VideoSources
import VideoWall
import VitrailGL
import WallRendering
import WindowGL

/// Sixteen tiles in a window, of which few change at a time; what the window gets is compared with the whole picture.
final class PartialDrawing {
    private let window: Window
    private let renderer: any WallRenderer
    private let target: any WindowTarget
    private let wall = Wall(text: TextRasterizer())
    private let clock: TestPatternReader
    private var step = 0

    init(_ window: Window, _ choice: RendererChoice) throws {
        self.window = window
        let screen = try WindowOutput(context: window.context, choice) { (window.presentCount, window.bufferAge) }
        (renderer, target) = (screen.renderer, screen.target)
        clock = try TestPatternReader(pattern: .clock, size: VideoSize(width: 40, height: 30))
        for index in 0..<16 { wall.addTile(named: "\(index)") }
    }

    /// Changes tiles, draws and presents, so many times; and updates, draws and presents too often or too seldom.
    ///
    /// - Returns: how many pictures were wrong, and for how many the age of the buffer was known.
    func run(_ count: Int) throws -> String {
        window.isVSyncOn = false
        var (wrong, aged) = (0, 0)
        for _ in 0..<count {
            step += 1
            let pixels = window.framebufferSize
            target.size = VideoSize(width: pixels.width, height: pixels.height)
            if step % 3 == 0 {
                try change(step * 5)
                wall.update(size: target.size)
            }
            if step % 7 == 0 {
                try change(step * 3)
                try renderer.render(wall, into: target)
            }
            if step % 11 == 0 { window.present() }
            if step % 13 == 0 { wall.overlay = wall.overlay == nil ? "overlay" : nil }
            try change(step * 7)
            aged += window.bufferAge > 0 ? 1 : 0
            try renderer.render(wall, into: target)
            if try !isWhole() { wrong += 1 }
            window.present()
        }
        return "wrong \(wrong) aged \(aged)"
    }

    /// Draws and presents everything.
    func redraw() throws {
        target.invalidate()
        try renderer.render(wall, into: target)
        window.present()
    }

    private func change(_ number: Int) throws {
        wall.tiles[number % wall.tiles.count].mailbox.put(try clock.frame(at: step + number))
    }

    /// Whether the window's own picture is what drawing everything gives.
    private func isWhole() throws -> Bool {
        let (width, height) = (target.size.width, target.size.height)
        let whole = try renderer.makeOffscreenTarget(size: target.size)
        try renderer.render(wall.scene, into: whole)
        let expected = try whole.readPixels()
        var shown = [UInt8](repeating: 0, count: expected.count)
        shown.withUnsafeMutableBytes { window.context.readWindow(width: width, height: height, into: $0) }
        // The lowest row is the first one of a window.
        return (0..<height).allSatisfy { row in
            let (upper, lower) = (row * width * 4, (height - 1 - row) * width * 4)
            return expected[upper..<upper + width * 4] == shown[lower..<lower + width * 4]
        }
    }
}
