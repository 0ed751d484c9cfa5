public import MediaIO
internal import SoftwareRendering

/// A sink that hands another one only what that one asks for: ``VideoSink/bufferKind``, ``VideoSink/pixelFormats``.
///
/// A ``MediaEngine`` wraps all its sinks in it. In a ``VideoStream`` of your own, wrap yours:
///
///     let stream = VideoStream(source: camera, sinks: [ConvertingSink(renderer)])
///
/// Textures are made and read back where a converter of them is given.
///
/// A frame that has what was asked for is passed on as it is; another one is converted, on the capture thread, and
/// counted. What cannot be converted is dropped, counted, and explained: ``statistics``.
///
/// **Thread:** that of the source. **Cost:** every frame; a short lock, and what `FormatConverter` costs if it must.
public final class ConvertingSink: SinkWrapper {
    /// The sink, or what makes textures for it.
    public let sink: any VideoSink
    private let textures: (any TextureConverter)?
    private let adjust: (@Sendable (inout VideoFrame) -> Void)?
    private let conversion: Monitor<Conversion>
    private let counts = Monitor(ConversionStatistics())

    /// What a conversion needs, made when the first frame needs it.
    private struct Conversion {
        var converter: FormatConverter?
        var reader: (any TextureReader)?
        let pool = PixelBufferPool()
    }

    /// Wraps a sink.
    ///
    /// - Parameters:
    ///   - sink: the sink.
    ///   - textures: makes textures and reads them, such as the `shareGroup` of a renderer's context; `nil` if nothing
    ///     does.
    public convenience init(_ sink: any VideoSink, textures: (any TextureConverter)? = nil) {
        self.init(sink, textures, adjusting: nil)
    }

    /// Wraps a sink.
    ///
    /// - Parameters:
    ///   - sink: the sink.
    ///   - textures: makes textures and reads them.
    ///   - adjust: changes the attributes of each frame first.
    init(
        _ sink: any VideoSink, _ textures: (any TextureConverter)?,
        adjusting adjust: (@Sendable (inout VideoFrame) -> Void)?
    ) {
        (self.textures, self.adjust) = (textures, adjust)
        self.sink = sink.bufferKind == .texture ? textures?.makeTextureSink(for: sink) ?? sink : sink
        conversion = Monitor(Conversion())
    }

    /// Counts since it was made; with those of the sink, if that is one in front of another, too.
    public var statistics: ConversionStatistics {
        let own = counts.withLock { $0 }
        guard var all = (sink as? any SinkWrapper)?.statistics else { return own }
        all.dropped += own.dropped
        all.skipped += own.skipped
        all.problem = all.problem ?? own.problem
        return all
    }

    /// That of the sink.
    public var demand: SinkDemand? { sink.demand }
    /// That of the sink.
    public var bufferKind: BufferKind? { sink.bufferKind }
    /// Those of the sink.
    public var pixelFormats: [PixelFormat] { sink.pixelFormats }

    /// Initializes the sink.
    public func initialize() throws(StreamError) { try sink.initialize() }
    /// Starts the sink.
    public func start() throws(StreamError) { try sink.start() }
    /// Stops the sink.
    public func stop() { sink.stop() }
    /// Disposes of the sink, and releases what conversions needed.
    public func dispose() {
        sink.dispose()
        conversion.withLock { $0 = Conversion() }
    }
    /// Passed on to the sink.
    public func sourceDidOmit(_ count: Int) { sink.sourceDidOmit(count) }
    /// Passed on to the sink.
    public func sourceDidChange(_ condition: SourceCondition) { sink.sourceDidChange(condition) }
    /// Passed on to the sink.
    public func sourceDidSwitch() { sink.sourceDidSwitch() }

    /// Passes the frame on, as the sink asked for it.
    public func consume(_ frame: VideoFrame) {
        guard isMeant(frame) else { return }
        var frame = frame
        adjust?(&frame)
        let isRight: Bool
        do throws(StreamError) {
            isRight = try prepare(&frame)
        } catch {
            return counts.withLock { counts in
                counts.dropped += 1
                counts.problem = error.description
            }
        }
        counts.withLock { counts in
            if isRight { counts.passed += 1 } else { counts.converted += 1 }
            counts.problem = nil
        }
        sink.consume(frame)
    }

    /// Whether a packet meets a sink of packets, or a picture one of pictures.
    private func isMeant(_ frame: VideoFrame) -> Bool {
        let isPacket = frame.image.isOf(.encoded)
        guard isPacket != (sink.bufferKind == .encoded) else { return true }
        counts.withLock { counts in
            counts.skipped += 1
            guard counts.passed + counts.converted == 0 else { return }
            counts.problem =
                isPacket
                ? "The source delivers packets, which are not decoded: give the engine a decoder, or put a DecodingSource "
                    + "around the source."
                : "The sink asks for packets, but the source delivers pictures: ask for pixel buffers."
        }
        return false
    }

    /// Converts a frame if it must be.
    ///
    /// - Returns: whether it was right as it was.
    private func prepare(_ frame: inout VideoFrame) throws(StreamError) -> Bool {
        let (kind, formats) = (sink.bufferKind, sink.pixelFormats)
        let hasFormat = Self.has(formats, frame.image.format)
        if hasFormat {
            guard let kind else { return true }
            if frame.image.isOf(kind) { return true }
        }
        if kind == .texture || kind == .dmaBuffer {
            throw StreamError(
                .unsupported,
                "The sink asks for frames of the kind \(kind?.rawValue ?? "") in \(names(formats)), which this source does "
                    + "not deliver and nothing converts to: give the engine a converter of textures, or ask for pixel buffers."
            )
        }
        let buffer = try readable(frame.image)
        let format = hasFormat ? buffer.format : formats.first ?? buffer.format
        frame.image = .planes(buffer)
        if buffer.format != format {
            frame = try conversion.withLock { (conversion) throws(StreamError) -> VideoFrame in
                if conversion.converter == nil { conversion.converter = try FormatConverter(to: format) }
                return try conversion.converter?.convert(frame) ?? frame
            }
            return false
        }
        guard kind == .rawData, !frame.image.isOf(.rawData) else { return false }
        frame.image = try conversion.withLock { (conversion) throws(StreamError) -> FrameImage in
            .planes(try conversion.pool.makeBuffer(format: format, size: buffer.size) { $0.copy(buffer) })
        }
        return false
    }

    /// Whether one of the formats is asked for; none are if any will do.
    private static func has(_ formats: [PixelFormat], _ format: PixelFormat?) -> Bool {
        // By index, since without optimisation an iterator and a closure allocate.
        for index in formats.indices where formats[index] == format { return true }
        return formats.isEmpty
    }

    /// Planes that the CPU can read.
    private func readable(_ image: FrameImage) throws(StreamError) -> PixelBuffer {
        guard case .texture(let textures) = image, let converter = self.textures else { return try image.mapped() }
        return try conversion.withLock { (conversion) throws(StreamError) -> PixelBuffer in
            let reader = conversion.reader ?? converter.makeTextureReader()
            conversion.reader = reader
            return try reader.read(textures)
        }
    }

    private func names(_ formats: [PixelFormat]) -> String {
        formats.isEmpty ? "any format" : formats.map(\.rawValue).joined(separator: " or ")
    }
}
