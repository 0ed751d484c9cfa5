public import MediaIO

/// One pixel of a frame on the wall: its samples, and its colour as drawn.
public struct PixelSample: Hashable, Sendable {
    /// A sample in the source.
    public struct Component: Hashable, Sendable {
        /// `Y`, `U`, `V` or `R`, `G`, `B`.
        public let name: String
        /// The code value at the source's depth, a whole number; in floating-point formats the number itself.
        public let value: Double
    }

    /// The tile.
    public let tile: WallTile.ID
    /// The column in the source frame in memory.
    public let x: Int
    /// The row in the source frame in memory.
    public let y: Int
    /// The format of the source.
    public let format: PixelFormat
    /// The samples nearest to the pixel's centre: Y, U and V (in the order that ``ColorOverride/swapsChroma`` gives them),
    /// or only Y, or R, G and B; in Bayer formats R, G and B as interpolated from the neighbours.
    public let components: [Component]
    /// The red that is drawn, 0…1, with alpha applied, before rounding for the target.
    public let red: Double
    /// The green that is drawn, 0…1.
    public let green: Double
    /// The blue that is drawn, 0…1.
    public let blue: Double

    /// Creates a sample from values that a renderer has read back.
    ///
    /// - Parameters:
    ///   - tile: the tile.
    ///   - x: the column in the source.
    ///   - y: the row in the source.
    ///   - format: the format of the source.
    ///   - samples: the first three components, each a code value divided by the largest one.
    ///   - color: R, G and B as drawn, 0…1.
    public init(
        tile: WallTile.ID, x: Int, y: Int, _ format: PixelFormat, samples: SIMD4<Float>, color: SIMD4<Float>
    ) {
        let layout = format.layout
        let names =
            switch layout.model {
            case .yCbCr: ["Y", "U", "V"]
            case .gray: ["Y"]
            case .rgb, .bayer: ["R", "G", "B"]
            }
        self.tile = tile
        self.x = x
        self.y = y
        self.format = format
        components = names.enumerated().map { index, name in
            let value = Double(samples[index])
            // Formats without a description of each component have the same depth for all.
            let largest = Double(1 << (layout.components[index]?.depth ?? layout.depth) - 1)
            return Component(name: name, value: layout.isFloat ? value : (value * largest).rounded())
        }
        let clipped = color.clamped(lowerBound: .zero, upperBound: .one)
        (red, green, blue) = (Double(clipped.x), Double(clipped.y), Double(clipped.z))
    }
}
