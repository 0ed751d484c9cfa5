public import MediaIO

/// How the frames of a channel look.
extension LocalChannel {
    /// How frames are changed; read for each frame.
    struct Look {
        var mirrorMode = MirrorMode.previewOnly
        var shape = FrameShape()
        var publishedSize: VideoSize?
    }

    /// Who sees the stream mirrored, from the next frame on.
    public var mirrorMode: MirrorMode {
        get { look.withLock { $0.mirrorMode } }
        set { look.withLock { $0.mirrorMode = newValue } }
    }

    /// The size of the frames that are published, or `nil` for their own.
    ///
    /// Frames are scaled to it on the source's thread, with ``fillMode``: ``ContentMode/fit`` adds black bars. It is
    /// the size of the picture as shown: in memory, a frame that is rotated by a quarter turn has width and height
    /// swapped. The preview is not scaled.
    public var publishedSize: VideoSize? {
        get { look.withLock { $0.publishedSize } }
        set { look.withLock { $0.publishedSize = newValue } }
    }

    /// The aspect ratio of the frames that are shown and published, or `nil` for their own.
    ///
    /// Frames are only cropped or distorted to it, by their attributes. For what is published, ``publishedSize`` takes
    /// precedence.
    public var aspectRatio: Rational? {
        get { look.withLock { $0.shape.aspectRatio } }
        set { look.withLock { $0.shape.aspectRatio = newValue } }
    }

    /// How frames of another aspect ratio fill ``aspectRatio`` or ``publishedSize``.
    public var fillMode: ContentMode {
        get { look.withLock { $0.shape.mode } }
        set { look.withLock { $0.shape.mode = newValue } }
    }

    func adjust(_ frame: inout VideoFrame, for purpose: Purpose) -> FrameScaling? {
        let look = look.withLock { $0 }
        if look.mirrorMode == .all || look.mirrorMode == .previewOnly && purpose == .preview {
            frame.attributes.mirror = frame.attributes.mirror.combined(with: .horizontal)
        }
        if purpose == .publishing, let size = look.publishedSize {
            return FrameScaling(size: size, mode: look.shape.mode)
        }
        look.shape.apply(to: &frame)
        return nil
    }
}
