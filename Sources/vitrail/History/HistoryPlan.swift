import Glibc
import MediaIO

/// What of the live streams of a wall is kept in memory, as its user says it: `[history]` in a wall file.
struct HistoryPlan: Hashable, Sendable {
    /// The most seconds that are kept.
    static let longest = 3600

    /// How many seconds of each stream are kept; 0 for none.
    var seconds = 30
    /// The memory that all streams together get.
    var memory = ByteCount(64_000_000)

    /// The memory of the streams; `nil` if nothing is kept.
    var rings: PacketRings? {
        // A wall file may come from others.
        let most = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE)) / 2
        guard seconds > 0, memory.count > 0 else { return nil }
        return PacketRings(byteCount: min(memory.count, most), duration: .seconds(seconds))
    }

    /// Reads a time, or 0; `nil` for anything else, or for more than an hour.
    static func seconds(_ text: String) -> Int? {
        if text == "0" { return 0 }
        guard case .time(let seconds)? = RecordingLength(text), seconds <= longest else { return nil }
        return seconds
    }

    /// How a number of seconds is written.
    static func text(_ seconds: Int) -> String {
        seconds == 0 ? "0" : RecordingLength.time(seconds: seconds).description
    }
}

extension HistoryPlan: Codable {
    /// The names in the table.
    static let keys = ["length", "memory"]

    init(from decoder: any Decoder) throws {
        let table = try WallTable(decoder, "[history]", keys: Self.keys)
        if let text = try table.text("length") {
            guard let length = Self.seconds(text) else {
                throw table.problem("length", "“\(text)” is no time up to an hour, such as 30s, 2min or 0")
            }
            seconds = length
        }
        if let text = try table.text("memory") {
            guard let count = ByteCount(text) else {
                throw table.problem("memory", "“\(text)” is no number of bytes, such as 64MB, 1GB or 0")
            }
            memory = count
        }
    }

    func encode(to encoder: any Encoder) throws {
        var table = WallTableEncoder(encoder)
        let usual = HistoryPlan()
        try table.put("length", Self.text(seconds), unless: Self.text(usual.seconds))
        try table.put("memory", memory.description, unless: usual.memory.description)
    }
}
