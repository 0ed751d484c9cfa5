import CVitrailKernels
import MediaIO
import VideoWall

/// Blocks of one colour each, and the pixels whose mean that is.
struct BlockPlan {
    /// Along one axis: the block of each pixel that is covered, and the weights of pixels in each block's mean.
    private struct Axis {
        var first = 0
        var blocks: [Int32] = []
        var spans: [(first: Int, weights: [Float])] = []
    }

    private let across: Axis
    private let down: Axis
    private let isBlack: Bool

    /// The blocks of `pixelate.effect.glsl`, which cover the picture.
    init(pixelating step: EffectChain.Step, _ size: VideoSize) {
        let side = max(1, Int(step.number("size")))
        (across, down) = (Self.squares(side, size.width), Self.squares(side, size.height))
        isBlack = false
    }

    /// The blocks of `privacy-mask.effect.glsl`; `nil` if they cover no pixel.
    init?(masking step: EffectChain.Step, _ size: VideoSize) {
        let (first, second) = (step.point("first"), step.point("second"))
        let lowest = pointwiseMin(first, second)
        let sides = pointwiseMax(first, second) - lowest
        let pixels = pointwiseMax(
            sides * SIMD2(Float(size.width), Float(size.height)), SIMD2<Float>(repeating: 1e-3))
        let scaled = pixels * Float(step.number("blocks")) / pixels.max() + 0.5
        isBlack = step.number("style") == 0
        across = Self.covered(lowest.x, sides.x, blocks: isBlack ? 1 : max(1, Int(scaled.x)), length: size.width)
        down = Self.covered(lowest.y, sides.y, blocks: isBlack ? 1 : max(1, Int(scaled.y)), length: size.height)
        guard !across.blocks.isEmpty, !down.blocks.isEmpty else { return nil }
    }

    /// Blocks of as many pixels each; of those, the shader reads at most 16 pairs.
    private static func squares(_ side: Int, _ length: Int) -> Axis {
        var axis = Axis()
        for start in stride(from: 0, to: length, by: side) {
            let count = min(side, length - start)
            let parts = min((count + 1) / 2, 16)
            var weights = [Float](repeating: 0, count: count)
            for part in 0..<parts {
                let (begin, end) = (count * part / parts, count * (part + 1) / parts)
                // A read in the middle is the mean of two pixels, or one pixel.
                weights[(begin + end - 1) / 2] += Float(end - begin) / Float(2 * count)
                weights[(begin + end) / 2] += Float(end - begin) / Float(2 * count)
            }
            axis.blocks += Array(repeating: Int32(axis.spans.count), count: count)
            axis.spans.append((start, weights))
        }
        return axis
    }

    /// Blocks over a part of the picture, each the mean of 16 samples between pixels.
    private static func covered(_ lowest: Float, _ length: Float, blocks: Int, length pixels: Int) -> Axis {
        var axis = Axis()
        for pixel in 0..<pixels {
            // As in the shader: what an edge crosses is covered, too.
            let (place, edge) = ((Float(pixel) + 0.5) / Float(pixels), 0.49 / Float(pixels))
            guard place >= lowest - edge, place < lowest + length + edge else { continue }
            if axis.blocks.isEmpty { axis.first = pixel }
            let block = Int(max(0, (place - lowest) / max(length, 1e-6) * Float(blocks) + 1e-4))
            axis.blocks.append(Int32(min(blocks - 1, block)))
        }
        for block in 0..<blocks { axis.spans.append(samples(of: block, blocks, lowest, length, pixels)) }
        return axis
    }

    private static func samples(
        of block: Int, _ blocks: Int, _ lowest: Float, _ length: Float, _ pixels: Int
    ) -> (first: Int, weights: [Float]) {
        var weights: [Int: Float] = [:]
        for sample in 0..<16 {
            let place = (Float(block) + (Float(sample) + 0.5) / 16) / Float(blocks)
            let position = (lowest + length * place) * Float(pixels) - 0.5
            let base = position.rounded(.down)
            let share = position - base
            // Beyond the edges are the outermost pixels.
            func clamped(_ pixel: Float) -> Int { Int(min(max(pixel, 0), Float(pixels - 1))) }
            weights[clamped(base), default: 0] += (1 - share) / 16
            weights[clamped(base + 1), default: 0] += share / 16
        }
        let (first, last) = (weights.keys.min() ?? 0, weights.keys.max() ?? 0)
        return (first, (first...last).map { weights[$0] ?? 0 })
    }

    /// Makes the tables, with room for the colours unless all are black.
    func make(_ memory: PlanMemory) -> VitrailBlocks {
        func spans(_ axis: Axis) -> UnsafePointer<VitrailSpan> {
            let spans = axis.spans.map { span in
                VitrailSpan(
                    first: Int32(span.first), count: Int32(span.weights.count), weights: memory.add(span.weights))
            }
            return memory.add(spans, filler: VitrailSpan())
        }
        let count = across.spans.count * down.spans.count
        return VitrailBlocks(
            x0: Int32(across.first), y0: Int32(down.first), x1: Int32(across.first + across.blocks.count),
            y1: Int32(down.first + down.blocks.count), columns: Int32(across.spans.count),
            rows: Int32(down.spans.count), blockColumns: memory.add(across.blocks),
            blockRows: memory.add(down.blocks), across: spans(across), down: spans(down),
            colors: isBlack ? nil : memory.room(for: 3 * count))
    }
}
