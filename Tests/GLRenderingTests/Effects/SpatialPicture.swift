import Foundation
import MediaIO

/// A picture of R'G'B' and alpha from 0 to 1 in `Double`, read as effects read theirs; first row at the top.
struct SpatialPicture {
    let width: Int
    let height: Int
    private(set) var pixels: [SIMD4<Double>]

    init(_ width: Int, _ height: Int, _ pixel: (_ x: Int, _ y: Int) -> SIMD4<Double>) {
        (self.width, self.height) = (width, height)
        pixels = []
        pixels.reserveCapacity(width * height)
        for y in 0..<height {
            for x in 0..<width { pixels.append(pixel(x, y)) }
        }
    }

    /// Opaque, with the components of a closure, rounded to the code values of eight bits that a frame has.
    static func codes(_ width: Int, _ height: Int, _ color: (_ x: Int, _ y: Int) -> [Double]) -> Self {
        Self(width, height) { x, y in
            let codes = color(x, y).map { ($0 * 255).rounded() / 255 }
            return SIMD4(codes[0], codes[1], codes[2], 1)
        }
    }

    /// The same code value everywhere.
    static func flat(_ width: Int, _ height: Int, _ red: Int, _ green: Int, _ blue: Int) -> Self {
        codes(width, height) { _, _ in [Double(red) / 255, Double(green) / 255, Double(blue) / 255] }
    }

    static func noise(_ width: Int, _ height: Int, seed: Int = 0) -> Self {
        let noise = TestPicture.noise(.rgba32, VideoSize(width: width, height: height + seed))
        return codes(width, height) { x, y in "RGB".map { Double(noise.value($0, x, y + seed)) / 255 } }
    }

    /// Slow waves, different in each component and each direction.
    static func waves(_ width: Int, _ height: Int, phase: Double = 0) -> Self {
        codes(width, height) { x, y in
            let (x, y) = (Double(x), Double(y))
            return [0.5 + 0.4 * sin(x / 7 + phase), 0.5 + 0.4 * cos(y / 6), 0.5 + 0.4 * sin((x + 2 * y) / 11)]
        }
    }

    /// A pixel; outside, the nearest.
    subscript(x: Int, y: Int) -> SIMD4<Double> {
        pixels[min(height - 1, max(0, y)) * width + min(width - 1, max(0, x))]
    }

    /// Red, green or blue of a pixel, or with 3 alpha.
    subscript(x: Int, y: Int, part: Int) -> Double { self[x, y][part] }

    /// The place (0 to 1 from the upper left) between four pixels.
    func sample(_ u: Double, _ v: Double) -> SIMD4<Double> {
        let (x, y) = (u * Double(width) - 0.5, v * Double(height) - 0.5)
        let (left, top) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
        let (right, lower) = (x - Double(left), y - Double(top))
        let above = self[left, top] * (1 - right) + self[left + 1, top] * right
        let below = self[left, top + 1] * (1 - right) + self[left + 1, top + 1] * right
        return above * (1 - lower) + below * lower
    }

    static func luma(_ color: SIMD4<Double>) -> Double { 0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2] }

    /// A new picture of the same size, from what a closure makes of the middle of each pixel, limited to 0 to 1.
    func mapped(_ color: (_ u: Double, _ v: Double) -> SIMD4<Double>) -> Self {
        Self(width, height) { x, y in
            color((Double(x) + 0.5) / Double(width), (Double(y) + 0.5) / Double(height))
                .clamped(lowerBound: SIMD4(repeating: 0), upperBound: SIMD4(repeating: 1))
        }
    }

    /// The largest difference of red, green or blue, in code values of 255.
    func difference(from other: Self) -> Double {
        guard (width, height) == (other.width, other.height) else { return .infinity }
        var worst = 0.0
        for (first, second) in zip(pixels, other.pixels) {
            for part in 0..<3 {
                let difference = abs(first[part] - second[part]) * 255
                // NaN is worse than anything.
                if !(difference <= worst) { worst = difference.isNaN ? .infinity : difference }
            }
        }
        return worst
    }

    /// The picture as a frame of eight bits.
    func frame() throws -> VideoFrame {
        var codes: [UInt8] = []
        codes.reserveCapacity(width * height * 4)
        for pixel in pixels {
            for part in 0..<4 { codes.append(UInt8((pixel[part] * 255).rounded())) }
        }
        let buffer = try codes.withUnsafeBytes {
            try PixelBuffer(
                copying: [PixelBuffer.Plane(bytes: $0, bytesPerRow: width * 4)], format: .rgba32,
                size: VideoSize(width: width, height: height))
        }
        let color = ColorSpace(matrix: .bt709, range: .full, transfer: .sRGB)
        return VideoFrame(buffer, attributes: FrameAttributes(colorSpace: color))
    }
}
