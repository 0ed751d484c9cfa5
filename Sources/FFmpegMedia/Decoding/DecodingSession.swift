import CVitrailFFmpeg
import MediaIO

/// An input and the decoder of its best video stream: decodes frames in order, from a given place.
final class DecodingSession {
    /// How many times decoding may fail after the last packet: once per decoder thread that may still hold a frame.
    private static let maximumLateFailures = 64

    /// The longest that a live stream leaves out packets while it waits for a key frame.
    private static let longestWait = Duration.seconds(10)

    let input: MediaInput
    let stream: UnsafeMutablePointer<AVStream>
    /// The orientation of the last decoded frame.
    ///
    /// It is stated by the frame itself, or else by the last key frame, or else by the container.
    private(set) var orientation: Orientation
    /// The number of packets marked as corrupt, undecodable or left out after a loss, and of corrupt places in the
    /// container.
    private(set) var corruptPackets = 0
    /// The memory that frames are decoded into.
    let memory = DecoderMemory()
    private var decoder: VideoDecoder
    private let options: MediaReader.Options
    /// The number of times that the decoder halves the width and height of frames.
    private(set) var reduction = 0
    private var wantedReduction = 0
    /// Whether the remaining frames are being taken out of the decoder, so that a new decoder can replace it.
    private var isDraining = false
    private var isOmitting = false
    private var backlog = Backlog.none
    /// Whether the previous packet was marked as corrupt.
    private var wasMarked = false
    /// Whether the stream is expected to have key frames: false after a wait for one ended without it.
    private var hasKeyFrames = true
    private var isFinished = false
    private var readError: Int32?
    private var lateFailures = 0

    /// Which packets are left out at present.
    private enum Backlog {
        case none
        /// All packets that have already arrived.
        ///
        /// It ends when a read has to wait for a packet, or at `until`, because a sender may never pause.
        case arrived(until: MonotonicTime)
        /// All packets up to the next key frame, or until `until`: after a loss, or to catch up.
        case beforeKey(until: MonotonicTime, isLoss: Bool)
    }

    init(
        _ location: MediaLocation, _ options: MediaReader.Options, _ cancellation: ReadCancellation
    ) throws(StreamError) {
        input = try MediaInput(location, options, cancellation)
        stream = try input.bestVideoStream()
        decoder = try VideoDecoder(stream, location, options, memory)
        self.options = options
        orientation = Orientation(stream)
        // Packets of other streams are not even read.
        for index in 0..<Int32(input.context.pointee.nb_streams) where index != stream.pointee.index {
            vitrail_stream(input.context, index)?.pointee.discard = AVDISCARD_ALL
        }
    }

    /// Decodes the next frame into `picture`; false at the end.
    ///
    /// - Throws: ``StreamError`` if reading has failed, once all frames read before the failure are decoded.
    func decode(_ picture: DecodedFrame) throws(StreamError) -> Bool {
        while true {
            switch decoder.receive(picture) {
            case .picture where picture.isCorrupt && isWaitingForKeys: noteLoss()
            case .picture:
                // Streams state their orientation once for each group of pictures.
                let isKey = vitrail_frame_is_key(picture.frame) != 0
                orientation = Orientation(picture.frame) ?? (isKey ? Orientation(stream) : orientation)
                return true
            case .needsPacket:
                if wantedReduction == reduction {
                    try feed()
                } else {
                    isDraining = true
                    decoder.finish()
                }
            case .corrupt:
                noteLoss()
                if isFinished { lateFailures += 1 }
                if lateFailures > Self.maximumLateFailures { return false }
            case .ended where isDraining: try replaceDecoder()
            case .ended:
                guard let readError else { return false }
                throw StreamError(
                    .readFailed, "Reading \(input.location) failed (\(ffmpegText(readError))): open it again.",
                    underlying: readError)
            }
        }
    }

    /// Seeks to the key frame at or before `timestamp`; false if that is not possible.
    func seek(_ timestamp: Int64) -> Bool {
        guard input.seek(stream.pointee.index, timestamp) else { return false }
        decoder.flush()
        isDraining = false
        (isFinished, readError, lateFailures) = (false, nil, 0)
        return true
    }

    /// Starts or stops leaving out frames that no other frame is decoded from.
    func setOmitting(_ isOmitting: Bool) {
        self.isOmitting = isOmitting
        decoder.setOmitting(isOmitting)
    }

    /// Leaves out the packets that have already arrived, and those after them up to the next key frame.
    func catchUp() {
        if case .none = backlog { backlog = .arrived(until: .now + .milliseconds(200)) }
    }

    /// Has the decoder halve the sides of frames as often as it can without making fewer pixels than wanted.
    ///
    /// The change takes effect once the decoder has delivered the frames that it holds.
    ///
    /// - Parameter pixels: the wanted number of pixels in a frame; `nil` for all.
    func reduce(to pixels: Int?) {
        let size = stream.pointee.codecpar.pointee
        let count = Int(size.width) * Int(size.height)
        wantedReduction =
            (0...VideoDecoder.largestReduction(of: stream)).last { count >> (2 * $0) >= pixels ?? count } ?? 0
    }

    private func replaceDecoder() throws(StreamError) {
        isDraining = false
        reduction = wantedReduction
        decoder = try VideoDecoder(stream, input.location, options, memory, reduction: reduction)
        decoder.setOmitting(isOmitting)
    }

    /// Whether the packet just read is left out, to catch up or after a loss.
    ///
    /// - Parameter wait: how long the read waited for the packet.
    /// - Returns: true for a packet that had already arrived when catching up began, or that precedes the awaited key
    ///   frame.
    private func isLeftOut(after wait: Duration) -> Bool {
        switch backlog {
        case .none: return false
        case .arrived(let end):
            guard wait >= .milliseconds(2) || .now >= end else { return true }
            backlog = .beforeKey(until: .now + Self.longestWait, isLoss: false)
            return isLeftOut(after: wait)
        case .beforeKey(let end, let isLoss):
            // Packets that are left out because of a loss count as corrupt.
            let (isKey, isTrusted) = (has(AV_PKT_FLAG_KEY), isTrusted())
            guard isKey && isTrusted || .now >= end else {
                if isLoss { corruptPackets += 1 }
                return true
            }
            backlog = .none
            hasKeyFrames = isKey
            // The frames that the decoder still holds are out of date.
            decoder.flush()
            return false
        }
    }

    /// Whether a loss makes the session leave out pictures up to the next key frame.
    ///
    /// Only in a live stream, and not if the last wait for a key frame was in vain.
    private var isWaitingForKeys: Bool { hasKeyFrames && !isFinished && input.isLive }

    /// Counts a loss; a live stream delivers the pictures decoded before it, then continues with the next key frame.
    ///
    /// The pictures in between would be wrong, and the decoder does not always notice. In a file, such pictures are
    /// shown, as every player does.
    private func noteLoss() {
        corruptPackets += 1
        if case .beforeKey = backlog { return }
        guard isWaitingForKeys else { return }
        backlog = .beforeKey(until: .now + Self.longestWait, isLoss: true)
        isDraining = true
        decoder.finish()
    }

    /// Whether neither the packet just read nor the one before it is marked as corrupt.
    ///
    /// Where FFmpeg splits a stream into pictures itself, it marks the picture before the corrupt one instead.
    private func isTrusted() -> Bool {
        defer { wasMarked = has(AV_PKT_FLAG_CORRUPT) }
        return !wasMarked && !has(AV_PKT_FLAG_CORRUPT)
    }

    private func has(_ flag: Int32) -> Bool { input.packet.pointee.flags & flag != 0 }

    private func feed() throws(StreamError) {
        let waited = input.timeWaited
        switch try input.read(stream.pointee.index) {
        case .packet where isLeftOut(after: input.timeWaited - waited): break
        case .packet:
            // In a file, a packet that the container marks as corrupt is still decoded: much of it may be good.
            let isMarked = has(AV_PKT_FLAG_CORRUPT)
            if has(AV_PKT_FLAG_KEY) { hasKeyFrames = true }
            wasMarked = isMarked
            if isMarked && isWaitingForKeys || !decoder.send(input.packet) || isMarked { noteLoss() }
        case .corrupt: noteLoss()
        case .ended(let readError):
            self.readError = readError
            isFinished = true
            decoder.finish()
        }
    }
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
            let found = (0..<Int32(context.pointee.nb_streams)).compactMap { vitrail_stream(context, $0) }.map(
                Self.describe)
            // A connection lost before its streams are known says nothing about the next connection.
            guard !found.isEmpty || !location.isNetwork else {
                throw StreamError(
                    .cannotOpen,
                    "\(location) sends no video: check that the sender is running, and that it sends pictures.")
            }
            let content = found.isEmpty ? "no other stream either" : found.joined(separator: ", ")
            let next = location.isNetwork ? "Give the address of a stream with pictures." : "Name a file with video."
            throw StreamError(.unsupported, "\(location) has no video stream; it has: \(content). \(next)")
        }
        return stream
    }

    private static func describe(_ stream: UnsafeMutablePointer<AVStream>) -> String {
        let parameters = stream.pointee.codecpar.pointee
        let kind = av_get_media_type_string(parameters.codec_type).map { String(cString: $0) } ?? "data"
        let isCover = stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0
        return "\(isCover ? "cover" : kind) (\(String(cString: avcodec_get_name(parameters.codec_id))))"
    }
}
