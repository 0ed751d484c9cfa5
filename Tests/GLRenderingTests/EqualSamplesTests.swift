import MediaIO
import Testing
import VideoWall
import VitrailGL

@testable import GLRendering

/// The same samples in other formats are the same picture, whichever way luma and chroma are read.
@Suite struct EqualSamplesTests {
    static let size = VideoSize(width: 62, height: 34)
    static let targets = [(97, 50), (62, 34), (44, 25), (32, 18), (17, 9), (7, 4), (2, 1)].map {
        VideoSize(width: $0, height: $1)
    }
    /// Formats, and the one of the same subsampling with 16 bits, in planes of their own.
    static let formats: [(PixelFormat, PixelFormat)] =
        [.i420, .yv12, .nv12, .i010, .p010, .p016].map { ($0, .i016) }
        + [.i422, .nv16, .yuyv, .vyuy, .i210, .p210, .y210, .v210].map { ($0, .i216) }

    @Test(arguments: formats.map(\.0), ScalingFilter.allCases)
    func areOnePicture(_ format: PixelFormat, _ filter: ScalingFilter) throws {
        let reference = try #require(Self.formats.first { $0.0 == format }?.1)
        let wall = try TestWall()
        wall.wall.colorConversion = .off
        for location in [ChromaLocation.left, .center] {
            let frames = try [format, reference].map { format in
                // In limited range, a code value of 8 bits is that of 16 bits divided by 256.
                let noise = TestPicture.noise(.i444, Self.size)
                let picture = TestPicture(format: format, size: Self.size) { letter, x, y in
                    (40 + noise.value(letter, x, y) / 2) << (format.bits(letter) - 8)
                }
                return try VideoFrame(
                    picture.buffer(),
                    attributes: FrameAttributes(
                        colorSpace: ColorSpace(matrix: .bt709, range: .limited), chromaLocation: location))
            }
            for (target, isLinear) in Self.targets.flatMap({ [($0, false), ($0, true)] }) {
                let pictures = try frames.map { frame in
                    try wall.floats(of: frame, target, filter: filter) {
                        $0.contentMode = .stretch
                        $0.scalesInLinearLight = isLinear
                    }
                }
                let difference = largestDifference(pictures[0], pictures[1])
                #expect(difference < 0.06, "\(target) \(location) light \(isLinear)")
            }
        }
    }

    /// In code values of 8 bits; infinite if any is not a number.
    private func largestDifference(_ first: [[Double]], _ second: [[Double]]) -> Double {
        zip(first.joined(), second.joined()).map { one, other in
            let difference = abs(one - other) * 255
            return difference.isFinite ? difference : .infinity
        }.max() ?? .infinity
    }

    @Test(arguments: PixelFormat.allCases) func unscaledLumaIsReadOnce(_ format: PixelFormat) {
        for filter in ScalingFilter.allCases {
            let method = ScalingMethod(
                filter, of: format.layout, reduction: SIMD2(1, 1), isAligned: true, isLinearLight: false)
            #expect(!method.weightsLuma && method.kernel == nil)
            #expect(method.weightsChroma == (filter != .nearest))
        }
    }
}
