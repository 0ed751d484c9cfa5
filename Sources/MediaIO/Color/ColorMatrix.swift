/// A 3 × 3 matrix that maps one triple of colour components to another.
public struct ColorMatrix: Hashable, Sendable {
    /// The first row, for the first component: red or X.
    public var red: SIMD3<Double>
    /// The second row, for green or Y.
    public var green: SIMD3<Double>
    /// The third row, for blue or Z.
    public var blue: SIMD3<Double>

    /// Creates a matrix from its rows.
    public init(_ red: SIMD3<Double>, _ green: SIMD3<Double>, _ blue: SIMD3<Double>) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Creates a matrix from its columns.
    public init(columns first: SIMD3<Double>, _ second: SIMD3<Double>, _ third: SIMD3<Double>) {
        self.init(
            SIMD3(first.x, second.x, third.x), SIMD3(first.y, second.y, third.y), SIMD3(first.z, second.z, third.z))
    }

    /// The identity matrix.
    public static let identity = ColorMatrix(SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1))

    /// Applies the matrix to one triple.
    public func callAsFunction(_ value: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3((red * value).sum(), (green * value).sum(), (blue * value).sum())
    }

    /// The three columns.
    public var columns: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>) {
        (SIMD3(red.x, green.x, blue.x), SIMD3(red.y, green.y, blue.y), SIMD3(red.z, green.z, blue.z))
    }

    /// The inverse; the matrix must not be singular, which those of three different primaries never are.
    public var inverse: ColorMatrix {
        let first = Self.cross(green, blue)
        let determinant = (red * first).sum()
        return ColorMatrix(
            columns: first / determinant, Self.cross(blue, red) / determinant, Self.cross(red, green) / determinant)
    }

    /// The product, which applies `second`, then `first`.
    public static func * (first: ColorMatrix, second: ColorMatrix) -> ColorMatrix {
        let (x, y, z) = second.columns
        return ColorMatrix(columns: first(x), first(y), first(z))
    }

    private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
    }
}
