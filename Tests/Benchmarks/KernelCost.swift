import MediaIO
import SoftwareRendering
import VideoEffects
import VideoWall

/// What an effect on some tiles costs where the CPU draws, all tiles having new frames.
struct KernelCost {
    /// A wall that is drawn by the CPU.
    private struct Side {
        let renderer = SoftwareRenderer()
        let wall = Wall(layout: GridLayout())
        let target: any OffscreenTarget

        init(_ count: Int, _ effects: EffectChain, on changed: Int) throws {
            target = try renderer.makeOffscreenTarget(size: VideoSize(width: 1920, height: 1080), format: .bgra8)
            for index in 0..<count {
                let tile = wall.addTile(named: "\(index)")
                if index < changed { tile.effects = effects }
            }
        }

        func draw(_ frame: VideoFrame) throws -> Double {
            for tile in wall.tiles { tile.mailbox.put(frame) }
            return try ProcessorTime.of { try renderer.render(wall, into: target) }
        }
    }

    private let sides: [Side]
    private let frames: [VideoFrame]

    /// Makes walls of 1920 × 1080 without and with effects.
    ///
    /// - Parameters:
    ///   - count: the number of tiles.
    ///   - size: the size of their NV12 frames.
    ///   - effects: the effects, as on the command line.
    ///   - changed: the number of tiles with effects.
    /// - Throws: `EffectError`, `StreamError` or `RenderingError`.
    init(_ count: Int, _ size: VideoSize, _ effects: String, on changed: Int) throws {
        var notes: [String] = []
        let chain = try EffectChain(effects, notes: &notes)
        sides = [try Side(count, EffectChain(), on: 0), try Side(count, chain, on: changed)]
        frames = try (0..<2).map { start in
            let bytes = (0..<PixelFormat.nv12.packedByteCount(size)).map {
                UInt8(truncatingIfNeeded: ($0 * 7 + $0 / size.width * 3) >> 3 + 60 * start)
            }
            return try VideoFrame(copying: bytes.span.bytes, format: .nv12, size: size)
        }
    }

    /// Measures both alternately.
    ///
    /// - Parameter count: the number of pictures of each.
    /// - Returns: the mean processor time per picture without and with effects, in seconds, and the median ratio.
    /// - Throws: `RenderingError`.
    func measure(_ count: Int) throws -> (without: Double, with: Double, ratio: Double) {
        var (without, with, ratios): (Double, Double, [Double]) = (0, 0, [])
        for round in -4..<count {
            let (one, other) = (try sides[0].draw(frames[round & 1]), try sides[1].draw(frames[round & 1]))
            guard round >= 0 else { continue }
            without += one / Double(count)
            with += other / Double(count)
            ratios.append(other / one)
        }
        return (without, with, ratios.sorted()[ratios.count / 2])
    }
}
