public import MediaIO
import VitrailSupport

/// The part of a wall that one of several screens shows, which stand in rows and columns and show the wall together.
///
/// All screens have the same size. The frames between them, the bezels, hide a part of the wall, so that lines go on
/// straight behind them.
public struct WallPart: Hashable, Sendable, CustomStringConvertible {
    /// The most columns, and rows.
    public static let maximumCount = 64
    /// The widest bezel, in pixels.
    public static let maximumBezel = 10_000
    /// The only part of a wall that one screen shows.
    public static let whole = WallPart(columns: 1, rows: 1, column: 0, row: 0)

    /// The number of screens beside each other, 1…64.
    public let columns: Int
    /// The number of screens above each other, 1…64.
    public let rows: Int
    /// The column of this screen, from 0 at the left.
    public let column: Int
    /// The row of this screen, from 0 at the top.
    public let row: Int
    /// The distance between the pictures of two neighbours, in pixels of the wall.
    public var bezel: Int

    /// Creates a part.
    ///
    /// - Parameters:
    ///   - columns: the number of screens beside each other, 1…64.
    ///   - rows: the number of screens above each other, 1…64.
    ///   - column: the column of this screen, 0..<`columns`.
    ///   - row: the row of this screen, 0..<`rows`.
    ///   - bezel: the distance between the pictures of two neighbours in pixels, 0…10,000.
    public init(columns: Int, rows: Int, column: Int, row: Int, bezel: Int = 0) {
        let counts = 1...Self.maximumCount
        require(
            counts.contains(columns) && counts.contains(rows) && (0..<columns).contains(column)
                && (0..<rows).contains(row),
            "A part of a wall is one of 1 to 64 columns and rows, counted from 0.")
        require((0...Self.maximumBezel).contains(bezel), "A bezel must be 0 to 10000 pixels.")
        (self.columns, self.rows, self.column, self.row, self.bezel) = (columns, rows, column, row, bezel)
    }

    /// Reads a part as in `2x2+1+0`: columns and rows of all screens, column and row of this one; `nil` for anything
    /// else.
    public init?(_ text: String) {
        let numbers = text.wholeMatch(of: /([0-9]{1,3})x([0-9]{1,3})\+([0-9]{1,3})\+([0-9]{1,3})/)?.output
        guard let numbers, let columns = Int(numbers.1), let rows = Int(numbers.2), let column = Int(numbers.3),
            let row = Int(numbers.4)
        else { return nil }
        let counts = 1...Self.maximumCount
        guard counts.contains(columns), counts.contains(rows), column < columns, row < rows else { return nil }
        self.init(columns: columns, rows: rows, column: column, row: row)
    }

    /// As it is read.
    public var description: String { "\(columns)x\(rows)+\(column)+\(row)" }

    /// Whether there is one screen only.
    public var isWhole: Bool { columns == 1 && rows == 1 }

    /// The whole wall, relative to the picture of this screen.
    ///
    /// - Parameter size: the size of that picture.
    /// - Returns: the place of the whole wall; its corner is left of the picture and above it, or at its corner.
    public func area(around size: VideoSize) -> Rectangle {
        func span(_ count: Int, _ index: Int, _ length: Int) -> (start: Int, length: Int) {
            (-index * (length + bezel), count * length + (count - 1) * bezel)
        }
        let (across, down) = (span(columns, column, size.width), span(rows, row, size.height))
        return Rectangle(x: across.start, y: down.start, width: across.length, height: down.length)
    }
}
