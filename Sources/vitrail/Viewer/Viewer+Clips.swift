import FFmpegMedia
import MediaIO
import VideoWall
import WindowGL

/// Saving the last seconds of all streams.
extension Viewer {
    /// Saves what the rings have up to the moment that is shown.
    func saveClip(_ words: ActionWords) throws(ProgramError) {
        let seconds = words.words.isEmpty ? 10 : try words.number(in: 1...HistoryPlan.longest)
        guard !clips.isBusy else { throw ProgramError(.usage, "The last clip is still being saved.") }
        let end = past.moment(now: .now)
        let begin = end - .seconds(seconds)
        let plan = history.document.recording
        var clip = ClipWriter.Clip(streams: [], span: begin...end, folder: plan.folder ?? ".")
        for input in inputs {
            guard let tile = input.tiles.first, let entry = shown.values.first(where: { $0.tile === tile }),
                let specification = entry.specification
            else { continue }
            let ring = (input.stream.source as? any PacketSource)?.packets.ring
            clip.streams.append(
                ClipWriter.Stream(
                    names: input.tiles.map(\.title),
                    address: MediaLocation.hidingSecrets(in: entry.input.address),
                    settings: plan.clipSettings(specification.options),
                    entries: ring?.entries(from: begin, to: end) ?? []))
        }
        guard clip.streams.contains(where: { !$0.entries.isEmpty }) else {
            throw ProgramError(
                .usage,
                "There is nothing to save: no stream has been kept. Cameras and network streams are, with --history.")
        }
        // Otherwise the result of the last clip would be lost.
        tellClip()
        files.completeFirst { [waker = window.waker] in waker.wake() }
        do throws(StreamError) {
            try clips.save(clip, files) { [waker = window.waker] in waker.wake() }
            overlay.show("saving the last \(PastStrip.Content.length(seconds))", now: clock.now)
        } catch {
            tell(failure: error.description)
        }
    }

    /// Says what has become of a clip.
    func tellClip() {
        switch clips.take() {
        case .success(let saved):
            let missing = saved.missing == 0 ? "" : ", \(saved.missing) not: see clip.json in it"
            tell("\(saved.folder): \(saved.files) \(saved.files == 1 ? "stream" : "streams") saved\(missing)")
        case .failure(let error): tell(failure: error.description)
        case nil: break
        }
    }

    /// Waits for a clip that is still being saved, as long as a slow disk may take.
    func finishClip() {
        clips.finish(until: .now + .seconds(10))
        tellClip()
    }
}
