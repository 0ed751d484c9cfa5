import MediaIO
import Testing
import VideoWall
import VitrailGL

@testable import GLRendering

/// The same samples in other formats are the same picture, whichever way luma and chroma are read.
@Suite(.everyRenderer) struct EqualSamplesTests {
    static let size = VideoSize(width: 62, height: 34)
    /// Enlarged, unscaled, reduced to a half and to a ninth; the last but one in light, too.
    static let ways: [(target: VideoSize, isLinear: Bool)] = [
        ((97, 50), false), ((62, 34), false), ((32, 18), false), ((32, 18), true), ((7, 4), false),
    ].map { (VideoSize(width: $0.0.0, height: $0.0.1), $0.1) }

    @Test(arguments: [
        (PixelFormat.i016, [PixelFormat.i420, .yv12, .nv12, .i010, .p010, .p016]),
        (.i216, [.i422, .nv16, .yuyv, .vyuy, .i210, .p210, .y210, .v210]),
    ])
    func areOnePicture(_ reference: PixelFormat, _ formats: [PixelFormat]) throws {
        // One wall, because every context compiles its programs anew.
        let wall = try TestWall()
        wall.wall.colorConversion = .off
        func pictures(_ format: PixelFormat) throws -> [FloatPicture] {
            // In limited range, a code value of 8 bits is that of 16 bits divided by 256.
            let noise = TestPicture.noise(.i444, Self.size)
            let picture = TestPicture(format: format, size: Self.size) { letter, x, y in
                (40 + noise.value(letter, x, y) / 2) << (format.bits(letter) - 8)
            }
            let frame = try VideoFrame(
                picture.buffer(),
                attributes: FrameAttributes(
                    colorSpace: ColorSpace(matrix: .bt709, range: .limited), chromaLocation: .center))
            return try ScalingFilter.allCases.flatMap { filter in
                try Self.ways.map { way in
                    try wall.floats(of: frame, way.target, filter: filter) {
                        $0.contentMode = .stretch
                        $0.scalesInLinearLight = way.isLinear
                    }
                }
            }
        }
        let expected = try pictures(reference)
        for format in formats {
            for (index, (one, other)) in zip(try pictures(format), expected).enumerated() {
                let (filter, way) = index.quotientAndRemainder(dividingBy: Self.ways.count)
                #expect(
                    largestDifference(one, other) < 0.06,
                    "\(format) \(ScalingFilter.allCases[filter]) \(Self.ways[way])")
            }
        }
    }

    /// In code values of 8 bits; infinite if any is not a number.
    private func largestDifference(_ first: FloatPicture, _ second: FloatPicture) -> Double {
        zip(first.joined(), second.joined()).map { one, other in
            let difference = abs(one - other) * 255
            return difference.isFinite ? difference : .infinity
        }.max() ?? .infinity
    }

    @Test(arguments: PixelFormat.allCases) func unscaledLumaIsReadOnce(_ format: PixelFormat) {
        for filter in ScalingFilter.allCases {
            let method = ScalingMethod(
                filter, of: format.layout, reduction: SIMD2(1, 1), automaticReduction: 1, isAligned: true,
                isLinearLight: false)
            #expect(!method.weightsLuma && method.kernel == nil)
            #expect(method.weightsChroma == (filter != .nearest))
        }
    }
}
