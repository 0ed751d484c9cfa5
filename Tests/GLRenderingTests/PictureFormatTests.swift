import Foundation
import MediaIO
import TestSupport
import Testing
import VideoWall

/// Pictures in other formats than RGBA.
@Suite(.everyRenderer) struct PictureFormatTests {
    private static let size = VideoSize(width: 99, height: 67)

    /// Frames of all kinds of formats, a label, a tile that waits, and an effect.
    private static func wall() throws -> TestWall {
        let test = try TestWall()
        for (index, format) in [PixelFormat.i420, .p010, .v210, .bgra32, .gray8, .nv12].enumerated() {
            let picture = TestPicture.noise(format, VideoSize(width: 42, height: 33))
            let tile = test.add(VideoFrame(try picture.buffer(isBottomUp: false)), filter: .bilinear)
            if index == 5 {
                let text = "vec4 effect(vec2 uv) { return vec4(1.0 - sample(uv).rgb, 1.0); }"
                tile.effects = EffectChain([try Effect(text, file: "inverted")])
            }
        }
        test.wall.addTile(named: "waiting")
        let coverage = CoverageImage(
            (0..<240).map { UInt8($0) }, size: VideoSize(width: 20, height: 12), bytesPerRow: 20)
        test.wall.overlays = [WallOverlay(coverage, x: 30, y: 20, color: SIMD4<Float>(1, 0.5, 0.25, 1))]
        return test
    }

    private func samples(_ buffer: PixelBuffer, _ plane: Int) -> [UInt8] {
        let size = buffer.format.planes[plane]
        return buffer.withPlane(plane) { memory in
            (0..<size.height(buffer.size)).flatMap { row in
                Array(memory.bytes[row * memory.bytesPerRow..<row * memory.bytesPerRow + size.width(buffer.size)])
            }
        }
    }

    /// Mesa's software driver rounds a cleared value otherwise in some places, by one.
    @Test func blueMayComeFirst() throws {
        let test = try Self.wall()
        let pictures = try RenderTurn.lock.withLock {
            try [PictureFormat.rgba8, .bgra8].map { format in
                let picture = try test.renderer.makeOffscreenTarget(size: Self.size, format: format)
                try test.renderer.render(test.wall, into: picture)
                let pool = PixelBufferPool()
                let space = ColorSpace(matrix: .bt709, range: .limited)
                let planes = try picture.readI420(colorSpace: space, pool: pool)
                return (try picture.readPixels(), (0..<3).map { samples(planes, $0) })
            }
        }
        let (rgba, bgra) = (pictures[0], pictures[1])
        let places = rgba.0.indices.map { $0 & ~3 | [2, 1, 0, 3][$0 & 3] }
        let different = places.indices.filter { abs(Int(bgra.0[places[$0]]) - Int(rgba.0[$0])) > 1 }
        #expect(
            different.isEmpty,
            "\(different.count): \(different.prefix(5).map { ($0 / 4 % 99, $0 / 396, rgba.0[$0], bgra.0[places[$0]]) })"
        )
        for plane in 0..<3 {
            let worst = zip(rgba.1[plane], bgra.1[plane]).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
            #expect(worst <= 1, "plane \(plane)")
        }
        #expect(Set(rgba.0).count > 200)
    }
}
