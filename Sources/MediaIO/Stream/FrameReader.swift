/// A reader that frames are pulled from, in order of presentation time: a file, a pipe, a generator.
///
/// ``PacedSource`` and ``LiveSource`` turn one into a ``VideoSource``; offscreen rendering pulls it directly.
///
/// **Thread:** the one that made it.
public protocol FrameReader: AnyObject {
    /// The description of the stream before its first frame.
    var info: StreamInfo { get }

    /// The number of corrupt packets and frames so far.
    var corruptCount: Int { get }

    /// Where the player says what it wants of the next frames; `nil` if the reader makes all frames alike.
    var demand: ReadingDemand? { get }

    /// The next frame, or `nil` at the end.
    ///
    /// - Throws: ``StreamError`` if reading fails; the reader must not be used after that.
    func next() throws(StreamError) -> VideoFrame?

    /// Goes back to the first frame.
    ///
    /// - Throws: ``StreamError/Code/unsupported`` if the reader cannot rewind, for example on a pipe.
    func rewind() throws(StreamError)

    /// Skips to the frame for a time without producing those before it, if that costs almost nothing.
    ///
    /// - Parameter time: the next frame is the last one with a presentation time not after this; it never goes back.
    /// - Returns: false if the reader cannot skip; the frames must then be read one by one.
    func skip(to time: Duration) -> Bool
}

extension FrameReader {
    /// Zero, for readers that do not count.
    public var corruptCount: Int { 0 }

    /// `nil`: all frames are made alike.
    public var demand: ReadingDemand? { nil }

    /// False: the frames must be read.
    public func skip(to time: Duration) -> Bool { false }
}

/// The description of a stream before its first frame.
public struct StreamInfo: Hashable, Sendable {
    /// The container or kind of source: `y4m`, `mov,mp4`, `test`.
    public var container: String
    /// The codec's name, or `nil` if nothing is decoded.
    public var codec: String?
    /// The format of the frames, or `nil` if it is known only from the first frame.
    public var format: PixelFormat?
    /// The size in memory, before rotation.
    public var size: VideoSize
    /// Frames per second, or `nil` if unknown.
    public var frameRate: Rational?
    /// Whether the stream is live, as from a camera: frames are shown on arrival, by a ``LiveSource``, not at their
    /// presentation times.
    public var isLive: Bool
    /// Whether the stream is still being made, but is played at its presentation times, as live HLS is: its end is a lost
    /// connection.
    public var isOngoing: Bool
    /// The duration, or `nil` if it is endless or unknown.
    public var duration: Duration?
    /// The attributes of the frames, as far as known before the first one.
    public var attributes: FrameAttributes
    /// Where the colour tags in ``attributes`` come from, for people.
    public var colorTagNotes: [ColorTags.Part: ColorTags.Note]

    /// Creates a description; everything but the container and the size has a usable default.
    public init(
        container: String, codec: String? = nil, format: PixelFormat? = nil, size: VideoSize,
        frameRate: Rational? = nil, isLive: Bool = false, isOngoing: Bool = false, duration: Duration? = nil,
        attributes: FrameAttributes = FrameAttributes(), colorTagNotes: [ColorTags.Part: ColorTags.Note] = [:]
    ) {
        self.container = container
        self.codec = codec
        self.format = format
        self.size = size
        self.frameRate = frameRate
        self.isLive = isLive
        self.isOngoing = isOngoing
        self.duration = duration
        self.attributes = attributes
        self.colorTagNotes = colorTagNotes
    }

    /// The colour space of frames of this format and size: the tags, completed by the rule of ``ColorTags``.
    public var colorSpace: ColorSpace { attributes.colorTags.colorSpace(of: format ?? .i420, size: size) }

    /// The chroma location of frames of this format: the tag, or else by the rule of ``ColorTags``.
    public var chromaLocation: ChromaLocation { attributes.colorTags.chromaLocation(of: format ?? .i420) }
}
