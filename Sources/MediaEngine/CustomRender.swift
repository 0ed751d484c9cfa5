public import MediaIO

/// What a custom renderer gets: ZEGO's `ZegoCustomVideoRenderConfig`.
public struct CustomRenderConfiguration: Hashable, Sendable {
    /// A family of formats.
    public enum FormatFamily: String, CaseIterable, Hashable, Sendable {
        /// Frames come in BGRA.
        case rgb
        /// Frames come in I420.
        case yuv

        /// The formats that sinks of the family ask for.
        public var pixelFormats: [PixelFormat] { self == .rgb ? [.bgra32] : [.i420] }
    }

    /// The kind of memory: ``BufferKind/rawData``, ``BufferKind/pixelBuffer``, or ``BufferKind/encoded`` for the
    /// packets of streams that are encoded.
    public var bufferKind: BufferKind
    /// The family of formats.
    public var formatFamily: FormatFamily
    /// Whether the engine shows the streams on their canvases, too.
    public var engineRenders: Bool

    /// Creates a configuration.
    public init(
        bufferKind: BufferKind = .pixelBuffer, formatFamily: FormatFamily = .rgb, engineRenders: Bool = false
    ) {
        self.bufferKind = bufferKind
        self.formatFamily = formatFamily
        self.engineRenders = engineRenders
    }
}

/// Gets the frames of all streams: ZEGO's `ZegoCustomVideoRenderHandler`.
///
/// A frame's pixel buffer has its format, size and strides. Frames come at the rate of their source, which may vary.
///
/// **Thread:** the thread of each stream's source, so that calls for different streams may come at the same time.
/// They must return soon; a slow call delays only its own stream.
public protocol CustomRenderHandler: AnyObject, Sendable {
    /// A frame of a local preview has arrived.
    ///
    /// - Parameters:
    ///   - frame: the frame, in the format that was asked for; not mirrored.
    ///   - stream: the channel.
    ///   - flip: how the preview is mirrored, which the renderer does itself.
    func didCapture(_ frame: VideoFrame, of stream: StreamID, flip: VideoMirror)

    /// A frame of a remote stream has arrived.
    ///
    /// - Parameters:
    ///   - frame: the frame, in the format that was asked for.
    ///   - stream: the stream.
    func didReceive(_ frame: VideoFrame, of stream: StreamID)
}

/// The handler and what it asked for.
struct CustomRender: Sendable {
    let configuration: CustomRenderConfiguration
    let handler: any CustomRenderHandler

    /// A sink that calls the handler with the frames of a stream.
    func makeSink(_ onFrame: @escaping @Sendable (VideoFrame) -> Void) -> FrameHandler {
        FrameHandler(
            bufferKind: configuration.bufferKind,
            pixelFormats: configuration.bufferKind == .encoded ? [] : configuration.formatFamily.pixelFormats,
            onFrame: onFrame)
    }
}
