import FFmpegMedia
import FoundationEssentials
import Glibc
import MediaIO

/// Saves what rings have of several streams, without encoding it again: one clip at a time, on a thread of its own.
///
/// **Thread:** any.
final class ClipWriter: Sendable {
    /// A stream, and what is saved of it.
    struct Stream: Sendable {
        /// The names of the tiles that show it.
        var names: [String]
        /// Its address, without secrets.
        var address: String
        /// How its file is written.
        var settings: RecordingSettings
        /// Its packets; none if nothing is kept of it.
        var entries: [PacketRing.Entry]
    }

    /// What is saved.
    struct Clip: Sendable {
        var streams: [Stream]
        /// From when to when.
        var span: ClosedRange<MonotonicTime>
        /// Where its folder is made.
        var folder: String
    }

    /// A clip that was saved.
    struct Saved: Sendable {
        var folder: String
        /// The number of streams that it has, and of those that it has not.
        var files = 0
        var missing = 0
    }

    /// What was saved of a stream.
    private struct Recorded {
        /// The files, and when the first picture of each was captured.
        var files: [(path: String, begin: MonotonicTime)] = []
        /// Why there is none, or not all of the stream in them.
        var reason: String?
    }

    private struct State {
        var isBusy = false
        var result: Result<Saved, ProgramError>?
    }

    private let state = Monitor(State())

    /// Whether a clip is still being saved.
    var isBusy: Bool { state.withLock { $0.isBusy } }

    /// Begins to save a clip in a new folder; only while none is being saved.
    ///
    /// - Parameters:
    ///   - clip: the clip.
    ///   - files: records the incomplete manifest.
    ///   - wake: called when ``take()`` has the result.
    /// - Throws: ``StreamError`` if no thread can be started.
    func save(_ clip: Clip, _ files: TemporaryFiles, wake: @escaping @Sendable () -> Void) throws(StreamError) {
        state.withLock { $0.isBusy = true }
        do throws(StreamError) {
            try SystemThread(for: "the clip", niceness: 10) { [state] in
                let result: Result<Saved, ProgramError>
                do throws(ProgramError) { result = .success(try Self.write(clip, files)) } catch {
                    result = .failure(error)
                }
                state.change { $0 = State(isBusy: false, result: result) }
                wake()
            }.detach()
        } catch {
            state.withLock { $0.isBusy = false }
            throw error
        }
    }

    /// What was saved since the last call, or why it was not; `nil` if there is nothing new.
    func take() -> Result<Saved, ProgramError>? {
        state.withLock { state in
            defer { state.result = nil }
            return state.result
        }
    }

    /// Waits until nothing is being saved any more, or the time is over.
    func finish(until deadline: MonotonicTime) { _ = state.wait(until: deadline) { $0.isBusy ? nil : () } }

    private static func write(_ clip: Clip, _ files: TemporaryFiles) throws(ProgramError) -> Saved {
        let name = SnapshotWriter.name(at: time(nil), ending: "") { access("\(clip.folder)/\($0)", F_OK) == 0 }
        let folder = clip.folder == "." ? name : "\(clip.folder)/\(name)"
        do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
            throw OutputFile.failure(folder, errno)
        }
        let now = (wall: MachineClock.read().sinceEpoch, monotonic: MonotonicTime.now)
        func onWall(_ moment: MonotonicTime) -> Duration { now.wall + (moment - now.monotonic) }
        var manifest = ClipManifest(from: onWall(clip.span.lowerBound), to: onWall(clip.span.upperBound))
        var saved = Saved(folder: folder)
        for stream in clip.streams {
            var result = Recorded(reason: "Nothing is kept of it at that time.")
            if stream.entries.contains(where: { $0.packet.track.kind == .video }) {
                result = record(stream, in: folder)
            }
            if result.files.isEmpty { saved.missing += 1 } else { saved.files += 1 }
            // A stream that has changed needs several files.
            for file in result.files.isEmpty ? [nil] : result.files.map(Optional.some) {
                var entry = ClipManifest.Stream(names: stream.names, address: stream.address)
                entry.file = file.map { String($0.path.dropFirst(folder.count + 1)) }
                entry.reason = result.reason
                if let file { entry.setBegin(onWall(file.begin), of: manifest) }
                manifest.streams.append(entry)
            }
        }
        let file = try OutputFile("\(folder)/clip.json", files)
        try file.write(manifest.bytes)
        try file.commit()
        return saved
    }

    /// Records the packets of a stream as they come from the ring.
    private static func record(_ stream: Stream, in folder: String) -> Recorded {
        let result = Monitor(Recorded())
        var settings = stream.settings
        settings.folder = folder
        let recorder = PacketRecorder(
            settings, name: stream.names.first ?? stream.address, indexer: RecordingIndexer(),
            onFile: { path, first in
                let begin = stream.entries.first { $0.arrival == first && $0.packet.track.kind == .video }
                result.withLock { $0.files.append((path, begin?.moment ?? first)) }
            },
            onChange: { condition in
                result.withLock { result in
                    switch condition {
                    case .recording(_, let omission): result.reason = omission
                    case .paused(let reason), .failed(let reason): result.reason = reason
                    case .waiting, .ended: break
                    }
                }
            })
        // So it knows of sound before it begins.
        for entry in stream.entries.filter({ recorder.wants($0.packet.track) }) { entry.give(to: recorder) }
        recorder.didDetach()
        recorder.waitForEnd(until: .now + .seconds(30))
        return result.withLock(\.self)
    }
}
