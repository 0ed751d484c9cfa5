public import MediaIO

/// The frame counter in the frames of ``TestPattern/clock``.
///
/// The lowest eighth of the frame is a grid of 2 rows and 18 columns of equal cells, white for 1 and black for 0, read
/// like text. Cells 0 to 31 are the frame number modulo 2³², the most significant bit first. Cells 32 to 35 are the
/// exclusive or of its eight groups of four bits and of `1010`; so the cells are never all equal, and a frame of one
/// colour has no number.
///
///     0  1  2 …                   17      bits 31 … 14
///     18 19 20 … 31 | 32 33 34 35         bits 13 … 0, check
///
/// Cells have only luma, and their size is proportional to the frame: the number stays readable after scaling, 4:2:0
/// and lossy coding as long as a cell has a few pixels; unscaled frames have it from 18 × 16 upwards. In rotated,
/// mirrored or cropped frames it is not readable.
public enum TestPatternClock {
    static let cellCount = 36
    private static let columns = 18

    /// Reads the frame number back.
    ///
    /// - Parameter buffer: a frame whose first plane is 8-bit luma.
    /// - Returns: the number modulo 2³², or `nil` if the frame has none.
    public static func frameNumber(in buffer: PixelBuffer) -> Int? {
        buffer.withPlane(0) { plane in
            // The first row is the last in memory if the stride is negative.
            let start = max(0, -plane.bytesPerRow) * (buffer.size.height - 1)
            return frameNumber(size: buffer.size) { x, y in Int(plane.bytes[start + y * plane.bytesPerRow + x]) }
        }
    }

    /// Reads the frame number back from pixels of any kind.
    ///
    /// - Parameters:
    ///   - size: the frame's size.
    ///   - luma: the brightness of the pixel in column `x` and row `y` from the top, 0 to 255; green is sufficient.
    /// - Returns: the number modulo 2³², or `nil` if the frame has none.
    public static func frameNumber(size: VideoSize, luma: (_ x: Int, _ y: Int) -> Int) -> Int? {
        guard size.width >= columns, size.height >= 16 else { return nil }
        let levels = (0..<cellCount).map { level(of: cell($0, size), luma) }
        guard let darkest = levels.min(), let brightest = levels.max(), brightest - darkest >= 64 else { return nil }
        let number = levels[..<32].reduce(0) { $0 << 1 | ($1 * 2 > darkest + brightest ? 1 : 0) }
        let check = levels[32...].reduce(0) { $0 << 1 | ($1 * 2 > darkest + brightest ? 1 : 0) }
        return check == self.check(number) ? number : nil
    }

    /// The area of a cell; empty in frames that are too small.
    static func cell(_ number: Int, _ size: VideoSize) -> Rectangle {
        let (row, column) = number.quotientAndRemainder(dividingBy: columns)
        let (left, right) = (column * size.width / columns, (column + 1) * size.width / columns)
        let (top, bottom) = ((14 + row) * size.height / 16, (15 + row) * size.height / 16)
        return Rectangle(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// Whether a cell is white in frame `frame`.
    static func isWhite(cell: Int, frame: Int) -> Bool {
        cell < 32 ? frame >> (31 - cell) & 1 == 1 : check(frame) >> (35 - cell) & 1 == 1
    }

    private static func check(_ number: Int) -> Int {
        var check = 0b1010
        for group in 0..<8 { check ^= number >> (group * 4) & 0b1111 }
        return check
    }

    /// The mean of a cell's middle: scaling and coding blur its edges.
    private static func level(of cell: Rectangle, _ luma: (Int, Int) -> Int) -> Int {
        let (insetX, insetY) = (cell.width / 4, cell.height / 4)
        var sum = 0
        for y in cell.y + insetY..<cell.y + cell.height - insetY {
            for x in cell.x + insetX..<cell.x + cell.width - insetX { sum += luma(x, y) }
        }
        return sum / ((cell.width - 2 * insetX) * (cell.height - 2 * insetY))
    }
}
