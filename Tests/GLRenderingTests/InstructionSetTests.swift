import CVitrailKernels
import MediaIO
import SoftwareRendering
import TestSupport
import Testing
import VideoWall

/// Each set of instructions that the processor has draws what the others draw.
@Suite(.renderTurn, .serialized) struct InstructionSetTests {
    /// From the best to the plainest.
    private static var sets: [Int64] {
        let all = vitrail_instruction_sets()
        return (0..<63).map { Int64(1) << $0 }.filter { all & $0 != 0 }
    }

    private static func name(_ set: Int64) -> String { String(cString: vitrail_instruction_set_name(set)) }

    @Test func thereAreSeveral() {
        #expect(Self.sets.count > 1, "\(Self.sets.map(Self.name))")
    }

    @Test(arguments: PixelFormat.allCases) func allDrawTheSame(_ format: PixelFormat) throws {
        defer { vitrail_use_instruction_sets(0) }
        let size = VideoSize(width: 131, height: 46)
        let buffer = try TestPicture.noise(format, size).buffer(padding: format.layout.planes[0].blockBytes)
        // Side by side, reduced a little, enlarged, reduced much.
        let targets = [(131, 46), (97, 31), (301, 99), (40, 13)].map { VideoSize(width: $0.0, height: $0.1) }
        for turn in [VideoRotation.upright, .clockwise90] {
            let frame = VideoFrame(buffer, attributes: FrameAttributes(rotation: turn))
            for target in targets {
                var best: RGBAImage?
                for set in Self.sets {
                    vitrail_use_instruction_sets(set)
                    let picture = try TestWall(with: .cpu).picture(
                        of: frame, turn.isQuarterTurn ? target.transposed : target, filter: .automatic
                    ) { $0.contentMode = .stretch }
                    // Only the rounding of sums that have the same value may differ.
                    let worst = best.map { picture.largestDifference(from: $0) } ?? (value: 0, x: 0, y: 0)
                    #expect(worst.value <= 1, "\(Self.name(set)), \(target), \(turn): (\(worst.x), \(worst.y))")
                    best = best ?? picture
                }
            }
        }
    }

    @Test(arguments: [(64, 36), (35, 23), (1, 1)]) func allReadBackTheSame(_ width: Int, _ height: Int) throws {
        defer { vitrail_use_instruction_sets(0) }
        let size = VideoSize(width: width, height: height)
        var best: [[UInt8]]?
        for set in Self.sets {
            vitrail_use_instruction_sets(set)
            let wall = try TestWall(with: .cpu)
            wall.add(VideoFrame(try TestPicture.noise(.rgb24, size).buffer()))
            let picture = try wall.renderer.makeOffscreenTarget(size: size)
            try wall.renderer.render(wall.wall, into: picture)
            let space = ColorSpace(matrix: .bt709, range: .limited)
            let buffer = try picture.readI420(colorSpace: space, pool: PixelBufferPool())
            let planes = (0..<3).map { plane in
                (0..<PixelFormat.i420.planes[plane].height(size)).flatMap { row in
                    buffer.withRow(row, ofPlane: plane) { span in span.indices.map { span[$0] } }
                }
            }
            #expect(planes == best ?? planes, "\(Self.name(set))")
            best = best ?? planes
        }
    }
}
