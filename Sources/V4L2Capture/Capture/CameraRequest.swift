public import MediaIO

/// The format, size and rate to ask a camera for.
///
/// The camera is opened in its nearest mode: ``CameraMode/distance(to:)``.
public struct CameraRequest: Hashable, Sendable {
    /// What matters more when frames are late.
    public enum Buffering: String, CaseIterable, Hashable, Sendable {
        /// Only the newest frame is shown: four buffers.
        case latency
        /// Every frame is shown: eight buffers.
        case smoothness

        /// The number of buffers.
        var bufferCount: Int { self == .latency ? 4 : 8 }
    }

    /// The format, which the camera must have; `nil` for the best one.
    public var format: PixelFormat?
    /// The size; `nil` for the camera's largest up to ``usualPixelCount`` pixels.
    public var size: VideoSize?
    /// Frames per second; `nil` for ``usualRate``.
    public var frameRate: Rational?
    /// What matters more when frames are late.
    public var buffering: Buffering
    /// Whether frames are DMA-BUFs, where the driver can export its buffers.
    public var exportsMemory: Bool

    /// The frame rate that is asked for if none is given.
    public static let usualRate = Rational(30)
    /// The pixels of a frame that are asked for if no size is given: 1920 × 1080.
    public static let usualPixelCount = 1920 * 1080

    /// Creates a request; every part has a usable default.
    public init(
        format: PixelFormat? = nil, size: VideoSize? = nil, frameRate: Rational? = nil,
        buffering: Buffering = .latency, exportsMemory: Bool = false
    ) {
        self.format = format
        self.size = size
        self.frameRate = frameRate
        self.buffering = buffering
        self.exportsMemory = exportsMemory
    }

    /// The most pixels that are useful: those of ``size``, or else what sinks want.
    var pixelCount = Self.usualPixelCount

    /// The request, reduced to what sinks want; a size or rate that was given explicitly is kept.
    func adapted(to wants: VideoSinkWants) -> CameraRequest {
        var request = self
        if size == nil, let pixels = wants.maximumPixels { request.pixelCount = min(pixels, Self.usualPixelCount) }
        if frameRate == nil, let rate = wants.maximumFrameRate { request.frameRate = rate }
        return request
    }
}

extension CameraRequest: CustomStringConvertible {
    /// For people: `YUYV 1280x720 at 30/s`.
    public var description: String {
        let what = [format.map { "\($0)" }, size.map { "\($0)" } ?? "up to \(pixelCount) pixels"].compactMap { $0 }
        return "\(what.joined(separator: " ")) at \(frameRate ?? Self.usualRate)/s"
    }
}
