import FFmpegMedia
import Logging
import MediaIO
import V4L2Capture
import VideoSources

extension InputSpecification {
    /// Makes the source that plays the input; nothing is opened yet.
    ///
    /// A network stream that cannot be reached is retried; whether it is live or stored is known once it is open.
    /// Everything else is opened once.
    ///
    /// - Parameters:
    ///   - limit: the OpenGL driver's largest texture.
    ///   - slots: the decoding slots that all inputs share.
    ///   - cancellation: ends the wait for a network or a pipe.
    ///   - logger: where notes on the input and warnings are logged.
    ///   - onOpen: called on the source's thread each time that a network stream or a camera is open.
    /// - Returns: a source to be initialized.
    func makeSource(
        limit: Int, slots: DecodingSlots, cancellation: ReadCancellation, logger: Logger,
        onOpen: @escaping @Sendable (StreamInfo) -> Void
    ) -> any VideoSource {
        // For all readers, since a stream that was lost is opened again.
        let log = OnceLog(logger)
        let open: @Sendable () throws -> any FrameReader = {
            try self.open(limit: limit, slots: slots, cancellation: cancellation, log: log)
        }
        for note in notes { logger.notice("\(note)") }
        switch kind {
        case .url, .session:
            return LiveSource(name: name, cancellation: cancellation) {
                let reader = try open()
                onOpen(reader.info)
                return reader
            }
        case .camera(let selector):
            return Camera(
                CameraSelector(selector), request: options.cameraRequest, name: name, cancellation: cancellation,
                decoder: Self.decoder(slots)
            ) { [self] reader throws(StreamError) in
                log.log(.notice, "\(reader.report.summary)")
                let reader = try adjusted(reader, limit, log)
                onOpen(reader.info)
                return reader
            }
        default: return PacedSource(name: name, cancellation: cancellation, open: open)
        }
    }

    private static func decoder(
        _ slots: DecodingSlots?
    ) -> @Sendable (PacketCodec) throws(StreamError) -> any PacketDecoder {
        { codec throws(StreamError) in try MediaPacketDecoder(codec, slots: slots) }
    }

    /// Opens the input, with its options overriding the stream's own attributes.
    ///
    /// - Parameters:
    ///   - start: the first time that will be requested; a reader that can seek goes there.
    ///   - limit: the OpenGL driver's largest texture; `nil` if nothing is drawn.
    ///   - slots: the decoding slots that all inputs share; `nil` if inputs are read one after the other.
    ///   - cancellation: ends the wait for a network or a pipe.
    ///   - log: where warnings are logged; `nil` for nowhere.
    /// - Returns: a reader at or before `start`.
    /// - Throws: ``StreamError``, naming the input.
    func open(
        startingAt start: Duration = .zero, limit: Int? = nil, slots: DecodingSlots? = nil,
        cancellation: ReadCancellation = ReadCancellation(), log: OnceLog? = nil
    ) throws(StreamError) -> any FrameReader {
        try adjusted(openReader(start, slots, cancellation), limit, log)
    }

    /// Checks a reader, and overrides the attributes of its frames.
    private func adjusted(
        _ reader: any FrameReader, _ limit: Int?, _ log: OnceLog?
    ) throws(StreamError) -> any FrameReader {
        // Checked before the first frame is read, because that may take gigabytes of memory.
        if let limit, max(reader.info.size.width, reader.info.size.height) > limit {
            throw StreamError(
                .unsupported,
                "\(name) is \(reader.info.size), too large: the renderer draws up to \(limit)x\(limit)."
            )
        }
        if let crop = options.crop, !crop.lies(in: reader.info.size) {
            throw StreamError(
                .unsupported, "\(name) is \(reader.info.size): the crop \(crop.cropDescription) does not fit in it.")
        }
        let adjusted = AdjustedReader(reader, options, isGenerated: kind.isGenerated, name, log)
        // A live stream cannot be rewound.
        return options.loops == true && !reader.info.isLive ? LoopingReader(adjusted) : adjusted
    }

    /// Rejects a size option that is larger than the largest texture.
    ///
    /// - Parameter limit: the OpenGL driver's largest texture.
    /// - Throws: ``ProgramError/Status/usage``, with the limit.
    func checkSize(_ limit: Int) throws(ProgramError) {
        if let size = options.size { try size.check("The size of \(name)", limit) }
    }

    private func openReader(
        _ start: Duration, _ slots: DecodingSlots?, _ cancellation: ReadCancellation
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
        case .media(let path): return try openMedia(.file(path: path), start, slots, cancellation)
        case .url(let url): return try openMedia(.network(url: url), start, slots, cancellation)
        case .session(let path): return try openMedia(.session(path: path), start, slots, cancellation)
        case .camera(let selector):
            return try CameraReader(
                CameraSelector(selector), request: options.cameraRequest, cancellation: cancellation,
                decoder: Self.decoder(slots))
        }
    }

    private func openMedia(
        _ location: MediaLocation, _ start: Duration, _ slots: DecodingSlots?, _ cancellation: ReadCancellation
    ) throws(StreamError) -> MediaReader {
        var media = MediaReader.Options()
        media.slots = slots
        media.trust = options.trust
        let reader = try MediaReader(location, options: media, cancellation: cancellation)
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
