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

    @Test(
        "Planes of 10 bits are the means of the picture's pixels", arguments: [PictureFormat.rgb10a2, .rgba8, .rgba16f])
    func deepPlanes(_ format: PictureFormat) throws {
        let test = try Self.wall()
        let space = ColorSpace(matrix: .bt2020, range: .limited)
        let (pixels, planes) = try RenderTurn.lock.withLock {
            let picture = try test.renderer.makeOffscreenTarget(size: Self.size, format: format)
            try test.renderer.render(test.wall, into: picture)
            let planes = try picture.readPlanes(as: .i010, colorSpace: space, pool: PixelBufferPool())
            // Another depth, and back.
            _ = try picture.readI420(colorSpace: space, pool: PixelBufferPool())
            let again = try picture.readPlanes(as: .i010, colorSpace: space, pool: PixelBufferPool())
            #expect(again.packedBytes.elementsEqual(planes.packedBytes))
            return (try picture.readPixels(), planes)
        }
        func color(_ x: Int, _ y: Int) -> SIMD3<Double> {
            let place = min(y, Self.size.height - 1) * Self.size.width + min(x, Self.size.width - 1)
            return pixels.withUnsafeBytes { bytes in
                switch format {
                case .rgb10a2:
                    let word = bytes.loadUnaligned(fromByteOffset: 4 * place, as: UInt32.self)
                    return SIMD3(Double(word & 1023), Double(word >> 10 & 1023), Double(word >> 20 & 1023)) / 1023
                case .rgba16f:
                    let words = (0..<3).map { bytes.loadUnaligned(fromByteOffset: 8 * place + 2 * $0, as: UInt16.self) }
                    return SIMD3(words.map { min(1, max(0, Double(Float16(bitPattern: $0)))) })
                default: return SIMD3((0..<3).map { Double(bytes[4 * place + $0]) / 255 })
                }
            }
        }
        var (error, deep) = (LargestError(), 0)
        for (index, plane) in PixelFormat.i010.planes.enumerated() {
            let block = index == 0 ? 1 : 2
            for y in 0..<plane.height(Self.size) {
                for x in 0..<plane.width(Self.size) {
                    var sum = SIMD3<Double>.zero
                    for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                        sum += color(x * block + dx % block, y * block + dy % block)
                    }
                    let (r, g, b) = (sum.x / 4, sum.y / 4, sum.z / 4)
                    let luma = 0.2627 * r + 0.678 * g + 0.0593 * b
                    let value = [luma, (b - luma) / 1.8814, (r - luma) / 1.4746][index]
                    let expected = index == 0 ? 64 + 876 * value : 512 + 896 * value
                    let code = planes.withRow(y, ofPlane: index) {
                        Int($0[2 * x]) | Int($0[2 * x + 1]) << 8
                    }
                    error.add(Double(code) - expected)
                    if code % 4 != 0 { deep += 1 }
                }
            }
        }
        #expect(error.value <= 1, "\(error.value)")
        #expect(deep > 2000)
        let other = #expect(throws: RenderingError.self) {
            let picture = try test.renderer.makeOffscreenTarget(size: Self.size, format: format)
            _ = try picture.readPlanes(as: .nv12, colorSpace: space, pool: PixelBufferPool())
        }
        #expect(other?.description.contains("nv12") == true)
    }

    @Test("What the wall itself draws has the colours of its target, as frames have")
    func ownColors() throws {
        let test = try TestWall()
        test.wall.colorTarget = ColorTarget(primaries: .bt2020, transfer: .bt709)
        test.wall.surround = SIMD3(1, 0.25, 0)
        let mark = Rectangle(x: 4, y: 4, width: 8, height: 8)
        test.wall.overlays = [WallOverlay(filling: mark, with: SIMD4(0, 1, 0.5, 1))]
        let pixels = try RenderTurn.lock.withLock {
            let picture = try test.renderer.makeOffscreenTarget(size: Self.size, format: .rgba32f)
            try test.renderer.render(test.wall, into: picture)
            return try picture.readPixels()
        }
        // BT.2087, M2: BT.709 to BT.2020.
        let rows = [[0.6274, 0.3293, 0.0433], [0.0691, 0.9195, 0.0114], [0.0164, 0.0880, 0.8956]]
        for (x, y, own) in [(1, 1, [1, 0.25, 0]), (6, 6, [0, 1, 0.5]), (90, 60, [1, 0.25, 0])] {
            let light = own.map { pow($0, 2.4) }
            for part in 0..<3 {
                let expected = pow(zip(rows[part], light).reduce(0) { $0 + $1.0 * $1.1 }, 1 / 2.4)
                let value = pixels.withUnsafeBytes {
                    Double($0.load(fromByteOffset: 16 * (y * Self.size.width + x) + 4 * part, as: Float.self))
                }
                #expect(abs(value - expected) < 1 / 1023, "\(x), \(y): \(value), not \(expected)")
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
