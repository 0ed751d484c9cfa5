/// Frames that are pulled in order of presentation time: a file, a pipe, a generator.
///
/// ``PacedSource`` and ``LiveSource`` turn one into a ``VideoSource``; offscreen rendering pulls it directly.
///
/// **Thread:** the one that made it.
public protocol FrameReader: AnyObject {
    /// What is known of the stream before its first frame.
    var info: StreamInfo { get }

    /// How many damaged frames were passed over so far.
    var damagedCount: Int { get }

    /// The next frame, or `nil` at the end.
    ///
    /// - Throws: ``StreamError`` when reading breaks off; the reader is of no more use then.
    func next() throws(StreamError) -> VideoFrame?

    /// Goes back to the first frame.
    ///
    /// - Throws: ``StreamError/Code/unsupported`` where there is no way back, as on a pipe.
    func rewind() throws(StreamError)
}

extension FrameReader {
    /// None, for readers that cannot tell damage.
    public var damagedCount: Int { 0 }
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
    /// What the samples mean.
    public var colorSpace: ColorSpace
    /// Where chroma samples lie.
    public var chromaLocation: ChromaLocation
    /// What the stream itself says of its colours; what it does not say was chosen by the rule of ``ColorTags``.
    public var colorTags: ColorTags
    /// By how much a sink turns the pictures.
    public var rotation: VideoRotation
    /// How a sink mirrors the turned pictures.
    public var mirror: VideoMirror
    /// The width of a pixel divided by its height.
    public var pixelAspectRatio: Rational
    /// The part of the pictures that is shown, in pixels as they lie in memory; `nil` for all.
    public var crop: Rectangle?

    /// Creates a description; all but the kind and the size has a usable default.
    public init(
        container: String, codec: String? = nil, format: PixelFormat? = nil, size: VideoSize,
        frameRate: Rational? = nil, isLive: Bool = false, duration: Duration? = nil, colorSpace: ColorSpace? = nil,
        chromaLocation: ChromaLocation = .left, colorTags: ColorTags = ColorTags(), rotation: VideoRotation = .none,
        mirror: VideoMirror = .none, pixelAspectRatio: Rational = .one, crop: Rectangle? = nil
    ) {
        self.container = container
        self.codec = codec
        self.format = format
        self.size = size
        self.frameRate = frameRate
        self.isLive = isLive
        self.duration = duration
        self.colorSpace = colorSpace ?? .unspecified(for: size, format: format ?? .i420)
        self.chromaLocation = chromaLocation
        self.colorTags = colorTags
        self.rotation = rotation
        self.mirror = mirror
        self.pixelAspectRatio = pixelAspectRatio
        self.crop = crop
    }
}
