public import MediaIO
public import VideoWall
import VitrailGL

/// A picture in a texture, to draw into, to read back and to draw with; its first row is the top one.
///
/// **Thread:** render thread.
public final class GLOffscreenTarget: OffscreenTarget, GLTarget {
    /// The size in pixels.
    public let size: VideoSize
    /// The format of its pixels.
    public let format: PictureFormat
    let context: GLContext
    let restoresState: Bool
    private var history = DamageHistory()
    private var colors = ColorTarget.sRGB
    private let framebuffer: Framebuffer
    private var encoder: PlaneEncoder?

    init(
        _ context: GLContext, size: VideoSize, format: PictureFormat, restoresState: Bool = false
    ) throws(GLError) {
        framebuffer = try Framebuffer(context, format.textureFormat, width: size.width, height: size.height)
        self.context = context
        self.restoresState = restoresState
        self.size = size
        self.format = format
    }

    /// Redraws everything next time.
    public func invalidate() { history.invalidate() }

    var view: TargetView { TargetView(size: size, topIsFirstRow: true, depth: format.depth) }

    func damage(of scene: WallScene, _ parts: inout [Rectangle]) -> DamageHistory.Extent {
        colors = scene.colorTarget
        return history.draw(scene, &parts)
    }

    func bind() { framebuffer.bind() }

    /// Copies the picture into memory: see `OffscreenTarget`.
    public func readPixels(into bytes: UnsafeMutableRawBufferPointer, bytesPerRow: Int) throws(RenderingError) {
        let state = try context.prepare(savesState: restoresState)
        defer { state?.restore() }
        framebuffer.readPixels(into: bytes, bytesPerRow: bytesPerRow)
        try check()
    }

    /// Converts the picture to I420 or I010: see `OffscreenTarget`.
    public func readPlanes(
        as format: PixelFormat, colorSpace: ColorSpace, pool: PixelBufferPool
    ) throws(RenderingError) -> PixelBuffer {
        try RenderingError.check(planes: format)
        let depth = format.layout.depth
        let state = try context.prepare(savesState: restoresState)
        defer { state?.restore() }
        do throws(GLError) {
            if encoder?.depth != depth { encoder = try PlaneEncoder(context, size, self.format, depth: depth) }
            encoder?.encode(framebuffer.texture, .encoding(colorSpace, depth: depth))
        } catch {
            throw RenderingError(error)
        }
        let buffer: PixelBuffer
        do throws(StreamError) {
            buffer = try pool.makeBuffer(format: format, size: size) { encoder?.read(into: $0) }
        } catch {
            throw RenderingError(error)
        }
        try check()
        return buffer
    }

    /// OpenGL's name of the texture, for drawing with it in the same context; drawing into the target changes it.
    public var textureName: UInt32 { framebuffer.texture.name }

    /// The picture as a frame for another renderer, whose context shares textures with this one's.
    ///
    ///     tile.mailbox.put(try picture.textureFrame())
    ///
    /// It has the colours of the wall that was drawn last. Nothing may be drawn into the target until the frame is
    /// released; its memory stays until then.
    ///
    /// **Cost:** every frame; some objects.
    /// - Throws: ``RenderingError`` for a picture of 32-bit floating-point numbers.
    public func textureFrame() throws(RenderingError) -> VideoFrame {
        guard let pixels = format.textureFormat.sampledFormat else {
            throw RenderingError(.device, "No frame has pixels of the format \(format): draw into rgba16f.")
        }
        let previous = restoresState ? CurrentContext() : nil
        defer { previous?.restore() }
        do throws(GLError) { try context.use() } catch { throw RenderingError(error) }
        let keeper = TextureKeeper(self, Fence(context))
        context.flush()
        do throws(StreamError) {
            let image = try TextureImage(
                names: [framebuffer.texture.name], format: pixels, size: size, fence: keeper.fence.address,
                shareGroup: ObjectIdentifier(context.shareGroup)
            ) { withExtendedLifetime(keeper) {} }
            let tags = ColorTags(
                matrix: .rgb, range: .full, primaries: colors.primaries, transfer: colors.transfer)
            return VideoFrame(.texture(image), attributes: FrameAttributes(colorTags: tags))
        } catch {
            throw RenderingError(error)
        }
    }

    /// Throws if the context was lost, so that what was read is not the picture, and in debug builds if the driver has
    /// reported an error.
    private func check() throws(RenderingError) {
        if context.isLost { throw .contextLost() }
        #if DEBUG
            do throws(GLError) { try context.check("Reading the picture back") } catch { throw RenderingError(error) }
        #endif
    }
}

extension PictureFormat {
    var textureFormat: TextureFormat {
        switch self {
        case .rgba8: .rgba8
        case .bgra8: .bgra8
        case .rgb10a2: .rgb10a2
        case .rgba16f: .rgba16f
        case .rgba32f: .rgba32f
        }
    }
}

extension RenderingError {
    /// Wraps an OpenGL error.
    init(_ error: GLError) {
        let isOfTarget = error.code == .framebuffer || error.code == .hostState
        self.init(isOfTarget ? .target : .device, error.description)
    }

    /// The driver has reset the GPU, perhaps because of the effects of a tile or of the wall.
    static func contextLost(_ suspect: WallTile.ID? = nil) -> RenderingError {
        RenderingError(
            .contextLost, "The graphics driver has reset the GPU: a shader took too long, or the driver failed.",
            suspect: suspect)
    }
}

/// Keeps a target and the fence of its picture.
///
/// Sendable, since other threads only release it, which OpenGL objects allow on any thread.
private final class TextureKeeper: @unchecked Sendable {
    private let target: GLOffscreenTarget
    let fence: Fence

    init(_ target: GLOffscreenTarget, _ fence: consuming Fence) {
        self.target = target
        self.fence = fence
    }
}

extension TextureFormat {
    /// The format of frames whose samples these texels are, or `nil`.
    fileprivate var sampledFormat: PixelFormat? {
        switch self {
        case .rgba8, .bgra8: .rgba32
        case .rgb10a2: .x2bgr10
        case .rgba16f: .rgba64f
        default: nil
        }
    }
}
