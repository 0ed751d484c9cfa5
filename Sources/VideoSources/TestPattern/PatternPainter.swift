import MediaIO

/// Draws the frames of one pattern at one size.
protocol PatternPainter {
    /// Writes every sample of frame `index`.
    ///
    /// **Cost:** every frame; allocates nothing.
    func paint(_ index: Int, into planes: borrowing WritablePlanes)
}

/// The 8-bit code values of a colour.
struct CodeColor: Hashable {
    var y: UInt8
    var cb: UInt8
    var cr: UInt8
}

/// Converts R'G'B' to the code values of a colour space.
struct CodeValues {
    private let encode: YCbCrTransform

    init(_ space: ColorSpace) { encode = .encoding(space) }

    /// Rounds to the nearest code value, clamped.
    ///
    /// - Parameter color: 0 is black, 1 is white; limited range has values slightly beyond.
    /// - Returns: the code values.
    func callAsFunction(_ color: SIMD3<Double>) -> CodeColor {
        let values = exact(color).rounded(.toNearestOrAwayFromZero)
            .clamped(lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: 255))
        return CodeColor(y: UInt8(values.x), cb: UInt8(values.y), cr: UInt8(values.z))
    }

    /// The same without rounding: Y, Cb, Cr on the scale of 0 to 255.
    func exact(_ color: SIMD3<Double>) -> SIMD3<Double> { encode(color) * 255 }

    /// The luma of a grey: 0 black, 1 white.
    func gray(_ value: Double) -> UInt8 { self(SIMD3(repeating: value)).y }
}

/// One row of a frame in the planes of a format: drawn once, copied often.
///
/// A chroma sample has the colour of the left luma sample that shares it, as in ``ChromaLocation/left``.
struct RowTemplate {
    private let planes: [[UInt8]]

    init(width: Int, format: PixelFormat, color: (_ x: Int) -> CodeColor) {
        let size = VideoSize(width: width, height: 1)
        var planes: [[UInt8]] = []
        for (index, plane) in format.planes.enumerated() {
            planes.append(
                (0..<plane.rowBytes(size)).map { byte in
                    let color = color(min(width - 1, (byte / plane.blockBytes) << plane.horizontalShift))
                    let component = index + byte % plane.blockBytes
                    return component == 0 ? color.y : component == 1 ? color.cb : color.cr
                })
        }
        self.planes = planes
    }

    /// Copies as many samples of a plane as `target` has room for.
    func write(to target: UnsafeMutableRawBufferPointer, plane: Int) {
        planes[plane].withUnsafeBytes { row in
            target.copyMemory(from: UnsafeRawBufferPointer(rebasing: row[..<target.count]))
        }
    }
}

extension WritablePlanes {
    /// Writes one code value into every sample of these planes.
    func fill(_ planes: Range<Int>, with value: UInt8) {
        for plane in planes {
            withPlane(plane) { $0.update(repeating: value) }
        }
    }
}
