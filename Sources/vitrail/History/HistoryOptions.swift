import ArgumentParser

/// The options of what is kept of live streams.
struct HistoryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Keep so much of each live stream in memory, for recordings that begin before; by default 30s, 0 for none.",
            valueName: "time"),
        transform: { text in
            guard let seconds = HistoryPlan.seconds(text) else {
                throw ValidationError("it is a time up to an hour, such as 30s or 2min, or 0")
            }
            return seconds
        })
    var history: Int?

    @Option(
        help: ArgumentHelp("The memory that all streams together get for it; by default 64MB.", valueName: "size"),
        transform: { text in
            guard let count = ByteCount(text) else { throw ValidationError("it is a size, such as 64MB or 1GB, or 0") }
            return count
        })
    var historyMemory: ByteCount?

    /// Applies the options to a wall.
    func apply(to document: inout WallDocument) {
        document.history.seconds = history ?? document.history.seconds
        document.history.memory = historyMemory ?? document.history.memory
    }
}
