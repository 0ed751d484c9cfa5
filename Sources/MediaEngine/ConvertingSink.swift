internal import FrameConversion
public import MediaIO

/// The size that frames are scaled to, and how they fill it.
struct FrameScaling: Sendable {
    let size: VideoSize
    let mode: ContentMode
}

/// A sink in front of another one, which converts frames to what that one asks for (``VideoSink/bufferKind``,
/// ``VideoSink/pixelFormats``).
///
/// A ``VideoEngine`` wraps each of its sinks in one. In a ``VideoStream`` of your own, wrap yours:
///
///     let stream = VideoStream(source: camera, sinks: [ConvertingSink(renderer)])
///
/// To convert from and to textures, it needs a `TextureConverter`. With a size, it scales frames first, in their own
/// format.
///
/// A frame that is already as the sink wants it is passed on unchanged. Other frames are converted on the source's
/// thread. Frames that cannot be converted are dropped. ``statistics`` counts all three, and says why frames were
/// dropped.
///
/// **Thread:** the source's. **Cost:** every frame; a short lock, and what `FormatConverter` and `FrameScaler` cost if
/// they are needed.
public final class ConvertingSink: SinkWrapper {
    /// The other sink, or one in front of it that makes textures.
    public let sink: any VideoSink
    private let textures: (any TextureConverter)?
    private let adjust: (@Sendable (inout VideoFrame) -> FrameScaling?)?
    private let conversion: Monitor<Conversion>
    private let counts = Monitor(ConversionStatistics())

    /// The means of conversion, each made for the first frame that needs it.
    private struct Conversion {
        var converter: FormatConverter?
        var reader: (any TextureReader)?
        var scaler: FrameScaler?
        let pool = PixelBufferPool()
    }

    /// Wraps a sink.
    ///
    /// - Parameters:
    ///   - sink: the sink.
    ///   - size: the size that frames are scaled to; `nil` for their own.
    ///   - fillMode: how a frame of another aspect ratio fills the size; ``ContentMode/fit`` adds black bars.
    ///   - textures: makes textures and reads them, such as the `shareGroup` of a renderer's context; `nil` if nothing
    ///     does.
    public convenience init(
        _ sink: any VideoSink, size: VideoSize? = nil, fillMode: ContentMode = .fit,
        textures: (any TextureConverter)? = nil
    ) {
        let scaling = size.map { FrameScaling(size: $0, mode: fillMode) }
        self.init(sink, textures) { _ in scaling }
    }

    /// Wraps a sink.
    ///
    /// - Parameters:
    ///   - sink: the sink.
    ///   - textures: makes textures and reads them.
    ///   - adjust: changes the attributes of each frame first, and says how it is scaled.
    init(
        _ sink: any VideoSink, _ textures: (any TextureConverter)?,
        adjusting adjust: (@Sendable (inout VideoFrame) -> FrameScaling?)?
    ) {
        (self.textures, self.adjust) = (textures, adjust)
        self.sink = sink.bufferKind == .texture ? textures?.makeTextureSink(for: sink) ?? sink : sink
        conversion = Monitor(Conversion())
    }

    /// What became of the frames so far, here and in other wrappers behind this one.
    public var statistics: ConversionStatistics {
        let own = counts.withLock { $0 }
        guard var all = (sink as? any SinkWrapper)?.statistics else { return own }
        all.dropped += own.dropped
        all.skipped += own.skipped
        all.problem = all.problem ?? own.problem
        return all
    }

    /// What the sink wants.
    public var demand: SinkDemand? { sink.demand }
    /// The kind of memory that the sink asks for.
    public var bufferKind: BufferKind? { sink.bufferKind }
    /// The formats that the sink asks for.
    public var pixelFormats: [PixelFormat] { sink.pixelFormats }

    /// Initializes the sink.
    public func initialize() throws(StreamError) { try sink.initialize() }
    /// Starts the sink.
    public func start() throws(StreamError) { try sink.start() }
    /// Stops the sink.
    public func stop() { sink.stop() }
    /// Disposes of the sink, and releases the means of conversion.
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

    /// Converts the frame if necessary, and passes it on.
    public func consume(_ frame: VideoFrame) {
        guard isMeant(frame) else { return }
        var frame = frame
        let isRight: Bool
        do throws(StreamError) {
            let isScaled = try scale(&frame, adjust?(&frame))
            isRight = try prepare(&frame) && !isScaled
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

    /// Whether the sink takes packets and this is one, or takes pictures and this is one.
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

    /// Scales a frame if necessary; packets are not scaled.
    ///
    /// - Returns: whether the frame was scaled.
    private func scale(_ frame: inout VideoFrame, _ scaling: FrameScaling?) throws(StreamError) -> Bool {
        guard let scaling, !frame.image.isOf(.encoded), !FrameScaler.isScaled(frame, to: scaling.size) else {
            return false
        }
        frame.image = .planes(try readable(frame.image))
        frame = try conversion.withLock { (conversion) throws(StreamError) -> VideoFrame in
            let scaler =
                if let scaler = conversion.scaler, scaler.size == scaling.size, scaler.mode == scaling.mode {
                    scaler
                } else {
                    try FrameScaler(to: scaling.size, mode: scaling.mode)
                }
            conversion.scaler = scaler
            return try scaler.scale(frame)
        }
        return true
    }

    /// Converts a frame if necessary.
    ///
    /// - Returns: true if the frame was right as it came.
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

    /// Whether a format is in the list, or the list is empty, which means any format.
    private static func has(_ formats: [PixelFormat], _ format: PixelFormat?) -> Bool {
        // By index, since without optimisation an iterator and a closure allocate.
        for index in formats.indices where formats[index] == format { return true }
        return formats.isEmpty
    }

    /// The planes of an image, in memory that the CPU can read.
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
