import Foundation
import MediaIO
import TestSupport
import Testing
import VideoWall

/// All 2^24 triples of 8-bit Y, U and V, drawn as a stream is, each compared with BT.709.
@Suite(.everyRenderer) struct EveryTripleTests {
    /// The number of values of Y in a picture of 2048 × 2048 pixels: V changes fastest, then U.
    private static let lumaPerPicture = 64

    @Test func isItsColor() throws {
        let size = VideoSize(width: 2048, height: 2048)
        let wall = try TestWall()
        let space = ColorSpace(matrix: .bt709, range: .limited)
        let pixels = UnsafeMutableRawBufferPointer.allocate(byteCount: size.width * size.height * 16, alignment: 16)
        defer { pixels.deallocate() }
        let target = try RenderTurn.lock.withLock {
            try wall.renderer.makeOffscreenTarget(size: size, format: .rgba32f)
        }
        let tile = wall.wall.addTile(named: "test")
        var wrong = 0
        for first in stride(from: 0, to: 256, by: Self.lumaPerPicture) {
            tile.mailbox.put(
                VideoFrame(try Self.picture(first, size), attributes: FrameAttributes(colorSpace: space)))
            try RenderTurn.lock.withLock {
                try wall.renderer.render(wall.wall, into: target)
                try target.readPixels(into: pixels, bytesPerRow: size.width * 16)
            }
            wrong += Self.wrongPixels(pixels.bindMemory(to: Float.self), first)
        }
        #expect(tile.statistics.failed == 0)
        #expect(wrong == 0)
    }

    /// The loop itself finds what is wrong.
    @Test(arguments: [Float.nan, .infinity, -.infinity, 0.0001]) func wrongPixelsAreFound(_ value: Float) {
        // The first picture's gray with Y 16, U 128 and V 128, which is black.
        let index = 16 << 16 | 128 << 8 | 128
        var pixels = [Float](repeating: 0, count: (index + 1) * 4)
        for part in 0..<3 {
            func count() -> Int { pixels.withUnsafeMutableBufferPointer { Self.wrongPixels($0, 0, only: index) } }
            #expect(count() == 0)
            pixels[index * 4 + part] = value
            #expect(count() == 1)
            pixels[index * 4 + part] = 0
        }
    }

    private static func picture(_ first: Int, _ size: VideoSize) throws -> PixelBuffer {
        try PixelBuffer(format: .i444, size: size) { planes in
            for plane in 0..<3 {
                planes.withPlaneBytes(plane) { bytes in
                    guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
                    // Pointers, because debug builds must fill millions of samples, too.
                    var index = 0
                    while index < size.width * size.height {
                        start[index] = UInt8(truncatingIfNeeded: index >> (16 - 8 * plane) + (plane == 0 ? first : 0))
                        index += 1
                    }
                }
            }
        }
    }

    /// The number of pixels that are off by more than 0.01 code values in a component, or are no number.
    ///
    /// - Parameters:
    ///   - pixels: R, G, B and A of each.
    ///   - first: Y of the first pixel.
    ///   - only: the one pixel to look at; `nil` for all.
    /// - Returns: how many.
    private static func wrongPixels(_ pixels: UnsafeMutableBufferPointer<Float>, _ first: Int, only: Int? = nil) -> Int
    {
        // BT.709, clause 3: what each code value contributes.
        func table(_ value: (Double) -> Double) -> [Float] { (0..<256).map { Float(value(Double($0))) } }
        let luma = table { ($0 - 16) / 219 }
        let redOfV = table { 2 * (1 - 0.2126) * ($0 - 128) / 224 }
        let blueOfU = table { 2 * (1 - 0.0722) * ($0 - 128) / 224 }
        let greenOfU = blueOfU.map { $0 * Float(-0.0722 / 0.7152) }
        let greenOfV = redOfV.map { $0 * Float(-0.2126 / 0.7152) }
        let bound: Float = 0.01 / 255
        var wrong = 0
        luma.withUnsafeBufferPointer { luma in
            redOfV.withUnsafeBufferPointer { redOfV in
                blueOfU.withUnsafeBufferPointer { blueOfU in
                    greenOfU.withUnsafeBufferPointer { greenOfU in
                        greenOfV.withUnsafeBufferPointer { greenOfV in
                            var index = only ?? 0
                            let end = only.map { $0 + 1 } ?? pixels.count / 4
                            while index < end {
                                let y = luma[first + index >> 16]
                                let (u, v) = (index >> 8 & 255, index & 255)
                                let red = pixels[index * 4]
                                let green = pixels[index * 4 + 1]
                                let blue = pixels[index * 4 + 2]
                                // Only numbers make a difference of 0 with themselves.
                                if !(isNear(red, y + redOfV[v], bound) && isNear(blue, y + blueOfU[u], bound)
                                    && isNear(green, y + greenOfU[u] + greenOfV[v], bound)
                                    && red - red + (green - green) + (blue - blue) == 0)
                                {
                                    wrong += 1
                                }
                                index += 1
                            }
                        }
                    }
                }
            }
        }
        return wrong
    }

    /// Whether both are the same in a target of integers, which keeps 0…1; false for NaN.
    @inline(__always)
    private static func isNear(_ drawn: Float, _ exact: Float, _ bound: Float) -> Bool {
        let difference = (drawn < 0 ? 0 : drawn > 1 ? 1 : drawn) - (exact < 0 ? 0 : exact > 1 ? 1 : exact)
        return difference <= bound && difference >= -bound
    }
}
