/// Frames that are pulled in order of presentation time: a file, a pipe, a generator.
///
/// ``PacedSource`` and ``LiveSource`` turn one into a ``VideoSource``; offscreen rendering pulls it directly.
///
/// **Thread:** the one that made it.
public protocol FrameReader: AnyObject {
    /// What is known of the stream before its first frame.
    var info: StreamInfo { get }

    /// How many corrupt packets and pictures there were so far.
    var corruptCount: Int { get }

    /// The next frame, or `nil` at the end.
    ///
    /// - Throws: ``StreamError`` when reading breaks off; the reader is of no more use then.
    func next() throws(StreamError) -> VideoFrame?

    /// Goes back to the first frame.
    ///
    /// - Throws: ``StreamError/Code/unsupported`` where there is no way back, as on a pipe.
    func rewind() throws(StreamError)

    /// Hears what is wanted of the frames from the next one on, where making fewer or smaller ones saves work.
    ///
    /// Frames that are left out do not change the times of the others.
    func adapt(to wants: VideoSinkWants)

    /// Goes on to the frame that is shown at a time without making those before it, where that costs next to nothing.
    ///
    /// - Parameter time: the next frame is the last one whose presentation time is not after it; never goes back.
    /// - Returns: false when this is not possible: then the frames are read one by one.
    func skip(to time: Duration) -> Bool
}

extension FrameReader {
    /// Zero, for readers that cannot tell.
    public var corruptCount: Int { 0 }

    /// Does nothing: all frames come as they are.
    public func adapt(to wants: VideoSinkWants) {}

    /// False: the frames have to be read.
    public func skip(to time: Duration) -> Bool { false }
}

/// What is known of a stream before its first frame.
public struct StreamInfo: Hashable, Sendable {
    /// The container or kind of source: `y4m`, `mov,mp4`, `test`.
    public var container: String
    /// The codec's name, or `nil` where nothing is decoded.
    public var codec: String?
    /// The layout that frames will have, or `nil` when it is known only from the first frame.
    public var format: PixelFormat?
    /// The size in memory, before rotation.
    public var size: VideoSize
    /// Frames per second, or `nil` when the stream does not say.
    public var frameRate: Rational?
    /// Whether frames come when they come and cannot be had again, as from a camera: they are shown on arrival, by a
    /// ``LiveSource``, and not at their times.
    public var isLive: Bool
    /// How long the stream is, or `nil` when it is endless or unknown.
    public var duration: Duration?
    /// What the frames say of themselves, as far as it is known before the first one.
    public var attributes: FrameAttributes
    /// What the stream itself says of its colours; what it does not say was chosen by the rule of ``ColorTags``.
    public var colorTags: ColorTags

    /// Creates a description; all but the kind and the size has a usable default.
    public init(
        container: String, codec: String? = nil, format: PixelFormat? = nil, size: VideoSize,
        frameRate: Rational? = nil, isLive: Bool = false, duration: Duration? = nil,
        attributes: FrameAttributes = FrameAttributes(), colorTags: ColorTags = ColorTags()
    ) {
        self.container = container
        self.codec = codec
        self.format = format
        self.size = size
        self.frameRate = frameRate
        self.isLive = isLive
        self.duration = duration
        self.attributes = attributes
        self.colorTags = colorTags
    }

    /// What the samples mean: what the attributes say, or what is assumed of pictures of this format and size.
    public var colorSpace: ColorSpace { attributes.colorSpace(of: format ?? .i420, size: size) }
}
