/// A table of colours, as a `.cube` file has it: R', G' and B' of the result for those of the picture.
///
/// It is immutable and compared by identity.
public final class LookupTable: Hashable, Sendable {
    /// The name of the file.
    public let name: String
    /// The number of entries along each side.
    public let size: Int
    /// Whether there is one table for all three components, indexed by R', G' and B' (R' changes fastest), or one for each.
    public let isCube: Bool
    /// The colour of the first entry.
    public let lowest: SIMD3<Float>
    /// The colour of the last entry.
    public let highest: SIMD3<Float>
    /// The colours: ``size`` cubed of a cube, otherwise ``size``.
    public let colors: [SIMD3<Float>]

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - name: the name of the file.
    ///   - size: the number of entries along each side: 2 to 256 of a cube, otherwise 2 to 65,536.
    ///   - isCube: whether there is one table for all three components.
    ///   - lowest: the colour of the first entry.
    ///   - highest: the colour of the last entry, each component larger.
    ///   - colors: the entries.
    public init(
        name: String, size: Int, isCube: Bool, lowest: SIMD3<Float> = .zero, highest: SIMD3<Float> = .one,
        colors: [SIMD3<Float>]
    ) {
        precondition(
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
