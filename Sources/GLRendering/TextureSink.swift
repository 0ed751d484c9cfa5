public import MediaIO
internal import VideoWall
public import VitrailGL

/// Hands frames on as textures, to a sink that asks for ``BufferKind/texture``.
///
///     let stream = VideoStream(source: camera, sinks: [TextureSink(compositor, in: renderer.context.shareGroup)])
///
/// A `VideoEngine` puts it in front of such sinks if it has a share group: `VideoEngine(textures: group)`.
///
/// A sink whose ``VideoSink/pixelFormats`` has `rgba32`, or is empty, gets pictures in sRGB, drawn as a wall draws
/// them. Any other sink gets the planes of a format that it asks for, a texture each. Sizes and attributes stay as they
/// are. Frames that are textures of the group already are passed on unchanged.
///
/// The source's thread draws while other threads do: see ``ShareGroup/makeContext()`` about Mesa's llvmpipe.
///
/// The textures are reused, so the sink must release each frame as soon as its GPU is done with it. While all
/// ``textureCount`` are in use, frames are dropped, and counted.
///
/// **Thread:** the source's. While this sink draws, its own context is current there; before it calls the other sink,
/// it makes the previous context current again. **Cost:** every frame; an upload, and a draw for `rgba32`.
public final class TextureSink: SinkWrapper {
    /// The number of textures, or of sets of planes, that are reused.
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

    /// Counts since this sink was created.
    public var statistics: ConversionStatistics { counts.withLock { $0 } }

    /// What the other sink demands.
    public var demand: SinkDemand? { sink.demand }

    /// All formats, if the other sink takes `rgba32`; otherwise those of the other sink.
    public var pixelFormats: [PixelFormat] { drawsColors ? [] : sink.pixelFormats }

    private var drawsColors: Bool { sink.pixelFormats.isEmpty || sink.pixelFormats.contains(.rgba32) }

    /// Makes a context and initializes the other sink.
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
