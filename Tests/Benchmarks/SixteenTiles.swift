import GLRendering
import MediaIO
import VideoWall
import VitrailGL

/// A wall of sixteen tiles of 640 × 360, of which all or one have a new frame.
struct SixteenTiles {
    /// The processor time per picture, in seconds.
    struct Result {
        var all = 0.0
        var one = 0.0
        var ratio: Double { one / all }
    }

    private let wall = Wall()
    private let renderer: GLRenderer
    private let target: any RenderTarget
    private let present: () -> Void
    private let frames: [VideoFrame]

    /// Makes the wall.
    ///
    /// - Parameters:
    ///   - renderer: draws the wall.
    ///   - target: the target to draw into.
    ///   - present: presents the target, to be measured as well.
    /// - Throws: `StreamError` if there is no memory for the frames.
    init(_ renderer: GLRenderer, _ target: any RenderTarget, present: @escaping () -> Void = {}) throws {
        (self.renderer, self.target, self.present) = (renderer, target, present)
        frames = try (0..<4).map { try Self.frame($0 * 60) }
        for index in 0..<16 { wall.addTile(named: "\(index)") }
    }

    /// Measures both kinds alternately, so that other load on the machine affects both equally.
    ///
    /// - Parameter count: the number of pictures of each kind.
    /// - Returns: the mean of each kind.
    /// - Throws: `RenderingError` if nothing can be drawn any more.
    func measure(_ count: Int) throws -> Result {
        var result = Result()
        // The first rounds create and compile everything.
        for round in -4..<count {
            let all = try ProcessorTime.of { try draw(0..<16, round) }
            // In these, a window with several buffers redraws the previous changes.
            for step in 1...3 { try draw(round + 20 + step, round) }
            let one = try ProcessorTime.of { try draw(round + 20, round) }
            guard round >= 0 else { continue }
            result.all += all / Double(count)
            result.one += one / Double(count)
        }
        return result
    }

    private func draw(_ tile: Int, _ round: Int) throws { try draw(tile % 16..<tile % 16 + 1, round) }

    /// Gives tiles a new frame, draws, and waits for the GPU.
    private func draw(_ tiles: Range<Int>, _ round: Int) throws {
        for index in tiles { wall.tiles[index].mailbox.put(frames[(round + 4 + index) % frames.count]) }
        try renderer.render(wall, into: target)
        present()
        renderer.context.finish()
    }

    /// An I420 frame with varied content, so that no shortcut applies by chance.
    static func frame(_ start: Int) throws -> VideoFrame {
        let size = VideoSize(width: 640, height: 360)
        let bytes = (0..<size.width * size.height * 3 / 2).map {
            UInt8(truncatingIfNeeded: $0 * 7 + $0 / 640 * 3 + start)
        }
        return try VideoFrame(copying: bytes.span.bytes, format: .i420, size: size)
    }
}
