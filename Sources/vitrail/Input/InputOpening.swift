import FFmpegMedia
import Logging
import MediaIO
import VideoSources

extension InputSpecification {
    /// Makes the source that plays the input; nothing is opened yet.
    ///
    /// What comes from a network is tried again while it cannot be reached; whether it is live or stored shows once it is
    /// open. Everything else is opened once.
    ///
    /// - Parameters:
    ///   - limit: the OpenGL driver's largest texture.
    ///   - cancellation: ends the waiting for a network or a pipe.
    ///   - logger: where damage is told when it begins.
    /// - Returns: a source to be initialized.
    func makeSource(limit: Int, cancellation: ReadCancellation, logger: Logger) -> any VideoSource {
        let open: @Sendable () throws(StreamError) -> any FrameReader = { () throws(StreamError) in
            try self.open(limit: limit, cancellation: cancellation, logger: logger)
        }
        if case .url = kind { return LiveSource(name: name, cancellation: cancellation, open: open) }
        return PacedSource(name: name, cancellation: cancellation, open: open)
    }

    /// Opens the input, with what its options say in the place of what the stream says.
    ///
    /// - Parameters:
    ///   - start: the first moment that will be asked for; a reader that can go there at once does.
    ///   - limit: the OpenGL driver's largest texture; `nil` when nothing is drawn.
    ///   - cancellation: ends the waiting for a network or a pipe.
    ///   - logger: where damage is told when it begins; `nil` for nowhere.
    /// - Returns: a reader at or before `start`.
    /// - Throws: ``StreamError``, naming the input.
    func open(
        startingAt start: Duration = .zero, limit: Int? = nil, cancellation: ReadCancellation = ReadCancellation(),
        logger: Logger? = nil
    ) throws(StreamError) -> any FrameReader {
        let reader = try openReader(start, cancellation)
        // Before the first frame is read: its memory may be gigabytes.
        if let limit, max(reader.info.size.width, reader.info.size.height) > limit {
            throw StreamError(
                .unsupported,
                "\(name) is \(reader.info.size), too large: this OpenGL takes up to \(limit)x\(limit) (GL_MAX_TEXTURE_SIZE)."
            )
        }
        if let crop = options.crop, !crop.lies(in: reader.info.size) {
            throw StreamError(
                .unsupported, "\(name) is \(reader.info.size): the crop \(crop.cropDescription) does not lie in it.")
        }
        let adjusted = AdjustedReader(reader, completedOptions(reader.info), name, logger)
        // What is live has no beginning to go back to.
        return options.loops == true && !reader.info.isLive ? LoopingReader(adjusted) : adjusted
    }

    /// Refuses a size that is typed and larger than any picture can be here.
    ///
    /// - Parameter limit: the OpenGL driver's largest texture.
    /// - Throws: ``ProgramError/Status/usage``, with the limit.
    func checkSize(_ limit: Int) throws(ProgramError) {
        if let size = options.size { try size.check("The size of \(name)", limit) }
    }

    private func completedOptions(_ info: StreamInfo) -> InputOptions {
        guard case .raw = kind else { return options }
        return options.completed(info.format ?? .i420, info.size)
    }

    private func openReader(
        _ start: Duration, _ cancellation: ReadCancellation
    ) throws(StreamError) -> any FrameReader {
        switch kind {
        case .y4m(let path): return try Y4MReader(path: path, cancellation: cancellation)
        case .standardInput: return try Y4MReader(descriptor: 0, name: name, cancellation: cancellation)
        case .raw(let path):
            let namedFormat = RawReader.format(ofFileNamed: path)
            guard let size = options.size else {
                throw StreamError(.malformed, "\(path) is raw video and does not say its size: add ?size=WIDTHxHEIGHT.")
            }
            return try RawReader(
                path: path, format: options.format ?? namedFormat ?? .i420, size: size,
                frameRate: options.frameRate ?? Rational(30), bytesPerRow: options.bytesPerRow,
                cancellation: cancellation)
        case .test(let pattern):
            let size = options.size ?? Self.testPatternSize
            let format = options.format ?? .i420
            // A size that is typed is meant, and so is what is measured in its pixels.
            let isFree = options.size == nil && options.crop == nil && options.pixelAspectRatio == nil
            return try TestPatternReader(
                pattern: pattern, size: size, frameRate: options.frameRate ?? Rational(30), format: format,
                colorSpace: options.colorSpace(of: format, size), paintsSmaller: isFree)
        case .media(let path): return try openMedia(.file(path: path), start, cancellation)
        case .url(let url): return try openMedia(.network(url: url), start, cancellation)
        case .camera:
            throw StreamError(
                .unsupported, "\(name): cameras are not in this version yet. Use a file, a URL or test:bars.")
        }
    }

    private func openMedia(
        _ location: MediaLocation, _ start: Duration, _ cancellation: ReadCancellation
    ) throws(StreamError) -> MediaReader {
        let reader = try MediaReader(location, cancellation: cancellation)
        // What loops may have to be played more than once to get there.
        guard start > .zero, options.loops != true else { return reader }
        do throws(StreamError) {
            try reader.seek(to: start)
        } catch {
            // What cannot be gone to can still be waited for.
            guard error.code == .unsupported else { throw error }
        }
        return reader
    }
}

extension VideoSize {
    /// Refuses what no texture can hold.
    ///
    /// - Parameters:
    ///   - subject: what has this size, for the error.
    ///   - limit: the OpenGL driver's largest texture.
    /// - Throws: ``ProgramError/Status/usage``, with the limit.
    func check(_ subject: String, _ limit: Int) throws(ProgramError) {
        guard max(width, height) > limit else { return }
        throw ProgramError(
            .usage,
            "\(subject), \(self), is too large: this OpenGL takes up to \(limit)x\(limit) (GL_MAX_TEXTURE_SIZE).")
    }
}
