import Foundation

/// The lines that the program has written with `--statistics-to` so far.
final class SoakRecords {
    /// A line.
    struct Record: Decodable {
        struct Tile: Decodable {
            var state: String
        }

        struct Output: Decodable {
            var state: String
        }

        struct Times: Decodable {
            var p99: Double
        }

        struct Process: Decodable {
            var memoryKiB: Double
            var threads: Double
            var descriptors: Double
        }

        var seconds: Double
        var pictures: Double
        var intervals: Times?
        var tiles: [Tile]
        var outputs: [Output]
        var process: Process
    }

    private(set) var all: [Record] = []
    private let path: String
    private var rest: [UInt8] = []
    private var offset: UInt64 = 0

    init(_ path: String) { self.path = path }

    /// Reads what is new, and returns the newest.
    func newest() throws -> Record? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        try file.seek(toOffset: offset)
        let bytes = try file.readToEnd() ?? Data()
        offset += UInt64(bytes.count)
        rest += bytes
        let lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for line in lines.dropLast() { all.append(try JSONDecoder().decode(Record.self, from: Data(line))) }
        rest = lines.last.map(Array.init) ?? []
        return all.last
    }
}
