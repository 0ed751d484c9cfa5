import CVitrailFFmpeg
import Glibc
public import MediaIO

/// Reads the packets of a media file or network stream through FFmpeg: the demuxer.
///
/// Packets share FFmpeg's memory; nothing is copied.
///
/// * A file can access nothing but itself: this module reads the bytes, and FFmpeg may not open anything. Lists of
///   files are rejected. A network stream may access the network, never a file.
/// * A server's TLS certificate is verified, unless ``MediaReader/Options/trust`` says otherwise.
/// * If a live playlist (HLS, DASH) stops before it announces its end, ``next()`` throws, so that a ``LiveSource``
///   opens it again.
///
/// FFmpeg's log level is global to the process. The first reader turns the log off, unless the program has changed
/// FFmpeg's default level before.
///
/// **Thread:** the one that made it; packets may be used on any. **Cost:** each packet allocates two small objects, and
/// what FFmpeg allocates.
public final class MediaPacketReader: PacketReader {
    /// The container or protocol, by FFmpeg's name.
    public var container: String { input.kind }
    /// Whether the stream is live, as from a camera: it has no duration and cannot seek.
    public let isLive: Bool
    /// Whether it is a list of segments that was still being made when it was opened: live HLS.
    ///
    /// FFmpeg does not tell live DASH from finished DASH.
    public let isOngoing: Bool
    /// The stream's duration, or else the container's; `nil` if unknown, or only estimated from the file size.
    public var duration: Duration? { input.duration(of: shown) }
    /// The tracks that are known so far.
    public private(set) var tracks: [TrackInfo] = []
    /// The track to show: FFmpeg's choice among those of video, without cover art.
    ///
    /// If a live stream gains a track of video, and this one has sent nothing for a second, that is the one from then on:
    /// an encoder that was started again may number its tracks otherwise.
    public private(set) var shown: TrackInfo

    let input: MediaInput
    let options: MediaReader.Options
    let cancellation: ReadCancellation
    /// The error to report once the pictures before it are taken.
    private var failure: StreamError?
    /// The tracks whose packets are returned.
    private var selected: Set<Int>
    /// Tracks of video that were found after the beginning, which may have replaced the one that is shown.
    private var successors: Set<Int> = []
    /// Both.
    private var received: Set<Int> = []
    /// When the last packet of the track that is shown arrived.
    private var lastArrival = MonotonicTime.now
    private static let silence = Duration.seconds(1)
    /// Whether a picture must be decoded within the time that opening may take; otherwise a key frame must arrive.
    var isPictureAwaited = false
    /// Whether something was lost before the next packet.
    private var isAfterLoss = false
    /// Whether packets come in those of RTP, of which FFmpeg does not say what was lost.
    private let isRTP: Bool
    /// By the identity of their tracks.
    private var frameNumbers: [Int: FrameNumbers] = [:]

    /// Opens a file or network stream, and finds its tracks.
    ///
    /// - Parameters:
    ///   - location: what to open.
    ///   - options: how to read it; those of decoding are not used.
    ///   - cancellation: lets another thread end a wait.
    /// - Throws: ``StreamError``, naming the location, the cause and what to do.
    public init(
        _ location: MediaLocation, options: MediaReader.Options = MediaReader.Options(),
        cancellation: ReadCancellation = ReadCancellation()
    ) throws(StreamError) {
        (self.options, self.cancellation) = (options, cancellation)
        input = try MediaInput(location, options, cancellation)
        (isLive, isOngoing) = (input.isLive, input.isOngoing)
        isRTP = ["rtp", "rtsp", "sdp"].contains(input.kind)
        let best = try input.bestVideoStream()
        var tracks: [TrackInfo] = []
        for stream in input.streams { tracks.append(try TrackInfo(stream, of: input)) }
        for index in tracks.indices { tracks[index].isMain = input.isMain(tracks[index], best.pointee.index) }
        self.tracks = tracks
        shown = tracks[Int(best.pointee.index)]
        selected = [shown.id]
        receive()
    }

    /// Chooses the tracks whose packets are read, by their ``TrackInfo/id``; at first that is ``shown``.
    ///
    /// Packets of the others are not even received where the protocol allows that.
    public func select(_ tracks: Set<Int>) {
        selected = tracks
        receive()
    }

    private func receive() {
        received = selected.union(successors)
        input.discard(except: received)
    }

    /// The next packet of the chosen tracks; `nil` at the end.
    ///
    /// - Throws: ``StreamError/Code/readFailed`` if reading fails, times out or is cancelled.
    public func next() throws(StreamError) -> EncodedPacket? {
        if let failure { throw failure }
        while true {
            switch try input.read(received) {
            case .corrupt: isAfterLoss = true
            case .ended(let error):
                guard let error else { return nil }
                throw StreamError(
                    .readFailed, "Reading \(input.location) failed (\(ffmpegText(error))): open it again.",
                    underlying: error)
            case .packet:
                guard let packet = try take() else { continue }
                if isLive { followShown(packet) }
                guard selected.contains(packet.track.id) else { continue }
                if packet.isKeyFrame, !isPictureAwaited { input.finishOpening() }
                return packet
            }
        }
    }

    /// Changes the track that is shown if a packet belongs to one that has replaced it.
    private func followShown(_ packet: EncodedPacket) {
        let now = MonotonicTime.now
        if packet.track.id != shown.id {
            guard successors.contains(packet.track.id), now - lastArrival > Self.silence else { return }
            // The encoder may return to it. Whoever else wants it selects it again.
            successors.insert(shown.id)
            selected.remove(shown.id)
            selected.insert(packet.track.id)
            successors.remove(packet.track.id)
            tracks[shown.id].isMain = false
            tracks[packet.track.id].isMain = true
            shown = tracks[packet.track.id]
            receive()
        }
        lastArrival = now
    }

    /// When the track that is shown begins on its own clock, as its container states it; `nil` if it does not.
    var startTime: Duration? {
        guard let stream = vitrail_stream(input.context, Int32(shown.id)) else { return nil }
        return Duration(timestamp: stream.pointee.start_time, unit: stream.pointee.time_base)
    }

    /// Keeps an error of ``next()`` for its next call; false if it was already kept.
    func postpone(_ error: StreamError) -> Bool {
        guard failure == nil else { return false }
        failure = error
        return true
    }

    /// Seeks to the key frame at or before a time of the track that is shown; false if that is not possible.
    func seek(to time: Duration) -> Bool {
        guard let unit = input.timeUnit(of: shown.id) else { return false }
        let (seconds, attoseconds) = time.components
        // No stream is longer than thirty years.
        let nanoseconds = min(max(seconds, -1_000_000_000), 1_000_000_000) * 1_000_000_000 + attoseconds / 1_000_000_000
        (isAfterLoss, failure) = (false, nil)
        frameNumbers.removeAll()
        return input.seek(Int32(shown.id), av_rescale_q_rnd(nanoseconds, .nanosecond, unit, AV_ROUND_DOWN))
    }

    /// The packet that was just read; `nil` for one without bytes.
    private func take() throws(StreamError) -> EncodedPacket? {
        let packet = input.packet
        let index = Int(packet.pointee.stream_index)
        let track = try track(of: packet)
        guard packet.pointee.size > 0, let unit = input.timeUnit(of: index) else { return nil }
        let (flags, pts, dts) = (packet.pointee.flags, packet.pointee.pts, packet.pointee.dts)
        let length = packet.pointee.duration
        guard let shared = SharedPacket(moving: packet) else {
            throw StreamError(
                .noMemory, "There is not enough memory for a packet of \(input.location).", underlying: ENOMEM)
        }
        let arrival = isLive ? MonotonicTime.now.sinceBoot : nil
        let isAfterGap = isRTP && track.codec == .h264 && isAfterGap(shared.bytes, of: track)
        let isAfterLoss = isAfterLoss || isAfterGap
        self.isAfterLoss = false
        return try EncodedPacket(
            sharing: shared.bytes, owner: shared, of: track,
            timing: EncodedPacket.Timing(
                presentation: Duration(timestamp: pts, unit: unit), decoding: Duration(timestamp: dts, unit: unit),
                duration: length > 0 ? Duration(timestamp: length, unit: unit) : nil, arrival: arrival,
                capture: shared.captureTime),
            marks: EncodedPacket.Marks(
                isKeyFrame: flags & AV_PKT_FLAG_KEY != 0, discontinuity: isAfterLoss,
                isCorrupt: flags & AV_PKT_FLAG_CORRUPT != 0))
    }

    /// Whether pictures that a packet depends on are missing before it.
    private func isAfterGap(_ bytes: UnsafeRawBufferPointer, of track: TrackInfo) -> Bool {
        frameNumbers[track.id, default: FrameNumbers(configuration: track.configuration)].isAfterGap(bytes)
    }

    /// The track of a packet, which may be new, or have another codec or configuration than before.
    private func track(of packet: UnsafePointer<AVPacket>) throws(StreamError) -> TrackInfo {
        while tracks.count < input.streamCount, let stream = vitrail_stream(input.context, Int32(tracks.count)) {
            var track = try TrackInfo(stream, of: input)
            track.isMain = track.kind == .audio && !tracks.contains { $0.kind == .audio && $0.isMain }
            tracks.append(track)
            guard isLive, track.kind == .video else { continue }
            successors.insert(track.id)
            receive()
        }
        let index = Int(packet.pointee.stream_index)
        guard let stream = vitrail_stream(input.context, Int32(index)) else { return tracks[index] }
        let configuration = packet.newConfiguration.flatMap { $0.elementsEqual(tracks[index].configuration) ? nil : $0 }
        if configuration != nil || stream.pointee.codecpar.pointee.codec_id != tracks[index].ffmpegCodec {
            let isMain = tracks[index].isMain
            tracks[index] = try TrackInfo(stream, of: input, configuration: configuration)
            tracks[index].isMain = isMain
            if index == shown.id { shown = tracks[index] }
        }
        return tracks[index]
    }
}

extension UnsafePointer<AVPacket> {
    /// The record or the parameter sets that a key frame brings for itself and the packets after it; `nil` for none.
    fileprivate var newConfiguration: UnsafeBufferPointer<UInt8>? {
        var size = 0
        guard pointee.flags & AV_PKT_FLAG_KEY != 0,
            let bytes = av_packet_get_side_data(self, AV_PKT_DATA_NEW_EXTRADATA, &size), size > 0
        else { return nil }
        return UnsafeBufferPointer(start: bytes, count: size)
    }
}

extension TrackInfo {
    /// FFmpeg's number of the codec.
    fileprivate var ffmpegCodec: AVCodecID? { (parameters as? TrackParameters)?.parameters.pointee.codec_id }
}

extension MediaInput {
    /// The stream to show.
    ///
    /// - Throws: ``StreamError/Code/unsupported``, naming the streams that exist.
    fileprivate func bestVideoStream() throws(StreamError) -> UnsafeMutablePointer<AVStream> {
        let index = av_find_best_stream(context, AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0)
        guard index >= 0, let stream = vitrail_stream(context, index),
            // Cover art is a still image, not video.
            stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
        else {
            let found = streams.map(Self.describe)
            // A connection lost before its streams are known says nothing about the next connection.
            guard !found.isEmpty || !location.isNetwork else {
                throw StreamError(
                    .cannotOpen,
                    "\(location) sends no video: check that the sender is running, and that it sends pictures.")
            }
            let content = found.isEmpty ? "no other stream either" : found.joined(separator: ", ")
            let next = location.isNetwork ? "Give the address of a stream with pictures." : "Name a file with video."
            // Video may be added to a live stream at any time. A stored one is opened again for any other reason.
            let isKnown = isLive || !location.isNetwork && !found.isEmpty
            throw StreamError(
                isKnown ? .noVideo : .unsupported, "\(location) has no video stream; it has: \(content). \(next)")
        }
        return stream
    }

    /// Whether a track is the one to show, or the sound that belongs to it.
    fileprivate func isMain(_ track: TrackInfo, _ shown: Int32) -> Bool {
        guard track.kind == .audio else { return track.id == Int(shown) }
        let best = av_find_best_stream(context, AVMEDIA_TYPE_AUDIO, -1, shown, nil, 0)
        // Of sound whose format only its packets state, FFmpeg finds none.
        return best >= 0
            ? track.id == Int(best) : track.id == streams.first(where: \.isAudio).map { Int($0.pointee.index) }
    }

    private static func describe(_ stream: UnsafeMutablePointer<AVStream>) -> String {
        let parameters = stream.pointee.codecpar.pointee
        let kind = av_get_media_type_string(parameters.codec_type).map { String(cString: $0) } ?? "data"
        let isCover = stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0
        return "\(isCover ? "cover" : kind) (\(String(cString: avcodec_get_name(parameters.codec_id))))"
    }

    /// The duration of a track's stream, or else the container's.
    fileprivate func duration(of track: TrackInfo) -> Duration? {
        guard context.pointee.duration_estimation_method != AVFMT_DURATION_FROM_BITRATE,
            let stream = vitrail_stream(context, Int32(track.id))
        else { return nil }
        let own = stream.pointee.duration
        // AV_NOPTS_VALUE is the smallest number, so it is not positive either.
        let duration =
            own > 0
            ? Duration(timestamp: own, unit: stream.pointee.time_base)
            : Duration(timestamp: context.pointee.duration, unit: AVRational(num: 1, den: AV_TIME_BASE))
        return duration.flatMap { $0 > .zero ? $0 : nil }
    }
}

extension UnsafeMutablePointer<AVStream> {
    fileprivate var isAudio: Bool { pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO }
}
