import CVitrailFFmpeg
import MediaIO

/// An input and the decoder of its best video stream: decodes frames in order, from a given place.
final class DecodingSession {
    /// The number of times that decoding may fail after the last packet: once per thread that may still hold a frame.
    private static let maximumLateFailures = 64

    let input: MediaInput
    let stream: UnsafeMutablePointer<AVStream>
    /// The orientation of the last decoded frame: its own, or that of the key frame before it, or the container's.
    private(set) var orientation: Orientation
    /// The number of packets marked as corrupt or not decodable, and of corrupt places in the container.
    private(set) var corruptPackets = 0
    /// Where frames are decoded.
    let memory = DecoderMemory()
    private var decoder: VideoDecoder
    private let options: MediaReader.Options
    /// How often the decoder halves both sides of frames.
    private(set) var reduction = 0
    private var wantedReduction = 0
    /// Whether frames left in the decoder are taken before another one replaces it.
    private var isDraining = false
    private var isOmitting = false
    private var backlog = Backlog.none
    private var isFinished = false
    private var readError: Int32?
    private var lateFailures = 0

    /// Which packets are left out.
    private enum Backlog {
        case none
        /// Those that have arrived already: until one is waited for, or until a time, since a sender may never pause.
        case arrived(until: MonotonicTime)
        /// Those before a key frame, or before a time.
        case beforeKey(until: MonotonicTime)
    }

    init(
        _ location: MediaLocation, _ options: MediaReader.Options, _ cancellation: ReadCancellation
    ) throws(StreamError) {
        input = try MediaInput(location, timeout: options.timeout, cancellation: cancellation)
        stream = try input.bestVideoStream()
        decoder = try VideoDecoder(stream, location, options, memory)
        self.options = options
        orientation = Orientation(stream)
        // Packets of other streams are not even read.
        for index in 0..<Int32(input.context.pointee.nb_streams) where index != stream.pointee.index {
            vitrail_stream(input.context, index)?.pointee.discard = AVDISCARD_ALL
        }
    }

    /// Decodes a frame into `picture`; false at the end.
    ///
    /// - Throws: ``StreamError`` if reading has failed, after all frames before that.
    func decode(_ picture: DecodedFrame) throws(StreamError) -> Bool {
        while true {
            switch decoder.receive(picture) {
            case .picture:
                // Streams state it once for each group of pictures.
                let isKey = picture.frame.pointee.key_frame != 0
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
                corruptPackets += 1
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

    /// Leaves out frames that no other frame is decoded from, or no longer does.
    func setOmitting(_ isOmitting: Bool) {
        self.isOmitting = isOmitting
        decoder.setOmitting(isOmitting)
    }

    /// Leaves out packets that have arrived already, and those from there to a key frame.
    func catchUp() {
        if case .none = backlog { backlog = .arrived(until: .now + .milliseconds(200)) }
    }

    /// Has the decoder make frames of no more pixels than wanted, if it can; never fewer than that.
    ///
    /// It does so once it has delivered the frames that it holds.
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

    /// Whether the packet read is left out to catch up.
    ///
    /// - Parameter wait: for how long it was waited for.
    /// - Returns: true for those that were there before, and those before a key frame.
    private func isLeftOut(after wait: Duration) -> Bool {
        switch backlog {
        case .none: return false
        case .arrived(let end):
            guard wait >= .milliseconds(2) || .now >= end else { return true }
            backlog = .beforeKey(until: .now + .seconds(10))
            return isLeftOut(after: wait)
        case .beforeKey(let end):
            guard input.packet.pointee.flags & AV_PKT_FLAG_KEY != 0 || .now >= end else { return true }
            backlog = .none
            // The frames that it holds are out of date.
            decoder.flush()
            return false
        }
    }

    private func feed() throws(StreamError) {
        let waited = input.timeWaited
        switch try input.read(stream.pointee.index) {
        case .packet where isLeftOut(after: input.timeWaited - waited): break
        case .packet:
            // A packet that the container marks as corrupt is still decoded: much of it may be good.
            let isMarked = input.packet.pointee.flags & AV_PKT_FLAG_CORRUPT != 0
            if !decoder.send(input.packet) || isMarked { corruptPackets += 1 }
        case .corrupt: corruptPackets += 1
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
            let content = found.isEmpty ? "no other stream either" : found.joined(separator: ", ")
            // A connection lost before its streams are known says nothing about the next connection.
            let isBrokenOff = found.isEmpty && location.isNetwork
            throw StreamError(
                isBrokenOff ? .cannotOpen : .unsupported,
                "\(location) has no video stream; it has: \(content). Name a file with video.")
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
