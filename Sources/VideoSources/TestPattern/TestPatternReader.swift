public import MediaIO
import VitrailSupport

/// An endless stream of a ``TestPattern``.
///
/// A frame depends only on the reader's parameters, its index and the wants (``adapt(to:)``), so two runs give the same
/// bytes.
///
/// The colours of a pattern are code values: their appearance depends on the transfer function of the colour space.
///
/// **Thread:** the one that made it. **Cost:** a frame of 1920 × 1080 takes 0.05 (bars) to 0.8 ms of one core in I420
/// and NV12, 5 to 40 ms in other formats; no allocation.
public final class TestPatternReader: FrameReader {
    /// The description of the stream.
    public let info: StreamInfo
    /// Frames are never thinned out below this rate: the reader would be too far ahead to react when more are wanted.
    private static let lowestRate = Rational(2)

    private let format: PixelFormat
    private let frameRate: Rational
    private let wanted = ReadingDemand()
    private var wantedVersion = 0
    private let pool = PixelBufferPool()
    private let pattern: TestPattern
    private let paintsSmaller: Bool
    private var painter: any PatternPainter
    /// The size of the painted frames.
    private var size: VideoSize
    private var attributes: FrameAttributes
    private var thinning = FrameThinning()
    private var index = 0

    /// Creates a stream that begins with frame 0.
    ///
    /// - Parameters:
    ///   - pattern: the pattern to draw.
    ///   - size: the size, each side 1…``PixelBuffer/maximumSide``.
    ///   - frameRate: frames per second.
    ///   - format: the format of the samples.
    ///   - colorTags: the colours to paint in; the rest follows from format and size by the rule of ``ColorTags``.
    ///   - paintsSmaller: whether frames may be smaller than `size` if fewer pixels are wanted; ignored by
    ///     ``TestPattern/zoneplate``, whose single pixels matter.
    /// - Throws: ``StreamError/Code/unsupported`` for a size out of range.
    public init(
        pattern: TestPattern, size: VideoSize, frameRate: Rational = Rational(30), format: PixelFormat = .i420,
        colorTags: ColorTags = ColorTags(), paintsSmaller: Bool = false
    ) throws(StreamError) {
        try checkSize(size, of: "The test pattern \(pattern.rawValue)", .unsupported)
        self.info = StreamInfo(
            container: "test", format: format, size: size, frameRate: frameRate,
            attributes: FrameAttributes(colorTags: colorTags))
        self.format = format
        self.frameRate = frameRate
        self.pattern = pattern
        self.paintsSmaller = paintsSmaller && pattern != .zoneplate
        (self.size, attributes) = (size, info.attributes)
        self.painter = pattern.makePainter(
            size: size, insteadOf: size, frameRate: frameRate, format: format, colorSpace: info.colorSpace)
    }

    /// The next frame; there always is one.
    ///
    /// - Throws: ``StreamError/Code/noMemory`` if memory runs out.
    public func next() throws(StreamError) -> VideoFrame? {
        obey()
        while !thinning.takes(frameRate.time(ofFrame: index)) { index += 1 }
        defer { index += 1 }
        return try frame(at: index)
    }

    /// The frame with an index, which does not affect `next()`.
    ///
    /// - Parameter index: the index, 0 or more.
    /// - Returns: the same frame that `next()` returns after `index` others.
    /// - Throws: ``StreamError/Code/noMemory`` if memory runs out.
    public func frame(at index: Int) throws(StreamError) -> VideoFrame {
        require(index >= 0, "The frames of a test pattern are numbered from 0.")
        obey()
        let buffer = try pool.makeBuffer(format: format, size: size) { planes in
            painter.paint(index, into: planes)
        }
        return VideoFrame(buffer, attributes: attributes, presentationTime: frameRate.time(ofFrame: index))
    }

    /// Goes back to frame 0.
    public func rewind() {
        index = 0
        thinning.reset()
    }

    /// What is wanted: surplus frames are omitted, but not for longer than half a second, and frames are painted with no
    /// more pixels than wanted, if that is allowed.
    ///
    /// Smaller frames have even sides and the shape, colours and motion of the full size.
    public var demand: ReadingDemand? { wanted }

    private func obey() { if wanted.hasChanged(since: &wantedVersion) { adapt(to: wanted.wants) } }

    private func adapt(to wants: VideoSinkWants) {
        thinning.rate = wants.maximumFrameRate.map { $0.value < Self.lowestRate.value ? Self.lowestRate : $0 }
        if wants.isVisible { pool.memory = wants.memory }
        let full = info.size
        // A hidden pattern keeps its size: it may soon be visible again.
        guard paintsSmaller, wants.isVisible else { return }
        let wanted = wants.maximumPixels.map { full.reduced(to: $0) } ?? full
        guard wanted != size else { return }
        size = wanted
        painter = pattern.makePainter(
            size: size, insteadOf: full, frameRate: frameRate, format: format, colorSpace: info.colorSpace)
        attributes = info.attributes
        guard size != full else { return }
        // Attributes that depend on the size are those of the full one.
        attributes.colorTags = ColorTags(info.colorSpace, chromaLocation: info.chromaLocation)
        attributes.pixelAspectRatio = full.pixelShape(in: size)
    }

    /// Skips to the frame for a time, at no cost.
    public func skip(to time: Duration) -> Bool {
        index = max(index, frameRate.frame(at: time))
        return true
    }
}

extension VideoSize {
    /// The pixel aspect ratio that gives a frame of another size the shape of this one.
    fileprivate func pixelShape(in other: VideoSize) -> Rational {
        let (across, down) = (width * other.height, height * other.width)
        // Both are at most 2³².
        let divisor = max(across, down) > Int(Int32.max) ? 4 : 1
        return Rational(max(1, across / divisor), max(1, down / divisor))
    }

    /// The largest size of about the same shape with at most `pixels` pixels and even sides of at least 16; the
    /// size itself if it fits.
    fileprivate func reduced(to pixels: Int) -> VideoSize {
        guard width * height > pixels else { return self }
        let factor = (Double(pixels) / Double(width * height)).squareRoot()
        let reduce = { (side: Int) in min(side, max(16, Int(Double(side) * factor + 1e-6) & ~1)) }
        return VideoSize(width: reduce(width), height: reduce(height))
    }
}
