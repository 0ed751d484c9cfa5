import GLRendering
import HeadlessGL
import MediaIO
import TextRaster
import VideoSources
import VideoWall
import VitrailGL
import WallRendering
import WindowGL

/// A window that shows a frame in textures, which another thread has drawn in a context that shares with the window's.
struct TextureDrawing {
    let window: Window

    /// Draws the same frame from memory and from textures, reads the textures back, and compares.
    func run() throws -> String {
        let group = window.context.shareGroup
        let frames = Monitor<[VideoFrame]>([])
        let failures = Monitor<[String]>([])
        let planes = try TestPatternReader(pattern: .clock, size: VideoSize(width: 161, height: 121)).frame(at: 7)
        try SystemThread(for: "the probe") {
            let collector = FrameHandler(bufferKind: .texture, pixelFormats: [.i420]) { frame in
                frames.withLock { $0.append(frame) }
            }
            let sink = TextureSink(collector, in: group)
            do throws(StreamError) { try sink.initialize() } catch {
                failures.withLock { $0.append(error.description) }
            }
            sink.consume(planes)
            sink.dispose()
            if let problem = sink.statistics.problem { failures.withLock { $0.append(problem) } }
        }.join()
        guard let frame = frames.withLock({ $0.popLast() }), case .texture(let image) = frame.image else {
            return failures.withLock { $0 }.joined(separator: "; ")
        }
        let read = Monitor<PixelBuffer?>(nil)
        try SystemThread(for: "the probe") {
            do throws(StreamError) {
                let buffer = try group.makeTextureReader().read(image)
                read.withLock { $0 = buffer }
            } catch {
                failures.withLock { $0.append(error.description) }
            }
        }.join()
        guard let buffer = read.withLock({ $0 }) else { return failures.withLock { $0 }.joined(separator: "; ") }
        let expected = try pixels(planes)
        // The window draws in its own context, though another one is current: of the group, or of any interface.
        let mine = try group.makeContext()
        let isDrawn = try pixels(frame) == expected
        let elsewhere = try HeadlessContext.make()
        let isRead = try pixels(VideoFrame(buffer, attributes: planes.attributes)) == expected
        return withExtendedLifetime((mine, elsewhere)) {
            "textures \(isDrawn) read \(isRead) values \(Set(expected).count)"
        }
    }

    /// What the window shows of a frame.
    private func pixels(_ frame: VideoFrame) throws -> [UInt8] {
        let screen = try WindowOutput(context: window.context, .gpu)
        let wall = Wall()
        wall.addTile(named: "frame").mailbox.put(frame)
        let size = window.framebufferSize
        screen.target.size = size
        try screen.renderer.render(wall, into: screen.target)
        var bytes = [UInt8](repeating: 0, count: size.width * size.height * 4)
        bytes.withUnsafeMutableBytes {
            window.context.readWindow(width: size.width, height: size.height, into: $0)
        }
        window.present()
        return bytes
    }
}
