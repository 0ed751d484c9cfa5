import FFmpegMedia
import GStreamerMedia
import Logging
import MediaIO
import PipeWireMedia
import V4L2Capture
import VideoSources

extension InputSpecification {
    /// Makes the source that plays the input; nothing is opened yet.
    ///
    /// A network stream that cannot be reached is retried; whether it is live or stored is known once it is open.
    /// Everything else is opened once.
    ///
    /// - Parameters:
    ///   - limit: the largest frame that can be drawn.
    ///   - shared: what the decoders of all inputs have in common.
    ///   - cancellation: ends the wait for a network or a pipe.
    ///   - log: where warnings are logged, for all readers of the input.
    ///   - onOpen: called on the source's thread each time that a network stream or a camera is open, with whether its
    ///     pictures never cease.
    /// - Returns: a source to be initialized, whose frames do not have what options set.
    func makeSource(
        limit: SizeLimit, shared: SharedDecoding, cancellation: ReadCancellation, log: OnceLog,
        onOpen: @escaping @Sendable (_ isContinuous: Bool) -> Void
    ) -> any VideoSource {
        let adjustment = makeAdjustment(limit, log, checksCrop: connection == nil)
        switch kind {
        case .url, .session:
            return LiveSource(
                name: name, cancellation: cancellation, decoder: decoder(shared, adjustment),
                playout: playout(shared), alignment: shared.alignment
            ) { try openConnection(shared, cancellation, adjustment, onOpen) }
        case .pipeline(let description):
            return LiveSource(name: name, cancellation: cancellation, alignment: shared.alignment) {
                let reader = try openPipeline(description, shared, cancellation)
                onOpen(reader.info.isLive)
                try prepare(reader, adjustment)
                return looped(reader)
            }
        case .pipeWire(let input):
            return LiveSource(name: name, cancellation: cancellation, alignment: shared.alignment) {
                let reader = try PipeWireReader(input, cancellation: cancellation)
                onOpen(true)
                try prepare(reader, adjustment)
                return reader
            }
        case .camera(let selector):
            return Camera(
                CameraSelector(selector), request: options.cameraRequest, name: name, cancellation: cancellation,
                decoder: decoder(shared, adjustment), alignment: shared.alignment
            ) { report in
                log.log(.notice, "\(report.summary)")
                onOpen(true)
            }
        default:
            // What ends is played once, from when it was opened.
            let followsClock = shared.followsClock && isEndless || options.isUniversal == true
            let timeline = followsClock ? PlaybackTimeline.machineClock : .own
            return PacedSource(name: name, timeline: timeline, cancellation: cancellation) {
                let reader = try openReader(.zero, shared, cancellation)
                try prepare(reader, adjustment)
                return looped(reader, keepsLength: timeline == .machineClock)
            }
        }
    }

    /// How long pictures of a live stream are held: by the clock, until a second after their capture.
    private func playout(_ shared: SharedDecoding) -> PlayoutDelay {
        guard shared.followsClock else { return options.playout ?? .adaptive }
        return .sinceCapture(options.playout?.longest ?? .seconds(1))
    }

    /// Makes what changes the frames of one reader or one tile.
    ///
    /// - Parameters:
    ///   - limit: the largest frame that can be drawn; `nil` if nothing is drawn.
    ///   - log: where warnings are logged; `nil` for nowhere.
    ///   - checksCrop: false where several tiles may share a connection, each with a crop of its own.
    /// - Returns: what the options set.
    func makeAdjustment(_ limit: SizeLimit?, _ log: OnceLog?, checksCrop: Bool = true) -> InputAdjustment {
        var options = options
        if !checksCrop { options.crop = nil }
        return InputAdjustment(options, isGenerated: kind.isGenerated, name, limit: limit, log)
    }

    /// Makes decoders, which log what is unusual in the colours of the first frame.
    private func decoder(_ shared: SharedDecoding, _ adjustment: InputAdjustment? = nil) -> PacketDecoderMaker {
        { [name, kind, deinterlacing = options.deinterlacing] packet throws(StreamError) in
            var options = MediaPacketDecoder.Options()
            (options.slots, options.name) = (shared.slots, name)
            options.isSandboxed = shared.isSandboxed(kind)
            options.deinterlacing = deinterlacing ?? .auto
            options.onFirstFrame = adjustment?.warnOfColors
            return try MediaPacketDecoder(for: packet, options: options)
        }
    }

    /// Connects to a network stream: a live one delivers packets, a stored one frames.
    private func openConnection(
        _ shared: SharedDecoding, _ cancellation: ReadCancellation, _ adjustment: InputAdjustment,
        _ onOpen: (Bool) -> Void
    ) throws(StreamError) -> LiveMedia {
        let packets = try MediaPacketReader(
            location, options: mediaOptions(shared), cancellation: cancellation)
        onOpen(packets.isLive || packets.isOngoing || packets.duration == nil)
        if packets.isLive { return .packets(packets) }
        let reader = try MediaReader(packets)
        try prepare(reader, adjustment)
        return .frames(looped(reader))
    }

    /// Checks what a reader says of its frames, and logs what is unusual.
    private func prepare(_ reader: any FrameReader, _ adjustment: InputAdjustment) throws(StreamError) {
        // Checked before the first frame is read, because that may take gigabytes of memory.
        try adjustment.check(reader.info.size)
        adjustment.warnOfColors(reader.info)
    }

    /// The reader, endless if the options say so; a live stream cannot be rewound.
    private func looped(_ reader: any FrameReader, keepsLength: Bool = false) -> any FrameReader {
        options.loops == true && !reader.info.isLive ? LoopingReader(reader, keepsLength: keepsLength) : reader
    }

    /// Opens the input, with its options overriding the stream's own attributes.
    ///
    /// - Parameters:
    ///   - start: the first time that will be requested; a reader that can seek goes there.
    ///   - limit: the largest frame that can be drawn; `nil` if nothing is drawn.
    ///   - shared: what the decoders of all inputs have in common.
    ///   - cancellation: ends the wait for a network or a pipe.
    ///   - log: where warnings are logged; `nil` for nowhere.
    /// - Returns: a reader at or before `start`.
    /// - Throws: ``StreamError``, naming the input.
    func open(
        startingAt start: Duration = .zero, limit: SizeLimit? = nil, shared: SharedDecoding = SharedDecoding(),
        cancellation: ReadCancellation = ReadCancellation(), log: OnceLog? = nil
    ) throws(StreamError) -> OpenInput {
        let adjustment = makeAdjustment(limit, log)
        let reader = try openReader(start, shared, cancellation)
        try prepare(reader, adjustment)
        return OpenInput(reader: looped(reader), adjustment: adjustment)
    }

    /// Rejects a size option that is larger than the largest texture.
    ///
    /// - Parameter limit: the OpenGL driver's largest texture.
    /// - Throws: ``ProgramError/Status/usage``, with the limit.
    func checkSize(_ limit: Int) throws(ProgramError) {
        if let size = options.size { try size.check("The size of \(name)", limit) }
    }

    private func openReader(
        _ start: Duration, _ shared: SharedDecoding, _ cancellation: ReadCancellation
    ) throws(StreamError) -> any FrameReader {
        switch kind {
        case .y4m(let path): return try Y4MReader(path: path, cancellation: cancellation)
        case .standardInput: return try Y4MReader(descriptor: 0, name: name, cancellation: cancellation)
        case .raw(let path):
            let namedFormat = RawReader.format(ofFileNamed: path)
            guard let size = options.size else {
                throw StreamError(.malformed, "\(path) is raw video, whose size must be given: add ?size=WIDTHxHEIGHT.")
            }
            return try RawReader(
                path: path, format: options.format ?? namedFormat ?? .i420, size: size,
                frameRate: options.frameRate ?? Rational(30), colorTags: options.formatTags,
                bytesPerRow: options.bytesPerRow, cancellation: cancellation)
        case .test(let pattern):
            let size = options.size ?? Self.testPatternSize
            let format = options.format ?? .i420
            // Smaller frames are allowed only if no option depends on the number or the shape of the pixels.
            let isFree = options.size == nil && options.crop == nil && options.pixelAspectRatio == nil
            // The pattern is painted in the colour space that it is shown in, so its colours look right.
            return try TestPatternReader(
                pattern: pattern, size: size, frameRate: options.frameRate ?? Rational(30), format: format,
                colorTags: options.formatTags.overridden(by: options.colorTags), paintsSmaller: isFree)
        case .media, .url, .session: return try openMedia(start, shared, cancellation)
        case .camera(let selector):
            return DecodingReader(
                try CameraReader(
                    CameraSelector(selector), request: options.cameraRequest, cancellation: cancellation,
                    isEncoded: true), name: name, decoder: decoder(shared))
        case .pipeline(let description): return try openPipeline(description, shared, cancellation)
        case .pipeWire(let input): return try PipeWireReader(input, cancellation: cancellation)
        }
    }

    /// Runs a pipeline, if it may be.
    private func openPipeline(
        _ description: String, _ shared: SharedDecoding, _ cancellation: ReadCancellation
    ) throws(StreamError) -> PipelineReader {
        guard shared.pipelines.allow(description) else {
            throw StreamError(
                .unsupported,
                "\(name) is not run: a pipeline can read, write and send whatever you can. If you trust where it comes from, start vitrail with --pipelines."
            )
        }
        guard shared.sandbox != .all else {
            throw StreamError(.unsupported, "\(name) is not run: a pipeline has no sandbox. Use --sandbox network.")
        }
        return try PipelineReader(description, cancellation: cancellation)
    }

    /// Where the media are.
    private var location: MediaLocation {
        switch kind {
        case .url(let url): .network(url: url)
        case .session(let path): .session(path: path)
        case .media(let path), .y4m(let path), .raw(let path): .file(path: path)
        case .standardInput, .test, .camera, .pipeline, .pipeWire: .file(path: name)
        }
    }

    private func mediaOptions(_ shared: SharedDecoding) -> MediaReader.Options {
        var media = MediaReader.Options()
        media.slots = shared.slots
        media.isSandboxed = shared.isSandboxed(kind)
        media.trust = options.trust
        media.deinterlacing = options.deinterlacing ?? .auto
        return media
    }

    private func openMedia(
        _ start: Duration, _ shared: SharedDecoding, _ cancellation: ReadCancellation
    ) throws(StreamError) -> any FrameReader {
        let reader = try MediaReader(location, options: mediaOptions(shared), cancellation: cancellation)
        // A looping input may have to play several times to reach the start, so seeking within one round does not help.
        guard start > .zero, options.loops != true else { return reader }
        do throws(StreamError) {
            try reader.seek(to: start)
        } catch {
            // A reader that cannot seek still reaches the start by reading.
            guard error.code == .unsupported else { throw error }
        }
        return reader
    }
}

extension VideoSize {
    /// Rejects a size that the renderer cannot draw.
    ///
    /// - Parameters:
    ///   - subject: whose size it is, for the error.
    ///   - limit: the renderer's largest picture or frame.
    /// - Throws: ``ProgramError/Status/usage``, with the limit.
    func check(_ subject: String, _ limit: Int) throws(ProgramError) {
        guard max(width, height) > limit else { return }
        throw ProgramError(
            .usage,
            "\(subject), \(self), is too large: the renderer draws up to \(limit)x\(limit).")
    }
}
