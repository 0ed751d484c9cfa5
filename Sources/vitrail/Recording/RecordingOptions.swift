import ArgumentParser
import FFmpegMedia
import MediaIO

/// The options of recordings.
struct RecordingOptions: ParsableArguments {
    @Flag(help: "Record every live stream, without encoding it again; ?record for one of them.")
    var record = false

    @Option(
        help: ArgumentHelp("Folder of recordings; by default the current one.", valueName: "folder"),
        completion: .directory)
    var recordTo: String?

    @Option(
        help: ArgumentHelp(
            """
            How they are named, with {name}, {time}, {date} and {number}; by default {name}_{time}.mkv. The ending \
            chooses the container: .mkv, .mp4, .mov, .webm, .ts.
            """, valueName: "pattern"),
        transform: { text in
            do throws(StreamError) { return try RecordingPattern(text) } catch {
                throw ValidationError(error.description)
            }
        })
    var recordNames: RecordingPattern?

    @Option(
        help: ArgumentHelp(
            "Begin another file after this time or size, at a key frame: 10min, 500MB.", valueName: "length"),
        transform: { text in
            guard let length = RecordingLength(text) else {
                throw ValidationError("it is a length, \(RecordingLength.forms)")
            }
            return length
        })
    var recordPart: RecordingLength?

    @Option(
        help: ArgumentHelp(
            "Begin so long before R is pressed, as far as --history reaches; by default 10s.", valueName: "time"),
        transform: { text in
            guard let seconds = HistoryPlan.seconds(text) else {
                throw ValidationError("it is a time up to an hour, such as 10s, or 0")
            }
            return seconds
        })
    var recordBefore: Int?

    @Option(
        help: ArgumentHelp("Leave so much of the disk free; by default 1GB.", valueName: "size"),
        transform: { text in
            guard let count = ByteCount(text) else {
                throw ValidationError("it is a size, such as 500MB or 0")
            }
            return count
        })
    var recordReserve: ByteCount?

    @Flag(help: "Delete the oldest recordings of that folder and pattern when the disk is full, instead of pausing.")
    var recordOver = false

    @Flag(name: .customLong("no-record-sound"), help: "Record pictures only.")
    var noRecordSound = false

    /// Applies the options to a wall.
    func apply(to document: inout WallDocument) {
        document.recording.folder = recordTo ?? document.recording.folder
        document.recording.names = recordNames ?? document.recording.names
        document.recording.part = recordPart ?? document.recording.part
        document.recording.before = recordBefore ?? document.recording.before
        document.recording.reserve = recordReserve ?? document.recording.reserve
        if recordOver { document.recording.deletesOldest = true }
        if noRecordSound { document.recording.hasSound = false }
        if record { document.recording.isOfAll = true }
    }
}
