import Foundation

/// The newest line that a wall has written with `--statistics-to`.
struct HallRecords {
    /// A line.
    struct Record: Decodable {
        struct Tile: Decodable {
            var name: String
            var state: String
            var received: Int
        }

        struct Process: Decodable {
            var memoryKiB: Int
            var processorSeconds: Double
        }

        var seconds: Double
        var tiles: [Tile]
        var process: Process
    }

    private let path: String

    init(_ path: String) { self.path = path }

    /// All lines so far.
    var all: [Record] {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { try? JSONDecoder().decode(Record.self, from: Data($0.utf8)) }
    }

    /// Waits for a line of which something is true.
    ///
    /// - Returns: the line; `nil` if there is none in time.
    func wait(seconds: Double, until isDone: (Record) -> Bool) -> Record? {
        let end = Date.now + seconds
        let count = all.count
        while Date.now < end {
            let new = all.dropFirst(count)
            if let record = new.last, isDone(record) { return record }
            usleep(50_000)
        }
        return nil
    }
}
