import MediaIO

/// A frame of 4:2:0 to measure interpolation with, and its exact samples at any position.
///
/// Y, U and V are triangle waves over all code values in different directions, so that they cover all parts of the
/// colour space. The differences to the next sample in a row and in a column add up to ``slope``: small enough for the
/// 8-bit weights of a texture unit, and large enough to show chroma that is off by half a pixel. Width and height are
/// odd, so the last chroma samples are shared by fewer pixels.
struct WavePicture {
    static let size = VideoSize(width: 255, height: 253)
    /// The sum of the differences to the next sample in a row and in a column, in code values.
    static let slope = 12.0

    /// Where chroma samples lie between luma samples.
    var siting: ChromaLocation

    /// The frame of a stream that does not say its siting: as in MPEG-2.
    static let untagged = WavePicture(siting: .left)

    /// Makes a frame with the samples.
    ///
    /// - Throws: ``StreamError`` if memory runs out.
    func buffer(_ format: PixelFormat) throws(StreamError) -> PixelBuffer {
        try PixelBuffer(format: format, size: Self.size) { planes in
            for axis in 0..<3 {
                guard let component = format.layout.components[axis] else { continue }
                let size = Self.size(of: axis)
                let bytesPerRow = planes.bytesPerRow(component.plane)
                planes.withPlaneBytes(component.plane) { bytes in
                    for y in 0..<size.height {
                        for x in 0..<size.width {
                            bytes[y * bytesPerRow + x * component.step + component.offset] = UInt8(
                                Self.sample(axis, x, y))
                        }
                    }
                }
            }
        }
    }

    /// Y, U and V, each weighted linearly from the four samples around a pixel of a target that the frame fills.
    ///
    /// - Parameters:
    ///   - x: the pixel's column.
    ///   - y: its row, from the top.
    ///   - target: the size of the target.
    /// - Returns: code values, not rounded.
    func code(_ x: Int, _ y: Int, in target: VideoSize) -> SIMD3<Double> {
        // In luma samples, with the first at 0.
        let column = (Double(x) + 0.5) * Double(Self.size.width) / Double(target.width) - 0.5
        let row = (Double(y) + 0.5) * Double(Self.size.height) / Double(target.height) - 0.5
        let left: Double, top: Double
        switch siting {
        case .left: (left, top) = (0, 0.5)
        case .center: (left, top) = (0.5, 0.5)
        case .topLeft: (left, top) = (0, 0)
        case .top: (left, top) = (0.5, 0)
        case .bottomLeft: (left, top) = (0, 1)
        case .bottom: (left, top) = (0.5, 1)
        }
        // Chroma sample (i, j) lies at luma sample (2i + left, 2j + top).
        let (chromaColumn, chromaRow) = ((column - left) / 2, (row - top) / 2)
        return SIMD3(
            Self.interpolated(0, column, row), Self.interpolated(1, chromaColumn, chromaRow),
            Self.interpolated(2, chromaColumn, chromaRow))
    }

    private static func interpolated(_ axis: Int, _ x: Double, _ y: Double) -> Double {
        let size = size(of: axis)
        let (left, top) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
        let (right, below) = (x - Double(left), y - Double(top))
        func at(_ column: Int, _ row: Int) -> Double {
            Double(sample(axis, min(max(column, 0), size.width - 1), min(max(row, 0), size.height - 1)))
        }
        return (1 - below) * ((1 - right) * at(left, top) + right * at(left + 1, top))
            + below * ((1 - right) * at(left, top + 1) + right * at(left + 1, top + 1))
    }

    /// A sample of Y, U or V, 0…255.
    private static func sample(_ axis: Int, _ x: Int, _ y: Int) -> Int {
        let phase =
            switch axis {
            case 0: 8 * x + 4 * y
            case 1: 5 * x + 7 * y + 90
            default: 7 * x + 1275 - 5 * y
            }
        let place = phase % 510
        return place <= 255 ? place : 510 - place
    }

    private static func size(of axis: Int) -> VideoSize {
        axis == 0 ? size : VideoSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
    }
}
