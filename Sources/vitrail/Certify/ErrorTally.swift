import MediaIO

/// The differences between drawn and exact colours: counts, sum, largest.
struct ErrorTally {
    /// Where the difference is largest.
    struct Worst: Codable, Hashable {
        // The code values, rounded if they were interpolated.
        var y: Int
        var u: Int
        var v: Int
        /// `R`, `G` or `B`.
        var component: String
        /// The code value that was drawn.
        var drawn: Int
        /// The exact value, not rounded.
        var exact: Double
    }

    /// The number of triples compared.
    private(set) var triples = 0
    /// The largest difference, in code values of the target.
    private(set) var largest = 0.0
    /// Where the largest difference is.
    private(set) var worst = Worst(y: 0, u: 0, v: 0, component: "R", drawn: 0, exact: 0)
    /// The numbers of components that are off by less than 1/8, 2/8 … 8/8 of a code value, and by 1 or more.
    private(set) var histogram = [Int](repeating: 0, count: 9)
    private var sum = 0.0

    /// The mean difference of a component, in code values of the target.
    var mean: Double { triples == 0 ? 0 : sum / Double(3 * triples) }

    /// Compares one pixel of 8 bits with its exact colour.
    ///
    /// - Parameters:
    ///   - drawn: R, G and B.
    ///   - exact: the same, 0…255 and not rounded.
    ///   - code: Y, U and V.
    mutating func add(_ drawn: SIMD3<Int>, exact: SIMD3<Double>, _ code: SIMD3<Double>) {
        triples += 1
        for component in 0..<3 {
            let error = abs(Double(drawn[component]) - exact[component])
            sum += error
            histogram[error >= 1 ? 8 : Int(error * 8)] += 1
            guard error > largest else { continue }
            largest = error
            worst = Worst(
                y: Int(code.x.rounded()), u: Int(code.y.rounded()), v: Int(code.z.rounded()),
                component: component == 0 ? "R" : component == 1 ? "G" : "B", drawn: drawn[component],
                exact: exact[component])
        }
    }

    /// Compares a drawn picture with the exact colours.
    ///
    /// - Parameters:
    ///   - pixels: one word each, with R, G and B from the lowest bits upwards.
    ///   - bits: the bits per component of a pixel.
    ///   - lattice: the triples that the picture shows.
    ///   - picture: its number in the lattice.
    ///   - reference: the exact colours.
    mutating func add(
        _ pixels: UnsafeBufferPointer<UInt32>, bits: UInt32, _ lattice: CodeLattice, picture: Int,
        _ reference: ReferenceColors
    ) {
        let count = reference.count
        let mask = UInt32(1) << bits - 1
        let most = Double(mask)
        let (columns, rows, samplesPerRow) = (lattice.columns, lattice.rows, lattice.samplesPerRow)
        let sharing = columns * rows
        let width = CodeLattice.size.width
        var (triples, sum, largest, worst) = (0, sum, largest, worst)
        // Pointers, because debug builds must compare millions of triples, too.
        lattice.luma.withUnsafeBufferPointer { luma in
            lattice.chroma.withUnsafeBufferPointer { chroma in
                reference.contributions.withUnsafeBufferPointer { table in
                    histogram.withUnsafeMutableBufferPointer { histogram in
                        lattice.forEachSample(of: picture) { sample, firstY, u, v in
                            let (cb, cr) = (chroma[u], chroma[v])
                            let corner = sample / samplesPerRow * rows * width + sample % samplesPerRow * columns
                            var index = 0
                            while index < sharing && firstY + index < luma.count {
                                let y = luma[firstY + index]
                                let word = pixels[corner + index / columns * width + index % columns]
                                var component = 0
                                while component < 3 {
                                    let start = component * 3 * count
                                    let value =
                                        table[start + y] + table[start + count + cb] + table[start + 2 * count + cr]
                                    let exact = value < 0 ? 0 : value > 1 ? most : value * most
                                    let drawn = Double(word >> (UInt32(component) * bits) & mask)
                                    let error = drawn > exact ? drawn - exact : exact - drawn
                                    sum += error
                                    histogram[error >= 1 ? 8 : Int(error * 8)] += 1
                                    if error > largest {
                                        largest = error
                                        worst = Worst(
                                            y: y, u: cb, v: cr,
                                            component: component == 0 ? "R" : component == 1 ? "G" : "B",
                                            drawn: Int(drawn), exact: exact)
                                    }
                                    component += 1
                                }
                                triples += 1
                                index += 1
                            }
                        }
                    }
                }
            }
        }
        self.triples += triples
        (self.sum, self.largest, self.worst) = (sum, largest, worst)
    }
}
