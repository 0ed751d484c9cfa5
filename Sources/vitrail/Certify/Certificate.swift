import MediaIO
import VitrailGL

/// The output of `vitrail certify`.
struct Certificate: Codable, Hashable {
    /// The measurement of one format with one matrix and range.
    struct Entry: Codable, Hashable {
        var format: String
        /// Bits of a component of the source and of the target.
        var bits: Int
        var matrix: String
        var range: String
        /// The number of triples drawn.
        var triples: Int
        /// In code values of the target.
        var largestError: Double
        /// In code values of the target.
        var meanError: Double
        /// Components that are off by less than 1/8, 2/8 … 8/8 of a code value, and by 1 or more.
        var histogram: [Int]
        var worst: ErrorTally.Worst
        /// Whether the errors are within the bound.
        var holds: Bool

        init(_ lattice: CodeLattice, _ space: ColorSpace, _ tally: ErrorTally) {
            format = lattice.format.rawValue
            bits = lattice.format.layout.depth
            matrix = space.matrix.rawValue
            range = space.range.rawValue
            triples = tally.triples
            largestError = tally.largest
            meanError = tally.mean
            histogram = tally.histogram
            worst = tally.worst
            holds = tally.largest <= 1 && (bits > 8 || tally.mean < 0.3)
        }
    }

    var version: String
    var openGL: MachineReport.OpenGL
    var entries: [Entry]
    /// Whether all entries are within the bound.
    var holds: Bool

    init(_ information: GLInformation, _ entries: [Entry]) {
        version = Vitrail.version
        openGL = MachineReport.OpenGL(information)
        self.entries = entries
        holds = entries.allSatisfy(\.holds)
    }

    /// The OpenGL driver.
    var machineRows: [[String]] { MachineReport(version: version, openGL: openGL).rows }

    /// One row per entry, below a heading.
    var rows: [[String]] {
        [["format", "bits", "matrix", "range", "triples", "largest", "mean", "bound", "worst triple"]]
            + entries.map { entry in
                let worst = entry.worst
                return [
                    entry.format, "\(entry.bits)", entry.matrix, entry.range, "\(entry.triples)",
                    Self.decimals(entry.largestError, 4), Self.decimals(entry.meanError, 4),
                    entry.holds ? "holds" : "BROKEN",
                    "Y \(worst.y) U \(worst.u) V \(worst.v): \(worst.component) is \(worst.drawn), exact \(Self.decimals(worst.exact, 4))",
                ]
            }
    }

    /// The distribution of the errors, one row per entry, below a heading.
    var histogramRows: [[String]] {
        [["format", "matrix", "range"] + (1...8).map { "< \($0)/8" } + [">= 1"]]
            + entries.map { entry in
                [entry.format, entry.matrix, entry.range]
                    + entry.histogram.map { Self.share($0, of: 3 * entry.triples) }
            }
    }

    /// A number with `count` digits after the decimal point.
    static func decimals(_ value: Double, _ count: Int) -> String {
        var power = 1
        for _ in 0..<count { power *= 10 }
        let scaled = Int((value * Double(power)).rounded())
        let fraction = "\(scaled % power)"
        return "\(scaled / power)." + String(repeating: "0", count: count - fraction.count) + fraction
    }

    /// A share in percent; one too small for two decimals is `<0.01%`, not `0.00%`.
    private static func share(_ count: Int, of all: Int) -> String {
        if count == 0 { return "0" }
        let percent = 100 * Double(count) / Double(max(1, all))
        return percent < 0.01 ? "<0.01%" : decimals(percent, 2) + "%"
    }
}
