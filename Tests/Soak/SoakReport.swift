import Foundation

/// What a wall was like at first and at last, and how its memory grew.
struct SoakReport {
    /// The value that a share of the values does not exceed.
    static func percentile(_ share: Double, _ values: [Double]) -> Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return .nan }
        return sorted[min(sorted.count - 1, max(0, Int((Double(sorted.count) * share).rounded(.up)) - 1))]
    }

    /// How the memory grew in each half, in KiB an hour, and its standard error, by the method of least squares.
    ///
    /// Of each half minute the mean counts: neighbouring seconds are alike, and would make the error too small.
    let slopes: [(mean: Double, error: Double)]
    /// The rows of the table: a name, at first, at last.
    let rows: [(name: String, first: Double, last: Double)]
    /// Seconds of each end.
    let end: Double

    /// Makes a report.
    ///
    /// - Parameter records: at least ten.
    init(_ records: [SoakRecords.Record]) {
        let start = records[0].seconds
        let length = records[records.count - 1].seconds - start
        end = min(600, length / 2)
        let (first, last) = (
            records.filter { $0.seconds - start <= length / 2 && $0.seconds - start <= 600 },
            records.filter { $0.seconds - start > max(length / 2, length - 600) }
        )
        func rates(_ records: [SoakRecords.Record]) -> [Double] {
            zip(records, records.dropFirst()).map { ($1.pictures - $0.pictures) / max(0.001, $1.seconds - $0.seconds) }
        }
        func row(_ name: String, _ share: Double, _ values: ([SoakRecords.Record]) -> [Double]) -> (
            String, Double, Double
        ) {
            (name, Self.percentile(share, values(first)), Self.percentile(share, values(last)))
        }
        rows = [
            row("pictures a second, median", 0.5, rates),
            row("pictures a second, in 99 of 100 seconds more than", 0.01, rates),
            row("ms between pictures, p99 of a second, median", 0.5) { $0.compactMap(\.intervals?.p99) },
            row("ms between pictures, p99 of a second, p99", 0.99) { $0.compactMap(\.intervals?.p99) },
            row("memory in MiB, median", 0.5) { $0.map { $0.process.memoryKiB / 1024 } },
            row("threads, median", 0.5) { $0.map(\.process.threads) },
            row("descriptors, median", 0.5) { $0.map(\.process.descriptors) },
        ]
        let middle = start + length / 2
        slopes = [records.filter { $0.seconds < middle }, records.filter { $0.seconds >= middle }].map { half in
            let blocks = Dictionary(grouping: half) { Int($0.seconds / 30) }.values.map { block in
                let (hours, memory) = (block.map { $0.seconds / 3600 }, block.map(\.process.memoryKiB))
                return (x: Self.mean(hours), y: Self.mean(memory))
            }
            return Self.line(blocks)
        }
    }

    private static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

    private static func line(_ points: [(x: Double, y: Double)]) -> (mean: Double, error: Double) {
        guard points.count > 2 else { return (.nan, .infinity) }
        let (x, y) = (mean(points.map(\.x)), mean(points.map(\.y)))
        var (square, product) = (0.0, 0.0)
        for point in points {
            square += (point.x - x) * (point.x - x)
            product += (point.x - x) * (point.y - y)
        }
        let slope = product / square
        var rest = 0.0
        for point in points {
            let difference = point.y - y - slope * (point.x - x)
            rest += difference * difference
        }
        return (slope, (rest / Double(points.count - 2) / square).squareRoot())
    }
}
