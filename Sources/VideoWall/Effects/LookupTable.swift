import VitrailSupport

/// A table of colours from a `.cube` file, which maps R', G' and B' of the picture to those of the result.
///
/// It is immutable and compared by identity.
public final class LookupTable: Hashable, Sendable {
    /// The name of the file.
    public let name: String
    /// The number of entries along each side.
    public let size: Int
    /// Whether one table is indexed by all three components (R' changes fastest); otherwise each component has its own
    /// table.
    public let isCube: Bool
    /// The input colour that the first entry is for.
    public let lowest: SIMD3<Float>
    /// The input colour that the last entry is for.
    public let highest: SIMD3<Float>
    /// The entries: ``size`` cubed if ``isCube``, otherwise ``size``.
    public let colors: [SIMD3<Float>]

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - name: the name of the file.
    ///   - size: the number of entries along each side: 2 to 256 for a cube, otherwise 2 to 65,536.
    ///   - isCube: whether one table is indexed by all three components.
    ///   - lowest: the input colour that the first entry is for.
    ///   - highest: the input colour that the last entry is for; each component is larger than in `lowest`.
    ///   - colors: the entries.
    public init(
        name: String, size: Int, isCube: Bool, lowest: SIMD3<Float> = .zero, highest: SIMD3<Float> = .one,
        colors: [SIMD3<Float>]
    ) {
        require(
            (2...(isCube ? 256 : 65_536)).contains(size) && colors.count == (isCube ? size * size * size : size),
            "A table needs 2 to 256 entries a side (65,536 if it is not a cube), and as many colours.")
        self.name = name
        self.size = size
        self.isCube = isCube
        self.lowest = lowest
        self.highest = highest
        self.colors = colors
    }

    /// Whether both are the same object.
    public static func == (left: LookupTable, right: LookupTable) -> Bool { left === right }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
