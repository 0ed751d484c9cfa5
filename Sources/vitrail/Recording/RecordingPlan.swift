import FFmpegMedia
import MediaIO

/// Where and how the streams of a wall are recorded, as its user says it: `[recording]` in a wall file.
struct RecordingPlan: Hashable, Sendable {
    /// The folder; `nil` for the current one.
    var folder: String?
    /// How the files are named.
    var names = RecordingPattern.standard
    /// How long a file becomes; `nil` for any length.
    var part: RecordingLength?
    /// How many seconds before it was asked for a recording begins, as far as they are kept.
    var before = 10
    /// What stays free on the disk.
    var reserve = ByteCount(1_000_000_000)
    /// Whether the oldest recordings are deleted for it; otherwise recording pauses.
    ///
    /// Wall files do not say it, which may come from others: it deletes files.
    var deletesOldest = false
    /// Whether sound is recorded, too.
    var hasSound = true
    /// Whether every stream is recorded, unless its input says otherwise.
    var isOfAll = false

    /// What a recorder is told.
    ///
    /// - Parameter options: those of the input, which may turn its pictures.
    /// - Returns: its settings.
    func settings(_ options: InputOptions) -> RecordingSettings {
        var settings = RecordingSettings(folder: folder ?? ".", pattern: names)
        switch part {
        case .time(let seconds): settings.partDuration = .seconds(seconds)
        case .bytes(let count): settings.partByteCount = count
        case nil: break
        }
        (settings.reserve, settings.deletesOldest) = (reserve.count, deletesOldest)
        (settings.hasSound, settings.rotation, settings.mirror) = (hasSound, options.rotation, options.mirror)
        return settings
    }

    /// What a recorder of a clip is told: one file, whatever its length, and nothing is deleted for it.
    func clipSettings(_ options: InputOptions) -> RecordingSettings {
        var settings = settings(options)
        (settings.partDuration, settings.partByteCount, settings.deletesOldest) = (nil, nil, false)
        return settings
    }
}

extension RecordingPlan: Codable {
    /// The names in the table.
    static let keys = ["folder", "names", "part", "before", "reserve", "sound", "all"]

    init(from decoder: any Decoder) throws {
        let table = try WallTable(decoder, "[recording]", keys: Self.keys)
        folder = try table.text("folder")
        if let text = try table.text("names") {
            do throws(StreamError) { names = try RecordingPattern(text) } catch {
                throw table.problem("names", error.description)
            }
        }
        if let text = try table.text("part") {
            guard let length = RecordingLength(text) else {
                throw table.problem("part", "“\(text)” is no length of a part, \(RecordingLength.forms)")
            }
            part = length
        }
        if let text = try table.text("before") {
            guard let seconds = HistoryPlan.seconds(text) else {
                throw table.problem("before", "“\(text)” is no time up to an hour, such as 10s or 0")
            }
            before = seconds
        }
        if let text = try table.text("reserve") {
            guard let count = ByteCount(text) else {
                throw table.problem("reserve", "“\(text)” is no number of bytes, such as 500MB, 2GB or 0")
            }
            reserve = count
        }
        try table.flag("sound", &hasSound)
        try table.flag("all", &isOfAll)
    }

    func encode(to encoder: any Encoder) throws {
        var table = WallTableEncoder(encoder)
        let usual = RecordingPlan()
        try table.put("folder", folder)
        try table.put("names", names.description, unless: usual.names.description)
        try table.put("part", part?.description)
        try table.put("before", HistoryPlan.text(before), unless: HistoryPlan.text(usual.before))
        try table.put("reserve", reserve.description, unless: usual.reserve.description)
        try table.put("sound", hasSound, unless: usual.hasSound)
        try table.put("all", isOfAll, unless: usual.isOfAll)
    }
}
