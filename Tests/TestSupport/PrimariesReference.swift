public import MediaIO

/// A second, independent conversion of primaries to those of BT.709, from the numbers of H.273, table 2, and of Adobe's
/// specification.
///
/// It uses none of the library's numbers, and is written to be obvious.
public enum PrimariesReference {
    /// The weights of R, G and B in luminance.
    static func weights(_ primaries: ColorSpace.Primaries) -> [Double] { toXYZ(primaries)[1] }

    /// Rows that give linear R, G and B of BT.709; white becomes white, by Bradford's method if it is another one.
    public static func rowsToBT709(_ primaries: ColorSpace.Primaries) -> [[Double]] {
        let source = toXYZ(primaries)
        let target = toXYZ(.bt709)
        let columns = (0..<3).map { index in
            var xyz = source.map { $0[index] }
            if primaries == .dciP3 { xyz = adapted(xyz, from: [0.314, 0.351], to: [0.3127, 0.3290]) }
            return solve(target, xyz)
        }
        return transposed(columns)
    }

    /// x and y of red, green, blue and white.
    private static func numbers(_ primaries: ColorSpace.Primaries) -> [[Double]] {
        switch primaries {
        case .bt709: [[0.64, 0.33], [0.30, 0.60], [0.15, 0.06], [0.3127, 0.3290]]
        case .bt601Lines525: [[0.63, 0.34], [0.31, 0.595], [0.155, 0.07], [0.3127, 0.3290]]
        case .bt601Lines625: [[0.64, 0.33], [0.29, 0.60], [0.15, 0.06], [0.3127, 0.3290]]
        case .bt2020: [[0.708, 0.292], [0.17, 0.797], [0.131, 0.046], [0.3127, 0.3290]]
        case .displayP3: [[0.68, 0.32], [0.265, 0.69], [0.15, 0.06], [0.3127, 0.3290]]
        case .dciP3: [[0.68, 0.32], [0.265, 0.69], [0.15, 0.06], [0.314, 0.351]]
        case .adobe: [[0.64, 0.33], [0.21, 0.71], [0.15, 0.06], [0.3127, 0.3290]]
        }
    }

    /// Rows X, Y and Z; columns R, G and B: each primary is scaled so that all three together give white.
    private static func toXYZ(_ primaries: ColorSpace.Primaries) -> [[Double]] {
        let lights = numbers(primaries).map(xyz)
        let amounts = solve(transposed(Array(lights[..<3])), lights[3])
        return (0..<3).map { row in (0..<3).map { lights[$0][row] * amounts[$0] } }
    }

    /// X, Y and Z of a chromaticity, with Y 1.
    private static func xyz(_ place: [Double]) -> [Double] {
        [place[0] / place[1], 1, (1 - place[0] - place[1]) / place[1]]
    }

    /// Bradford's method: each cone's response is scaled by the ratio of the two whites.
    private static func adapted(_ color: [Double], from source: [Double], to target: [Double]) -> [Double] {
        let cones = [[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]]
        let response = zip(product(cones, color), zip(product(cones, xyz(target)), product(cones, xyz(source))))
        return solve(cones, response.map { $0 * $1.0 / $1.1 })
    }

    /// The product of a matrix, by rows, and a vector.
    public static func product(_ rows: [[Double]], _ vector: [Double]) -> [Double] {
        rows.map { $0[0] * vector[0] + $0[1] * vector[1] + $0[2] * vector[2] }
    }

    private static func transposed(_ rows: [[Double]]) -> [[Double]] {
        (0..<3).map { column in rows.map { $0[column] } }
    }

    /// Cramer's rule: what `rows` must be multiplied with to give `vector`.
    public static func solve(_ rows: [[Double]], _ vector: [Double]) -> [Double] {
        func determinant(_ m: [[Double]]) -> Double {
            m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
                + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
        }
        return (0..<3).map { column in
            var replaced = rows
            for row in 0..<3 { replaced[row][column] = vector[row] }
            return determinant(replaced) / determinant(rows)
        }
    }
}
