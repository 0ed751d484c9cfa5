import MediaIO
import TestSupport
import Testing

/// The transforms against the numbers that are printed in the standards.
struct YCbCrTransformTests {
    static let spaces = ColorSpace.Matrix.allCases.flatMap { matrix in
        ColorSpace.Range.allCases.map { ColorSpace(matrix: matrix, range: $0) }
    }

    /// Factors of Cr in R, Cb in G, Cr in G, Cb in B for full range: JFIF 1.02 (BT.601), and those of BT.709-6 and
    /// BT.2020-2, clause "derivation of colour difference signals", inverted, to four digits.
    @Test(arguments: [
        (ColorSpace.Matrix.bt601, [1.402, -0.344136, -0.714136, 1.772]),
        (.bt709, [1.5748, -0.187324, -0.468124, 1.8556]),
        (.bt2020, [1.4746, -0.164553, -0.571353, 1.8814]),
    ]) func fullRangeDecoding(_ matrix: ColorSpace.Matrix, _ factors: [Double]) {
        let transform = YCbCrTransform.decoding(ColorSpace(matrix: matrix, range: .full))
        let rows = transform.matrix
        let found = [rows.0.z, rows.1.y, rows.1.z, rows.2.y]
        for (value, wanted) in zip(found, factors) { #expect(abs(value - wanted) < 1e-6, "\(found)") }
        #expect([rows.0.x, rows.1.x, rows.2.x] == [1, 1, 1])
        #expect([rows.0.y, rows.2.z] == [0, 0])
    }

    /// The well-known 8-bit forms: 1.164 (Y − 16) + 1.596 (Cr − 128) and so on.
    @Test(arguments: [
        (ColorSpace.Matrix.bt601, [1.164384, 1.596027, -0.391762, -0.812968, 2.017232]),
        (.bt709, [1.164384, 1.792741, -0.213249, -0.532909, 2.112402]),
        (.bt2020, [1.164384, 1.678674, -0.187326, -0.650424, 2.141772]),
    ]) func limitedRangeDecoding(_ matrix: ColorSpace.Matrix, _ factors: [Double]) {
        let transform = YCbCrTransform.decoding(ColorSpace(matrix: matrix, range: .limited))
        let rows = transform.matrix
        let found = [rows.0.x, rows.0.z, rows.1.y, rows.1.z, rows.2.y]
        for (value, wanted) in zip(found, factors) { #expect(abs(value - wanted) < 1e-6, "\(found)") }
        let black = transform(SIMD3(16, 128, 128) / 255)
        let white = transform(SIMD3(235, 128, 128) / 255)
        for channel in 0..<3 {
            #expect(abs(black[channel]) < 1e-12)
            #expect(abs(white[channel] - 1) < 1e-12)
        }
    }

    /// Code values of pure colours: the 100 % bars of BT.601 (ITU-R BT.801) and BT.709, and their full-range JPEG forms.
    @Test(arguments: [
        (ColorSpace(matrix: .bt601, range: .limited), [[81, 90, 240], [145, 54, 34], [41, 240, 110]]),
        (ColorSpace(matrix: .bt709, range: .limited), [[63, 102, 240], [173, 42, 26], [32, 240, 118]]),
        (ColorSpace(matrix: .bt601, range: .full), [[76, 85, 255], [150, 44, 21], [29, 255, 107]]),
    ]) func primariesAsCodeValues(_ space: ColorSpace, _ codes: [[Double]]) {
        let encode = YCbCrTransform.encoding(space)
        for (channel, wanted) in codes.enumerated() {
            var color = SIMD3<Double>(repeating: 0)
            color[channel] = 1
            let found = (encode(color) * 255).clamped(
                lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: 255))
            for component in 0..<3 { #expect(abs(found[component].rounded() - wanted[component]) < 0.1, "\(found)") }
        }
    }

    @Test(arguments: spaces) func decodingUndoesEncoding(_ space: ColorSpace) {
        let (encode, decode) = (YCbCrTransform.encoding(space), YCbCrTransform.decoding(space))
        var random = SeededGenerator(seed: 2)
        for _ in 0..<1000 {
            let color = SIMD3(
                Double.random(in: -0.2...1.2, using: &random), Double.random(in: -0.2...1.2, using: &random),
                Double.random(in: -0.2...1.2, using: &random))
            let there = decode(encode(color)) - color
            let back = encode(decode(color)) - color
            for channel in 0..<3 { #expect(abs(there[channel]) < 1e-12 && abs(back[channel]) < 1e-12) }
        }
    }

    @Test(arguments: spaces.filter { $0.matrix != .rgb }) func greyHasNoColour(_ space: ColorSpace) {
        let encode = YCbCrTransform.encoding(space)
        for step in 0...20 {
            let code = encode(SIMD3(repeating: Double(step) / 20)) * 255
            #expect(abs(code.y - 128) < 1e-9 && abs(code.z - 128) < 1e-9)
        }
    }

    @Test(arguments: [
        (1280, 720, ColorSpace.Matrix.bt709), (1280, 1, .bt709), (1, 577, .bt709), (1279, 576, .bt601),
        (640, 480, .bt601), (1, 1, .bt601), (1024, 600, .bt709), (3840, 2160, .bt709),
    ]) func whatIsAssumed(_ width: Int, _ height: Int, _ matrix: ColorSpace.Matrix) {
        let space = ColorSpace.unspecified(for: VideoSize(width: width, height: height))
        #expect(space.matrix == matrix)
        #expect(space.range == .limited)
    }
}
