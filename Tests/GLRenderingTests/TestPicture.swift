import MediaIO

/// Chosen samples in any format.
///
/// `value` gives the code value of a letter (Y, U, V, A, R, G, B) at a sample position of its own grid; unused bits are
/// filled with noise.
struct TestPicture {
    let format: PixelFormat
    let size: VideoSize
    let value: (_ letter: Character, _ x: Int, _ y: Int) -> Int

    /// Noise, the same for the same arguments.
    static func noise(_ format: PixelFormat, _ size: VideoSize) -> TestPicture {
        TestPicture(format: format, size: size) { letter, x, y in
            hash(x, y, UInt64(letter.asciiValue ?? 0)) & ((1 << format.bits(letter)) - 1)
        }
    }

    private static func hash(_ x: Int, _ y: Int, _ seed: UInt64) -> Int {
        var value =
            UInt64(x) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(y) &* 0xC2B2_AE3D_27D4_EB4F ^ seed &* 0x1656_67B1_9E37_79F9
        value = (value ^ (value >> 31)) &* 0xD6E8_FEB8_6659_FD93
        return Int(value >> 40)
    }

    /// The rows of each plane, as short as they can be.
    var planes: [[[UInt8]]] {
        func little(_ value: Int, _ bytes: Int) -> [UInt8] {
            (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        func rows(_ count: Int, _ row: (Int) -> [UInt8]) -> [[UInt8]] { (0..<count).map(row) }
        let (w, h) = (size.width, size.height)
        switch format.packing {
        case .planes(let letters, let bits, let columns, let lines):
            return letters.map { letter in
                let (across, down) = "UV".contains(letter) ? (columns, lines) : (1, 1)
                return rows((h + down - 1) / down) { y in
                    (0..<(w + across - 1) / across).flatMap { little(value(letter, $0, y), bits > 8 ? 2 : 1) }
                }
            }
        case .twoPlanes(let letters, let bits, let columns, let lines, let isHigh):
            let (bytes, shift) = (bits > 8 ? 2 : 1, isHigh ? 16 - bits : 0)
            return [
                rows(h) { y in (0..<w).flatMap { little(value("Y", $0, y) << shift, bytes) } },
                rows((h + lines - 1) / lines) { y in
                    (0..<(w + columns - 1) / columns).flatMap { x in
                        letters.flatMap { little(value($0, x, y) << shift, bytes) }
                    }
                },
            ]
        case .pairs(let letters, let bits):
            let (bytes, shift) = (bits > 8 ? 2 : 1, bits > 8 ? 16 - bits : 0)
            return [
                rows(h) { y in
                    (0..<(w + 1) / 2).flatMap { pair in
                        var luma = 2 * pair
                        return letters.flatMap { letter in
                            defer { if letter == "Y" { luma += 1 } }
                            return little(value(letter, letter == "Y" ? luma : pair, y) << shift, bytes)
                        }
                    }
                }
            ]
        case .words(let letters, let bits):
            return [rows(h) { y in (0..<w).flatMap { x in letters.flatMap { little(value($0, x, y), bits / 8) } } }]
        case .fields(let fields):
            let total = fields.reduce(0) { $0 + $1.1 }
            return [
                rows(h) { y in
                    (0..<w).flatMap { x in
                        little(fields.reduce(0) { $0 << $1.1 | (value($1.0, x, y) & ((1 << $1.1) - 1)) }, total / 8)
                    }
                }
            ]
        case .halfFloats:
            return [
                rows(h) { y in
                    (0..<w).flatMap { x in
                        "RGBA".flatMap { little(Int(Self.half(Double(value($0, x, y)) / 65_535)), 2) }
                    }
                }
            ]
        case .v210:
            return [
                rows(h) { y in
                    (0..<(w + 5) / 6).flatMap { group in
                        let samples = (0..<12).map { index in
                            switch index % 4 {
                            case 0: value("U", 3 * group + index / 4, y)
                            case 2: value("V", 3 * group + index / 4, y)
                            default: value("Y", 6 * group + index / 2, y)
                            }
                        }
                        return stride(from: 0, to: 12, by: 3).flatMap {
                            little(samples[$0] | samples[$0 + 1] << 10 | samples[$0 + 2] << 20, 4)
                        }
                    }
                }
            ]
        case .bayer(let letters):
            let order = Array(letters)
            return [rows(h) { y in (0..<w).map { x in UInt8(value(order[y % 2 * 2 + x % 2], x, y)) } }]
        }
    }

    /// The bits of the nearest binary16 of a number in 0…1.
    static func half(_ value: Double) -> UInt16 {
        guard value > 0 else { return 0 }
        let exponent = max(-14, value.exponent)
        let fraction = Int(
            (value / Double(sign: .plus, exponent: exponent, significand: 1) * 1024).rounded(.toNearestOrEven))
        // A fraction of 2048 or below 1024 carries over to the next exponent, or is a subnormal number, by itself.
        return UInt16((exponent + 14) << 10 + fraction)
    }

    /// The pixels in memory of their own.
    ///
    /// - Parameters:
    ///   - padding: bytes by which each row is longer than it must be, filled with noise.
    ///   - isBottomUp: whether the last row comes first.
    /// - Returns: a buffer that lends that memory.
    /// - Throws: ``StreamError``.
    func buffer(padding: Int = 0, isBottomUp: Bool = false) throws -> PixelBuffer {
        let lent = planes.map { rows in
            let filler = (0..<padding).map { UInt8(truncatingIfNeeded: 0xA5 &+ 7 &* $0) }
            let bytes = (isBottomUp ? rows.reversed() : rows).flatMap { $0 + filler }
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count - padding, alignment: 1)
            memory.copyBytes(from: bytes.dropLast(padding))
            let stride = rows[0].count + padding
            return PixelBuffer.Plane(bytes: UnsafeRawBufferPointer(memory), bytesPerRow: isBottomUp ? -stride : stride)
        }
        return try PixelBuffer(lending: lent, format: format, size: size) {
            for plane in lent { plane.bytes.deallocate() }
        }
    }

    /// Red, green and blue, 0…255 and not rounded, of a pixel whose chroma is not interpolated; not for Bayer.
    func expected(_ x: Int, _ y: Int, _ matrix: ColorSpace.Matrix, _ range: ColorSpace.Range) -> [Double] {
        func code(_ letter: Character, _ x: Int, _ y: Int) -> Double { Double(value(letter, x, y)) }
        let letters = Set("YUVRGBA".filter { format.has($0) })
        var color: [Double]
        if letters.contains("R") {
            color = "RGB".map { letter in
                // A field of five bits is a share of 31, whatever the range is called.
                let bits = format.bits(letter)
                let code = code(letter, x, y)
                let level =
                    bits >= 8 && range == .limited
                    ? ReferenceConverter(matrix: matrix, range: range, depth: bits).level(code)
                    : code / Double((1 << bits) - 1)
                return min(255, max(0, level * 255))
            }
        } else {
            let converter = ReferenceConverter(matrix: matrix, range: range, depth: format.bits("Y"))
            let (columns, rows) = format.sharing
            color =
                letters.contains("U")
                ? converter.rgb(
                    y: code("Y", x, y), cb: code("U", x / columns, y / rows), cr: code("V", x / columns, y / rows))
                : Array(repeating: min(255, max(0, converter.level(code("Y", x, y)) * 255)), count: 3)
        }
        if letters.contains("A") {
            let opacity = code("A", x, y) / Double((1 << format.bits("A")) - 1)
            color = color.map { $0 * opacity }
        }
        return color
    }
}
