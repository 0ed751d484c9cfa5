public import MediaIO
internal import Synchronization

/// Records the packets of a stream to files, without encoding them again.
///
///     let recorder = PacketRecorder(RecordingSettings(folder: "/srv/recordings"), name: "yard")
///     try source.packets.attach(recorder)
///     …
///     source.packets.detach(recorder)
///     recorder.waitForEnd(until: .now + .seconds(5))
///
/// The files can be played up to their end whenever that comes, also after a crash: at most a second is lost, after a
/// loss of power two seconds more. Files in MP4 get their index when they are complete.
///
/// A disk that is too slow loses packets, up to the next key frame. One that is full, lost or cannot be written to pauses
/// the recording, which goes on in another file when there is room again: that is looked at every ten seconds, and tried less and less
/// often, after five minutes at last, where it fails.
///
/// **Thread:** what a ``PacketOutlet`` calls is called on the outlet's thread for it; the rest on any. A disk that hangs
/// holds up that thread only.
public final class PacketRecorder: PacketFrameSink {
    private struct State {
        var settings: RecordingSettings
        var condition = RecorderCondition.waiting
        var counts = RecorderCounts()
    }

    /// How long packets are collected to know the tracks, before a file begins.
    private static let collection = Duration.milliseconds(400)
    /// How long at most, if there will be sound, which MPEG-TS sends in large pieces.
    private static let longestCollection = Duration.milliseconds(1500)
    /// The most bytes that are collected.
    private static let mostCollected = 16 << 20
    /// How long it waits after a failure.
    package static let pause = Duration.seconds(10)

    /// The name of the stream.
    public let name: String
    private let onChange: @Sendable (RecorderCondition) -> Void
    private let state: Monitor<State>
    private let indexer: RecordingIndexer
    private let pause: Duration
    private let hasSound: Bool
    /// Whether the source has sound that has not been waited for.
    private let expectsSound = Atomic(false)
    private let onFile: @Sendable (_ path: String, _ first: MonotonicTime) -> Void

    // Only the outlet's thread uses them.
    private nonisolated(unsafe) var part: RecordingPart?
    private nonisolated(unsafe) var collected: [RecordingPart.Arrived] = []
    private nonisolated(unsafe) var collectedByteCount = 0
    /// The last packet of sound since the source was interrupted.
    private nonisolated(unsafe) var sound: RecordingPart.Arrived?
    private nonisolated(unsafe) var room: RecordingRoom
    /// How large the part may become.
    private nonisolated(unsafe) var largestFile: Int?
    private nonisolated(unsafe) var nextTry = MonotonicTime.now
    /// The failures since a file was written for longer than a pause.
    private nonisolated(unsafe) var failures = 0

    /// Describes a recorder; nothing is opened before the first packet.
    ///
    /// - Parameters:
    ///   - settings: what is recorded, and where to.
    ///   - name: the name of the stream, for files and errors.
    ///   - onChange: called when the condition changes, on the outlet's thread.
    public convenience init(
        _ settings: RecordingSettings, name: String,
        onChange: @escaping @Sendable (RecorderCondition) -> Void = { _ in }
    ) {
        self.init(settings, name: name, indexer: RecordingIndexer(), onChange: onChange)
    }

    /// Describes a recorder.
    ///
    /// - Parameters:
    ///   - settings: what is recorded, and where to.
    ///   - name: the name of the stream.
    ///   - indexer: completes its files, and those of others.
    ///   - pause: how long it waits after a failure.
    ///   - free: how many bytes are free on the disk of a folder; `nil` if the system does not say it.
    ///   - onFile: called when a file has begun, with its path and when its first packet arrived.
    ///   - onChange: called when the condition changes.
    package init(
        _ settings: RecordingSettings, name: String, indexer: RecordingIndexer, pause: Duration = pause,
        free: @escaping @Sendable (_ folder: String) -> Int? = RecordingRoom.freeByteCount,
        onFile: @escaping @Sendable (_ path: String, _ first: MonotonicTime) -> Void = { _, _ in },
        onChange: @escaping @Sendable (RecorderCondition) -> Void
    ) {
        (self.name, self.indexer, self.onFile, self.onChange) = (name, indexer, onFile, onChange)
        state = Monitor(State(settings: settings))
        (self.pause, hasSound) = (pause, settings.hasSound)
        room = RecordingRoom(settings, free: free)
    }

    /// What is recorded, and where to.
    ///
    /// What is changed holds for the next file, which begins with the next key frame; whether sound is recorded cannot be
    /// changed.
    public var settings: RecordingSettings {
        get { state.withLock { $0.settings } }
        set { state.withLock { $0.settings = newValue } }
    }

    /// How it is.
    public var condition: RecorderCondition { state.withLock { $0.condition } }

    /// What it has done.
    public var counts: RecorderCounts { state.withLock { $0.counts } }

    /// Waits until it was detached and its files are complete.
    ///
    /// - Parameter deadline: how long at most: a disk may hang.
    /// - Returns: whether they are. What is not is complete but for the index of MP4.
    @discardableResult
    public func waitForEnd(until deadline: MonotonicTime) -> Bool {
        let hasEnded = state.wait(until: deadline) { $0.condition == .ended ? true : nil } ?? false
        return hasEnded && indexer.wait(until: deadline)
    }

    // MARK: PacketSink

    /// True for the video that is shown and its sound, unless that is not recorded.
    ///
    /// It is asked of each track of the source, and so knows whether there will be sound.
    public func wants(_ track: TrackInfo) -> Bool {
        guard track.isMain else { return false }
        if track.kind == .audio, hasSound { expectsSound.store(true, ordering: .relaxed) }
        return track.kind == .video || track.kind == .audio && hasSound
    }

    /// True: a disk may hang.
    public var mayHang: Bool { true }

    /// Writes a packet, or begins a file with it.
    public func consume(_ packet: EncodedPacket) { take(packet, packet.timing, nil) }

    /// Writes a packet that came as a frame.
    package func consume(_ frame: VideoFrame) {
        guard case .encoded(let packet) = frame.image else { return }
        var timing = packet.timing
        if timing.presentation == nil, timing.decoding == nil { timing.presentation = frame.presentationTime }
        take(packet, timing, frame.attributes)
    }

    /// Counts packets that were left out.
    public func didLose(_ count: Int) { omit(count) }

    /// Writes what is held back when nothing comes any more.
    public func sourceDidChange(_ condition: SourceCondition) {
        guard condition != .live else { return }
        sound = nil
        if !collected.isEmpty { beginPart() }
        do throws(StreamError) { try part?.flush() } catch { pause(error) }
    }

    /// Closes the file.
    public func didDetach() {
        if !collected.isEmpty { beginPart() }
        endPart()
        change(to: .ended)
    }

    // MARK: Packets

    private func take(_ packet: EncodedPacket, _ timing: EncodedPacket.Timing, _ attributes: FrameAttributes?) {
        let arrived = RecordingPart.Arrived(
            packet: packet, timing: timing, attributes: attributes,
            arrival: timing.arrival.map(MonotonicTime.init(sinceBoot:)) ?? .now)
        if let first = collected.first {
            collected.append(arrived)
            collectedByteCount += packet.byteCount
            if arrived.arrival - first.arrival >= collection || collectedByteCount >= Self.mostCollected {
                beginPart()
            }
            return
        }
        if part != nil, let reason = room.refusal(toBegin: false) {
            pause(StreamError(.writeFailed, reason), isFull: true)
        }
        if let part, !isBeginning(packet, after: part) { return write(arrived, to: part) }
        guard packet.track.kind == .video, packet.isKeyFrame, MonotonicTime.now >= nextTry else { return omit(1) }
        endPart()
        (collected, collectedByteCount) = ([arrived], packet.byteCount)
    }

    /// How long packets are collected.
    private var collection: Duration {
        let isMissingSound =
            expectsSound.load(ordering: .relaxed) && sound == nil
            && !collected.contains { $0.packet.track.kind == .audio }
        return isMissingSound ? Self.longestCollection : Self.collection
    }

    /// Whether a packet begins another file.
    private func isBeginning(_ packet: EncodedPacket, after part: RecordingPart) -> Bool {
        guard packet.track.kind == .video, packet.isKeyFrame else { return false }
        if !part.has(packet.track) || part.hasNewTrack || settings != room.settings { return true }
        if let limit = room.settings.partDuration, part.length >= limit - .milliseconds(50) { return true }
        return part.byteCount >= min(room.settings.partByteCount ?? .max, largestFile ?? .max)
    }

    private func write(_ arrived: RecordingPart.Arrived, to part: RecordingPart) {
        do throws(StreamError) {
            switch try part.write(arrived) {
            case .written:
                if arrived.packet.track.kind == .audio { sound = arrived }
                count(1, bytes: arrived.packet.byteCount)
            case .missing: omit(1)
            case .unfit(let isFirst):
                if isFirst { change(to: .recording(path: part.path, omission: part.omission)) }
            }
        } catch {
            omit(1)
            pause(error)
        }
    }

    /// Begins a file with the packets that were collected.
    private func beginPart() {
        let first = collected
        (collected, collectedByteCount) = ([], 0)
        // What has not come by now may never come, and the next part does not wait for it.
        expectsSound.store(false, ordering: .relaxed)
        let settings = settings
        if settings != room.settings { room = RecordingRoom(settings, free: room.free) }
        if counts.files == 0 { room.removeLeftovers() }
        if let reason = room.refusal(toBegin: true) {
            omit(first.count)
            return pause(StreamError(.writeFailed, reason), isFull: true)
        }
        do throws(StreamError) {
            let hasSound = first.contains { $0.packet.track.kind == .audio }
            let part = try RecordingPart(first, settings, name: name, sound: hasSound ? nil : sound)
            self.part = part
            onFile(part.path, first[0].arrival)
            largestFile = room.largestFile()
            state.change { $0.counts.files += 1 }
            for arrived in first {
                if self.part === part { write(arrived, to: part) } else { omit(1) }
            }
            if self.part === part { change(to: .recording(path: part.path, omission: part.omission)) }
        } catch {
            omit(first.count)
            pause(error)
        }
    }

    private func endPart() {
        guard let part else { return }
        self.part = nil
        part.end()
        // Nothing can be played of it.
        guard part.byteCount > 0 else { return part.delete() }
        if room.settings.pattern.container.isMP4 { indexer.add(part.path, room) }
    }

    /// Writes nothing until the next try; after each failure that is twice as long, for full disks are found out without one.
    private func pause(_ error: StreamError, isFull: Bool = false) {
        if let part, part.length > pause { failures = 0 }
        endPart()
        nextTry = .now + pause * (isFull ? 1 : 1 << min(failures, 5))
        if !isFull { failures += 1 }
        change(to: error.code == .unsupported ? .failed(error.description) : .paused(error.description))
    }

    private func count(_ packets: Int, bytes: Int) {
        state.withLock { state in
            state.counts.packets += packets
            state.counts.bytes += bytes
        }
    }

    private func omit(_ count: Int) { state.withLock { $0.counts.omitted += count } }

    private func change(to condition: RecorderCondition) {
        let isNew = state.change { state in
            defer { state.condition = condition }
            return state.condition != condition
        }
        if isNew { onChange(condition) }
    }
}
