public import MediaIO
internal import VideoWall
public import VitrailGL

/// Hands frames on as textures, to a sink that asks for ``BufferKind/texture``.
///
///     let stream = VideoStream(source: camera, sinks: [TextureSink(compositor, in: renderer.context.shareGroup)])
///
/// A `MediaEngine` puts it in front of such sinks if it has a share group: `MediaEngine(textures: group)`.
///
/// A sink whose ``VideoSink/pixelFormats`` has `rgba32`, or is empty, gets pictures in sRGB, drawn as a wall draws them;
/// another one gets the planes of a format that it asks for, a texture each. Sizes and attributes stay as they are. Frames
/// in textures of the group pass as they came.
///
/// If the driver may be Mesa's llvmpipe, mind ``ShareGroup/makeContext()``: the source's thread draws while others do.
///
/// Textures go round: the sink releases each frame as soon as its GPU is done with it. If ``textureCount`` are out, frames
/// are dropped, and counted.
///
/// **Thread:** that of the source, on which an OpenGL context of this sink's own is current meanwhile; whatever was current
/// before is again when the other sink is called. **Cost:** every frame; an upload, and a draw for `rgba32`.
public final class TextureSink: SinkWrapper {
    /// How many textures, or sets of planes, go round.
    public static let textureCount = 4
    /// The sink.
    public let sink: any VideoSink
    private let group: ShareGroup
    private let maker = Monitor<TextureMaker?>(nil)
    private let counts = Monitor(ConversionStatistics())

    /// Wraps a sink.
    ///
    /// - Parameters:
    ///   - sink: the sink.
    ///   - group: the contexts that can draw with the textures.
    public init(_ sink: any VideoSink, in group: ShareGroup) { (self.sink, self.group) = (sink, group) }

    /// Counts since it was made.
    public var statistics: ConversionStatistics { counts.withLock { $0 } }

    /// That of the sink.
    public var demand: SinkDemand? { sink.demand }

    /// All, if the sink takes `rgba32`, or else its own.
    public var pixelFormats: [PixelFormat] { drawsColors ? [] : sink.pixelFormats }

    private var drawsColors: Bool { sink.pixelFormats.isEmpty || sink.pixelFormats.contains(.rgba32) }

    /// Makes a context and initializes the sink.
    ///
    /// - Throws: ``StreamError/Code/cannotOpen`` if the group makes no context; what the sink throws.
    public func initialize() throws(StreamError) {
        let previous = CurrentContext()
        let made: TextureMaker
        do {
            defer { previous.restore() }
            made = try TextureMaker(group)
        } catch {
            throw StreamError(.cannotOpen, "Frames cannot be handed on as textures: \(error)")
        }
        try sink.initialize()
        maker.withLock { $0 = made }
    }

    /// Starts the sink.
    public func start() throws(StreamError) { try sink.start() }
    /// Stops the sink.
    public func stop() { sink.stop() }

    /// Disposes of the sink; textures that are out live until they are released.
    public func dispose() {
        sink.dispose()
        let previous = CurrentContext()
        maker.withLock { maker in
            maker?.use()
            maker = nil
        }
        previous.restore()
    }

    /// Passed on to the sink.
    public func sourceDidOmit(_ count: Int) { sink.sourceDidOmit(count) }
    /// Passed on to the sink.
    public func sourceDidChange(_ condition: SourceCondition) { sink.sourceDidChange(condition) }
    /// Passed on to the sink.
    public func sourceDidSwitch() { sink.sourceDidSwitch() }

    /// Hands a frame on.
    public func consume(_ frame: VideoFrame) {
        var frame = frame
        let isRight = frame.isTexture(of: group, sink.pixelFormats)
        do throws(StreamError) {
            if !isRight {
                let previous = CurrentContext()
                defer { previous.restore() }
                try maker.withLock { (maker) throws(StreamError) in
                    guard let maker else {
                        throw StreamError(
                            .wrongOrder, "A frame came before the sink was initialized, or after its end.")
                    }
                    try maker.convert(&frame, drawsColors: drawsColors)
                }
            }
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
}

extension VideoFrame {
    fileprivate func isTexture(of group: ShareGroup, _ formats: [PixelFormat]) -> Bool {
        guard case .texture(let image) = image, image.shareGroup == ObjectIdentifier(group) else { return false }
        return formats.isEmpty || formats.contains(image.format)
    }
}
