/// A pass of an effect before the last one, drawn into a texture of its own.
public struct EffectPass: Hashable, Sendable {
    /// The size of a pass.
    public enum Size: Hashable, Sendable {
        /// The size of the picture times this number.
        case scale(Double)
        /// A size in pixels.
        case fixed(width: Int, height: Int)
    }

    /// The name of the sampler that reads the pass; the function `NAME_pass` computes the pass.
    public var name: String
    /// The size of its texture.
    public var size = Size.scale(1)
    /// The grid of points that the pass draws, whose values are summed in the texture; `nil` if the pass computes each
    /// texel.
    public var points: Grid?

    /// Columns and rows.
    public struct Grid: Hashable, Sendable {
        /// The number of columns.
        public var columns: Int
        /// The number of rows.
        public var rows: Int

        /// Creates a grid.
        public init(columns: Int, rows: Int) {
            self.columns = columns
            self.rows = rows
        }
    }
}
