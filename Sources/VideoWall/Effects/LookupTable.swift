import VitrailSupport

/// A table of colours from a `.cube` file, which maps R', G' and B' of the picture to those of the result.
///
/// It is immutable and compared by identity.
public final class LookupTable: Hashable, @unchecked Sendable {
    // Unchecked because of the pointer: the entries are written before the object is shared.

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
    /// The number of entries: ``size`` cubed if ``isCube``, otherwise ``size``.
    public let count: Int
    /// The entries, valid as long as the table; the fourth component is 1.
    package let entries: UnsafePointer<SIMD4<Float>>
    /// How much a difference between two inputs can grow.
    package let steepness: Float

    /// The entries, in a new array.
    public var colors: [SIMD3<Float>] {
        (0..<count).map { SIMD3(entries[$0].x, entries[$0].y, entries[$0].z) }
    }

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
        count = colors.count
        let entries = UnsafeMutablePointer<SIMD4<Float>>.allocate(capacity: count)
        for index in colors.indices { (entries + index).initialize(to: SIMD4(colors[index], 1)) }
        self.entries = UnsafePointer(entries)
        steepness = Self.steepness(entries, size, isCube, highest - lowest)
    }

    deinit { entries.deallocate() }

    /// The sum of the largest slopes along each axis.
    private static func steepness(
        _ entries: UnsafePointer<SIMD4<Float>>, _ size: Int, _ isCube: Bool, _ span: SIMD3<Float>
    ) -> Float {
        let count = isCube ? size * size * size : size
        var sum: Float = 0
        for stride in isCube ? [1, size, size * size] : [1] {
            var most: Float = 0
            for index in 0..<count - stride where (index / stride) % size != size - 1 {
                let difference = entries[index + stride] - entries[index]
                most = max(most, max(abs(difference.x), abs(difference.y), abs(difference.z)))
            }
            sum += most
        }
        return sum * Float(size - 1) / span.min()
    }

    /// Whether both are the same object.
    public static func == (left: LookupTable, right: LookupTable) -> Bool { left === right }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
