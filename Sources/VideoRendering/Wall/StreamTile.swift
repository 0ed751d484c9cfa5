internal import GL
public import MediaIO

/// One stream's place on the wall: the mailbox that its frames come through, and how they are shown.
///
/// **Thread:** render thread; only the mailbox is for all.
public final class StreamTile {
    /// What people call the stream; shown while there is no picture.
    public let name: String
    /// Where the source puts its frames.
    public let mailbox: FrameMailbox
    /// How the picture fills the tile.
    public var contentMode: ContentMode = .fit { didSet { isStale = true } }
    /// A turn on top of the frame's own.
    public var rotation: VideoRotation = .upright { didSet { isStale = true } }
    /// A mirror on top of the frame's own, after all turns.
    public var mirror: VideoMirror = .unmirrored { didSet { isStale = true } }
    /// How the picture is scaled.
    public var filter: ScalingFilter = .automatic { didSet { isStale = true } }
    /// Whether scaling averages light instead of code values: truer at fine detail, and slower.
    public var scalesInLinearLight = false { didSet { isStale = true } }
    /// What is taken of the picture's colours instead of what its frames say.
    public var colorOverride = ColorOverride() { didSet { isStale = true } }
    /// A text over the upper left corner of the tile, or `nil`.
    public var label: String? { didSet { isStale = true } }

    /// What the tile says that is wrong or awaited; `nil` while all is well.
    public var notice: String? {
        if let uploadFailure { return uploadFailure }
        let isEmpty = picture == nil
        switch condition {
        case .failed(let reason): return reason
        case .waiting(let reason): return isEmpty ? reason : nil
        case .ended: return isEmpty ? "ended without a picture" : nil
        case .live: return nil
        }
    }

    /// Counts since the tile was made.
    public var statistics: RenderStatistics {
        var all = counts
        let box = mailbox.statistics
        all.received = box.received
        all.dropped = box.dropped
        return all
    }

    /// The width of the picture as shown divided by its height; 16:9 until there is one.
    public var aspectRatio: Double {
        guard let picture else { return 16.0 / 9 }
        let visible = VideoSize(width: picture.visible.width, height: picture.visible.height)
        let ratio = visible.aspectRatio * picture.attributes.pixelAspectRatio.value
        return orientation.rotation.isQuarterTurn ? 1 / ratio : ratio
    }

    private(set) var picture: TilePicture?
    var labelText: TextTexture?
    var noticeText: TextTexture?
    private var isStale = true
    private var counts = RenderStatistics()
    private var condition = SourceCondition.waiting("")
    /// Why the newest frame could not be uploaded or drawn; `nil` when it was.
    public internal(set) var uploadFailure: String?

    /// Creates a tile that waits for its first frame.
    public init(name: String, mailbox: FrameMailbox) {
        self.name = name
        self.mailbox = mailbox
    }

    /// The frame's orientation and the tile's own on top.
    var orientation: Orientation {
        let own = Orientation(rotation: rotation, mirror: mirror)
        return picture.map { $0.orientation.followed(by: own) } ?? own
    }

    /// Takes the newest frame and uploads it.
    ///
    /// - Returns: whether the tile has to be drawn again.
    func update(_ context: GLContext) -> Bool {
        let condition = mailbox.condition
        if condition != self.condition {
            self.condition = condition
            isStale = true
        }
        if let frame = mailbox.take() {
            isStale = true
            do throws(GLError) {
                try show(frame, context)
                counts.uploaded += 1
                uploadFailure = nil
            } catch {
                counts.failed += 1
                uploadFailure = error.description
            }
        }
        defer { isStale = false }
        return isStale
    }

    /// Counts a drawing.
    func wasDrawn() { counts.drawn += 1 }

    /// Notes that the newest frame could not be drawn.
    func wasNotDrawn(_ error: GLError) {
        counts.failed += 1
        uploadFailure = error.description
    }

    private func show(_ frame: VideoFrame, _ context: GLContext) throws(GLError) {
        let buffer: PixelBuffer
        do throws(StreamError) {
            buffer = try frame.pixelBuffer
        } catch {
            throw GLError(.driver, "A frame of \(name) cannot be uploaded. \(error)")
        }
        if let picture, picture.planes.format == buffer.format, picture.planes.size == buffer.size {
            picture.planes.upload(buffer)
            picture.describe(frame)
        } else {
            let planes = try PlaneTextures(context, format: buffer.format, size: buffer.size)
            planes.upload(buffer)
            picture = TilePicture(planes, frame)
        }
        #if DEBUG
            try context.check("Uploading a frame of \(name)")
        #endif
    }
}
