import Foundation

/// What effects that read neighbours should show, by plain arithmetic in `Double`.
///
/// Parameters are those of the effect files.
extension SpatialPicture {
    /// The pixel's column and row from the place of its middle.
    private func pixel(_ u: Double, _ v: Double) -> (Int, Int) { (Int(u * Double(width)), Int(v * Double(height))) }

    private func with(_ color: SIMD4<Double>, _ parts: (Int) -> Double) -> SIMD4<Double> {
        SIMD4(parts(0), parts(1), parts(2), color[3])
    }

    /// The sum of Gaussian weights, sigma a third of the radius, of all pixels within the radius on each axis.
    func blurred(radius: Double) -> Self {
        let reach = Int(radius + 1e-3)
        let variance = max(radius * radius / 9, 1e-3)
        let weights = (-reach...reach).map { exp(-0.5 * Double($0 * $0) / variance) }
        let total = weights.reduce(0, +)
        // Plain loops, since this is most of the time that the tests take.
        func line(_ count: Int, _ value: (Int) -> Double) -> [Double] {
            let padded = (-reach..<count + reach).map { value(min(count - 1, max(0, $0))) }
            return padded.withUnsafeBufferPointer { padded in
                weights.withUnsafeBufferPointer { weights in
                    var result: [Double] = []
                    for index in 0..<count {
                        var sum = 0.0
                        var tap = 0
                        while tap < weights.count {
                            sum += weights[tap] * padded[index + tap]
                            tap += 1
                        }
                        result.append(sum / total)
                    }
                    return result
                }
            }
        }
        let planes = (0..<4).map { part in
            let rows = (0..<height).map { y in line(width) { self[$0, y, part] } }
            return (0..<width).map { x in line(height) { rows[$0][x] } }
        }
        return Self(width, height) { x, y in SIMD4(planes[0][x][y], planes[1][x][y], planes[2][x][y], planes[3][x][y]) }
    }

    func sharpened(amount: Double, radius: Double, threshold: Double, ofLuma: Bool) -> Self {
        let blurred = blurred(radius: radius)
        return mapped { u, v in
            let (x, y) = pixel(u, v)
            let color = self[x, y]
            let all = color - blurred[x, y]
            return with(color) { part in
                let detail = ofLuma ? Self.luma(all) : all[part]
                let cored = detail > threshold ? detail - threshold : detail < -threshold ? detail + threshold : 0
                return color[part] + amount * cored
            }
        }
    }

    /// Sobel's gradient of what a closure makes of pixels; a step from 0 to 1 has a length of 4.
    private func gradient(_ x: Int, _ y: Int, _ value: (SIMD4<Double>) -> Double) -> Double {
        let kernel: [[Double]] = [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]
        var (across, down) = (0.0, 0.0)
        for row in 0..<3 {
            for column in 0..<3 {
                let value = value(self[x + column - 1, y + row - 1])
                across += kernel[row][column] * value
                down += kernel[column][row] * value
            }
        }
        return (across * across + down * down).squareRoot()
    }

    func edges(gain: Double, over: Double, ofLuma: Bool) -> Self {
        mapped { u, v in
            let (x, y) = pixel(u, v)
            let color = self[x, y]
            return with(color) { part in
                over * color[part] + gain / 4 * gradient(x, y) { ofLuma ? Self.luma($0) : $0[part] }
            }
        }
    }

    func peaking(threshold: Double, peak: SIMD3<Double>, gray: Bool) -> Self {
        mapped { u, v in
            let (x, y) = pixel(u, v)
            let color = self[x, y]
            let share = Self.smooth((gradient(x, y, Self.luma) / 8 - threshold) / (0.25 * threshold))
            return with(color) { part in
                (gray ? Self.luma(color) : color[part]) * (1 - share) + peak[part] * share
            }
        }
    }

    /// Smoothstep from 0 to 1.
    private static func smooth(_ x: Double) -> Double {
        let x = min(1, max(0, x))
        return x * x * (3 - 2 * x)
    }

    /// The mean of each block's pixels that are in the picture.
    func pixelated(size: Int) -> Self {
        let across = (width + size - 1) / size
        let blocks = (0..<across * ((height + size - 1) / size)).map { block in
            var sum = SIMD4<Double>(repeating: 0)
            var count = 0.0
            for y in block / across * size..<min(height, block / across * size + size) {
                for x in block % across * size..<min(width, block % across * size + size) {
                    sum += self[x, y]
                    count += 1
                }
            }
            return sum / count
        }
        return Self(width, height) { x, y in blocks[y / size * across + x / size] }
    }

    /// What denoising shows of this picture after another.
    func denoised(after previous: Self, strength: Double, threshold: Double) -> Self {
        mapped { u, v in
            let (x, y) = pixel(u, v)
            var change = SIMD4<Double>(repeating: 0)
            for row in -1...1 {
                for column in -1...1 {
                    let weight = Double((2 - abs(row)) * (2 - abs(column))) / 16
                    change += weight * (self[x + column, y + row] - previous[x + column, y + row])
                }
            }
            let most = max(abs(change[0]), abs(change[1]), abs(change[2]))
            let kept = strength * (1 - Self.smooth((most / threshold - 0.5) / 0.5))
            return self[x, y] * (1 - kept) + previous[x, y] * kept
        }
    }
}
