import MediaIO
import VitrailGL

/// The output of `vitrail certify`.
struct Certificate: Codable, Hashable {
    /// The measurement of one format with one matrix and range.
    struct Entry: Codable, Hashable {
        /// The largest errors that are allowed, in code values of the target.
        struct Bound: Codable, Hashable {
            var largest: Double
            /// The mean error must be below this; `nil` if every mean is allowed.
            var mean: Double?
        }

        var format: String
        /// How the frames are drawn.
        var drawing: CertifiedDrawing
        /// Bits of a component of the source and of the target.
        var bits: Int
        var matrix: String
        var range: String
        /// The number of triples compared, or of pixels if frames are interpolated.
        var triples: Int
        /// In code values of the target.
        var largestError: Double
        /// In code values of the target.
        var meanError: Double
        /// Components that are off by less than 1/8, 2/8 … 8/8 of a code value, and by 1 or more.
        var histogram: [Int]
        var worst: ErrorTally.Worst
        var bound: Bound
        /// Whether the errors are within the bound.
        var holds: Bool

        init(_ format: PixelFormat, _ drawing: CertifiedDrawing, _ space: ColorSpace, _ tally: ErrorTally) {
            self.format = format.rawValue
            self.drawing = drawing
            bits = format.layout.depth
            matrix = space.matrix.rawValue
            range = space.range.rawValue
            triples = tally.triples
            largestError = tally.largest
            meanError = tally.mean
            histogram = tally.histogram
            worst = tally.worst
            bound = Bound(
                largest: drawing == .nearest ? 1 : Self.interpolationBound, mean: bits > 8 ? nil : 0.3)
            holds = tally.largest <= bound.largest && bound.mean.map { tally.mean < $0 } ?? true
        }

        /// The bound for interpolated frames: 1, plus the error of 8-bit interpolation weights.
        ///
        /// A texture unit resolves positions to 1/256 of a sample. So an interpolated sample is wrong by up to 1/256 of
        /// the difference of its neighbours, once for rows and once for columns. In R, G and B, this error is
        /// multiplied by 255/219 for Y, and by up to 2 · (1 − 0.0593) · 255/224 for chroma.
        static let interpolationBound = 1 + WavePicture.slope / 256 * (1.17 + 2.15)
    }

    var version: String
    var openGL: MachineReport.OpenGL
    /// What was left out because of the options; empty if nothing was.
    var omissions: [String]
    /// Whether something was left out.
    var isPartial: Bool
    var entries: [Entry]
    /// Whether all entries are within the bound.
    var holds: Bool

    init(_ information: GLInformation, _ entries: [Entry], omissions: [String] = []) {
        version = Vitrail.version
        openGL = MachineReport.OpenGL(information)
        self.omissions = omissions
        isPartial = !omissions.isEmpty
        self.entries = entries
        holds = entries.allSatisfy(\.holds)
    }

    /// The OpenGL driver, and what was left out.
    var machineRows: [[String]] {
        [["vitrail", version]] + openGL.rows
            + (isPartial ? [["partial", omissions.joined(separator: "; ")]] : [])
    }

    /// One row per entry, below a heading.
    var rows: [[String]] {
        [["format", "bits", "matrix", "range", "drawn", "triples", "largest", "mean", "bound", "", "worst triple"]]
            + entries.map { entry in
                let worst = entry.worst
                return [
                    entry.format, "\(entry.bits)", entry.matrix, entry.range,
                    entry.drawing.rawValue, "\(entry.triples)",
                    Self.decimals(entry.largestError, 4), Self.decimals(entry.meanError, 4),
                    Self.decimals(entry.bound.largest, 2), entry.holds ? "holds" : "BROKEN",
                    "Y \(worst.y) U \(worst.u) V \(worst.v): \(worst.component) is \(worst.drawn), exact \(Self.decimals(worst.exact, 4))",
                ]
            }
    }

    /// The distribution of the errors, one row per entry, below a heading.
    var histogramRows: [[String]] {
        [["format", "matrix", "range", "drawn"] + (1...8).map { "< \($0)/8" } + [">= 1"]]
            + entries.map { entry in
                [entry.format, entry.matrix, entry.range, entry.drawing.rawValue]
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
