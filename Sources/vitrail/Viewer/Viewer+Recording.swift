import FFmpegMedia
import Logging
import MediaIO
import VideoWall
import WindowGL

/// Recording the streams on the wall.
extension Viewer {
    /// Begins and ends recordings, as the document and the user want them, and marks the tiles.
    func updateRecordings() {
        let plan = history.document.recording
        let isWanted = plan.isOfAll || history.document.inputs.contains { $0.settings[.record] == "yes" }
        guard isWanted || !recordings.isIdle, recordings.isDue(clock.now) else { return }
        var wanted: [(stream: ViewerStream, name: String, settings: RecordingSettings)] = []
        for entry in shown.values {
            guard let stream = input(of: entry.tile)?.stream, let specification = entry.specification else { continue }
            let isRecorded = recordings.isWanted(entry.input, plan)
            if isRecorded, !wanted.contains(where: { $0.stream === stream }) {
                wanted.append((stream, entry.tile.title, plan.settings(specification.options)))
            }
        }
        if recordings.update(wanted, before: .seconds(plan.before)) {
            files.completeFirst { [waker = window.waker] in waker.wake() }
        }
        refreshBadges()
    }

    /// Has each tile say that it is recorded, or not, and which moment it shows.
    func refreshBadges() {
        let plan = history.document.recording
        for entry in shown.values {
            let stream = input(of: entry.tile)?.stream
            let isRecorded = recordings.isWanted(entry.input, plan)
            let condition = isRecorded ? stream.flatMap { recordings.condition(of: $0)?.condition } : nil
            // Until there is a picture of the past, it still shows that of the present.
            entry.tile.showsPast = stream?.shownMoment != nil
            let past = stream.flatMap { pastBadge(of: $0) }
            let alignment = past == nil ? stream.flatMap { alignmentBadge(of: $0) } : nil
            entry.tile.badge = TileBadge(joining: [past, condition?.badge, alignment].compactMap(\.self))
        }
    }

    /// Begins or ends the recording of a tile, or of all.
    func record(_ words: ActionWords) throws(ProgramError) {
        let isOfAll = words.first == "all"
        let word = isOfAll ? words.words.dropFirst().first : words.first
        guard words.words.count <= (isOfAll ? 2 : 1), [nil, "on", "off"].contains(word) else { throw words.refusal }
        let entries = isOfAll ? Array(shown.values) : try [entry(of: target(words))]
        let able = entries.filter { entry in input(of: entry.tile).map { Recordings.canRecord($0.stream) } ?? false }
        guard !able.isEmpty else {
            throw ProgramError(
                .usage,
                "Cameras and network streams are recorded; files, GStreamer, PipeWire and the screen are not.")
        }
        let plan = history.document.recording
        let isOn = word.map { $0 == "on" } ?? !able.contains { recordings.isWanted($0.input, plan) }
        for entry in able { recordings.choose(isOn, entry.input.id) }
        overlay.show(
            "\(able.count == 1 ? able[0].tile.title : "\(able.count) tiles"): \(isOn ? "recorded" : "no longer recorded")",
            now: clock.now)
        updateRecordings()
    }

    private func entry(of tile: WallTile) throws(ProgramError) -> ShownInput {
        guard let entry = shown.values.first(where: { $0.tile === tile }) else {
            throw ProgramError(.usage, "This tile is not recorded.")
        }
        return entry
    }

    /// Completes all recordings, as long as a slow disk may take.
    func endRecordings() {
        guard !recordings.end(until: .now + .seconds(5)) else { return }
        logger.warning("Some recordings have no index yet, because the disk takes too long; they can be played.")
    }
}

extension RecorderCondition {
    /// What the tile says of it.
    fileprivate var badge: TileBadge? {
        switch self {
        case .waiting, .ended: nil
        case .recording: TileBadge("REC", isAlarm: false)
        case .paused, .failed: TileBadge("NOT RECORDED", isAlarm: true)
        }
    }
}
