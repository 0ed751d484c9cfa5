import MediaIO
import Testing
import VideoWall

/// Scaling with a kernel before colours are converted: the conversion amplifies the rounding between the two passes.
struct FilteredConversionTests {
    @Test(
        arguments: [ScalingFilter.catmullRom, .lanczos, .mitchell], [ColorSpace.Transfer.pq, .hlg, .bt709])
    func bothRenderersAgree(_ filter: ScalingFilter, _ transfer: ColorSpace.Transfer) throws {
        let space = ColorSpace(matrix: .bt709, range: .limited, primaries: .bt2020, transfer: transfer)
        for format in [PixelFormat.i420, .p010] {
            for size in [VideoSize(width: 131, height: 111), VideoSize(width: 50, height: 41)] {
                let source = try TestPicture.noise(format, VideoSize(width: 86, height: 86)).buffer()
                let frame = VideoFrame(source, attributes: FrameAttributes(colorSpace: space))
                let pictures = try TestRenderer.allCases.map { renderer in
                    let test = try TestWall(with: renderer)
                    test.wall.colorConversion = .exact
                    return try test.picture(of: frame, size, filter: filter) { $0.contentMode = .stretch }.bytes
                }
                let worst = zip(pictures[0], pictures[1]).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
                #expect(worst <= 1, "\(format), \(size)")
            }
        }
    }
}
