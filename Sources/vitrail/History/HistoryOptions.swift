import ArgumentParser

/// The options of what is kept of live streams, and of the instant that they show.
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

    @Flag(help: "Show the same instant on all tiles of live streams: as soon as the slowest can be shown.")
    var align = false

    @Option(
        help: ArgumentHelp(
            "Show it so long after it was captured instead, at most 10s; implies --align.", valueName: "time"),
        transform: { text in
            guard case .fixed(let milliseconds)? = AlignmentPlan(text) else {
                throw ValidationError("it is a time up to 10 s, such as 800ms or 2s")
            }
            return milliseconds
        })
    var alignDelay: Int?

    /// Applies the options to a wall.
    func apply(to document: inout WallDocument) {
        document.history.seconds = history ?? document.history.seconds
        document.history.memory = historyMemory ?? document.history.memory
        if align, document.alignment == .off { document.alignment = .automatic }
        if let alignDelay { document.alignment = .fixed(milliseconds: alignDelay) }
    }
}
