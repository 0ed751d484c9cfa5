import CVitrailFFmpeg
import MediaIO

/// One file of a recording, while it is written.
///
/// **Thread:** the recorder's: calls may wait for a disk that hangs.
final class RecordingPart {
    /// A packet, and when it arrived.
    struct Arrived {
        var packet: EncodedPacket
        /// Its times; those of a frame, if it came as one.
        var timing: EncodedPacket.Timing
        var attributes: FrameAttributes?
        var arrival: MonotonicTime
    }

    /// What became of a packet.
    enum Outcome {
        case written
        /// Its track is not in the file, but another file can have it.
        case missing
        /// The container cannot hold its track, of which this may be the first packet.
        case unfit(isFirst: Bool)
    }

    /// How often the disk is asked to store what was written.
    private static let syncInterval = Duration.seconds(2)

    /// The tracks in the file.
    let tracks: [TrackInfo]
    /// The bytes of the packets that were written.
    private(set) var byteCount = 0
    /// Where the next packet will be, from the begin of the file.
    private(set) var length = Duration.zero
    /// Whether packets of a track have come that another file can hold.
    private(set) var hasNewTrack = false
    private let container: MediaContainer
    private let file: RecordingFile
    /// Which sound the container cannot hold, for people; `nil` if none.
    private(set) var omission: String?
    /// The tracks that the container cannot hold, by their identifiers.
    private var omitted: Set<Int> = []
    private let muxer: MuxerContext
    private var clock: RecordingClock
    private var nextSync = MonotonicTime.now + syncInterval
    /// When the last packet arrived.
    private var lastArrival: MonotonicTime?
    /// What comes less often is not held back until the next packet.
    private static let longestGap = Duration.milliseconds(400)

    /// Makes the file, and writes its header.
    ///
    /// - Parameters:
    ///   - first: the first packets, a key frame of video first; its tracks are theirs.
    ///   - settings: where it is made.
    ///   - name: the name of the stream.
    ///   - sound: a packet of sound, for a track that the first packets do not have; `nil` without such a track.
    /// - Throws: ``StreamError/Code/unsupported`` if the container cannot hold the stream;
    ///   ``StreamError/Code/writeFailed``; ``StreamError/Code/noMemory``.
    init(
        _ first: [Arrived], _ settings: RecordingSettings, name: String, sound: Arrived? = nil
    ) throws(StreamError) {
        let container = settings.pattern.container
        var (starts, omitted) = ([TrackStart](), Set<Int>())
        var omission: String?
        for arrived in first + (sound.map { [$0] } ?? [])
        where !starts.contains(where: { $0.track.id == arrived.packet.track.id }) {
            let track = arrived.packet.track
            guard container.holds(track.codec) else {
                guard track.kind != .video else { throw container.refusal(of: track.codec, name) }
                continue
            }
            starts.append(TrackStart(arrived, settings))
        }
        let time = RecordingTime(first[0])
        let tags = [("title", name), ("creation_time", time.universal)]
        let file = try RecordingFile(settings, name: name, time: time)
        do throws(StreamError) {
            do throws(StreamError) {
                muxer = try Self.begin(starts, container, file, tags)
            } catch {
                let sound = starts.filter { $0.track.kind == .audio }
                guard error.code == .unsupported, !sound.isEmpty else { throw error }
                // Pictures are worth more than both.
                starts.removeAll { $0.track.kind == .audio }
                omitted.formUnion(sound.map(\.track.id))
                omission = error.description
                file.empty()
                muxer = try Self.begin(starts, container, file, tags)
            }
        } catch {
            // Nothing can be played of it.
            file.delete()
            throw error
        }
        self.file = file
        (tracks, self.omitted, self.omission) = (starts.map(\.track), omitted, omission)
        self.container = container
        let times = first.compactMap { arrived in
            starts.firstIndex { $0.track.id == arrived.packet.track.id }.map { (timing: arrived.timing, track: $0) }
        }
        var steps: [Duration?] = []
        for index in starts.indices { steps.append(muxer.packetDuration(of: index)) }
        clock = RecordingClock(times, steps: steps)
    }

    private static func begin(
        _ starts: [TrackStart], _ container: MediaContainer, _ file: borrowing RecordingFile, _ tags: [(String, String)]
    ) throws(StreamError) -> MuxerContext {
        let muxer = try MuxerContext(recording: container, try WriterBytes(file.descriptor), file.path, tags: tags)
        try muxer.begin(starts)
        return muxer
    }

    /// Its path.
    var path: String { file.path }

    /// Whether the file has a track, described in the same way.
    func has(_ track: TrackInfo) -> Bool { index(of: track) != nil }

    private func index(of track: TrackInfo) -> Int? {
        for index in tracks.indices where tracks[index].id == track.id && tracks[index].isDecodedLike(track) {
            return index
        }
        return nil
    }

    /// Writes a packet.
    ///
    /// - Returns: whether it is in the file.
    /// - Throws: ``StreamError/Code/writeFailed``; ``StreamError/Code/noMemory``.
    func write(_ arrived: Arrived) throws(StreamError) -> Outcome {
        let track = arrived.packet.track
        guard let index = index(of: track) else {
            if omitted.contains(track.id) { return .unfit(isFirst: false) }
            if container.holds(track.codec) {
                hasNewTrack = true
                return .missing
            }
            omitted.insert(track.id)
            omission = container.refusal(of: track.codec, "the sound").description
            return .unfit(isFirst: true)
        }
        let timing = clock.map(arrived.timing, track: index, arrival: arrived.arrival)
        try muxer.write(arrived.packet, to: index, at: timing)
        byteCount += arrived.packet.byteCount
        if track.kind == .video { length = max(length, (timing.decoding ?? .zero) + (timing.duration ?? .zero)) }
        if let lastArrival, arrived.arrival - lastArrival >= Self.longestGap { try muxer.flush() }
        lastArrival = arrived.arrival
        guard .now >= nextSync else { return .written }
        try file.synchronize()
        nextSync = .now + Self.syncInterval
        return .written
    }

    /// Writes what the container holds back, as when nothing comes for a while.
    func flush() throws(StreamError) {
        try muxer.flush()
        try file.synchronize()
    }

    /// Writes what belongs at the end, as far as there is room: it can be played without it.
    func end() {
        try? muxer.end()
        try? file.synchronize()
    }

    /// Deletes the file.
    func delete() { file.delete() }
}

extension TrackStart {
    fileprivate init(_ arrived: RecordingPart.Arrived, _ settings: RecordingSettings) {
        let attributes = arrived.attributes ?? arrived.packet.track.attributes
        self.init(
            track: arrived.packet.track, first: arrived.packet,
            orientation: Orientation(
                rotation: settings.rotation ?? attributes.rotation, mirror: settings.mirror ?? attributes.mirror),
            colors: attributes.colorTags)
    }
}

extension RecordingTime {
    /// When a packet was captured by its sender's clock, unless that is wrong, or else when it arrived here.
    init(_ arrived: RecordingPart.Arrived) {
        let arrival = RecordingTime.now.sinceEpoch - (MonotonicTime.now - arrived.arrival)
        let capture = arrived.timing.capture.flatMap { CaptureClock.mayTake(arrival - $0) ? $0 : nil }
        self.init(sinceEpoch: capture ?? arrival)
    }
}
