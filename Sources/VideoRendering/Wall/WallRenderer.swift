public import GL
public import MediaIO

/// Draws many streams into one picture: the one place where frames meet OpenGL.
///
/// Call ``update()`` for the newest frames; when it says that something changed, draw: to a window with
/// ``drawToWindow(size:)``, or into an ``OffscreenPicture``.
///
/// **Thread:** render thread.
public final class WallRenderer {
    /// Where it draws.
    public let context: GLContext
    /// The streams, in reading order.
    public private(set) var tiles: [StreamTile] = []
    /// How the picture is divided.
    public var layout: GridLayout { didSet { forgetPlaces() } }
    /// The index of the one tile that fills the picture, or `nil` for all.
    ///
    /// An index beyond the tiles shows all.
    public var focus: Int? { didSet { forgetPlaces() } }
    /// A text over the upper left corner of the whole picture, or `nil`.
    public var overlay: String? { didSet { if overlay != oldValue { isStale = true } } }

    /// The colours of what the wall is shown on.
    public var colorTarget = ColorTarget.sRGB { didSet { isStale = true } }
    /// When pictures are converted to the colours of ``colorTarget``.
    public var colorConversion = ColorConversionMode.auto { didSet { isStale = true } }

    private let tools: DrawingTools
    private let text: TextDrawer
    private var overlayText: TextTexture?
    /// Made when it is asked for.
    private var probe: PixelProbe?
    private var isStale = true
    private var rectangles: [Rectangle] = []
    private var placedRatios: [Double] = []
    /// What `rectangles` was made for; `nil` when that has changed.
    private var placedFor: VideoSize?

    /// Makes what all tiles share.
    ///
    /// **Cost:** rare; 10 to 50 ms.
    /// - Throws: ``RenderingError`` when the driver does not take our shaders.
    public init(context: GLContext, layout: GridLayout = GridLayout(gap: 2)) throws(RenderingError) {
        do throws(GLError) {
            try context.use()
            tools = try DrawingTools(context)
            text = try TextDrawer(context)
        } catch {
            throw RenderingError(error)
        }
        self.context = context
        self.layout = layout
    }

    /// Puts a tile at the end.
    public func add(_ tile: StreamTile) {
        tiles.append(tile)
        forgetPlaces()
    }

    /// Takes a tile off the wall; its textures go when the tile does.
    public func remove(_ tile: StreamTile) {
        tiles.removeAll { $0 === tile }
        focus = nil
        forgetPlaces()
    }

    /// Takes the newest frame of every tile and uploads it.
    ///
    /// **Cost:** every frame; nothing for a tile without a new frame.
    /// - Returns: whether the wall has to be drawn again.
    /// - Throws: ``RenderingError`` when the context is lost. What goes wrong with one stream is its tile's notice.
    @discardableResult
    public func update() throws(RenderingError) -> Bool {
        try use()
        for index in visible {
            // A tile that is not seen leaves its newest frame in the mailbox until it is.
            guard tiles[index].update(context) else { continue }
            isStale = true
            if placedFor != nil, tiles[index].aspectRatio != placedRatios[index] { placedFor = nil }
        }
        return isStale
    }

    /// Draws the wall to the window whose context this is.
    ///
    /// Presenting is the window's.
    ///
    /// **Cost:** every frame in which something changed.
    /// - Parameter size: the window's framebuffer in pixels.
    /// - Throws: ``RenderingError`` when the context is lost, and in debug builds what the driver complains of.
    public func drawToWindow(size: VideoSize) throws(RenderingError) {
        try use()
        DrawTarget.bindWindow()
        try draw(size, topIsFirstRow: false)
    }

    /// What is at a pixel of the wall: the samples of the picture, and the colour that is drawn.
    ///
    /// Texts over the picture do not count. Waits for the GPU.
    ///
    /// **Cost:** rare; where it is never asked for, nothing.
    /// - Parameters:
    ///   - x: of the pixel, from the left.
    ///   - y: of the pixel, downwards.
    ///   - size: of the wall, in pixels.
    /// - Returns: `nil` where there is no picture.
    /// - Throws: ``RenderingError`` when the context is lost, or the driver does not take the shaders.
    public func sample(atX x: Int, y: Int, in size: VideoSize) throws(RenderingError) -> PixelSample? {
        guard size.width > 0, size.height > 0 else { return nil }
        try use()
        if placedFor != size { place(size) }
        guard let index = tile(atX: Double(x), y: Double(y)), visible.contains(index) else { return nil }
        let target = TileTarget(
            size: size, topIsFirstRow: true, depth: PictureFormat.rgba32f.depth, colors: colorTarget,
            conversion: colorConversion)
        do throws(GLError) {
            if probe == nil { probe = try PixelProbe(context) }
            return try probe?.sample(tiles[index], index, rectangles[index], x, y, target, tools)
        } catch {
            throw RenderingError(error)
        }
    }

    /// The index of the tile at a place, y downwards, as it was last drawn; `nil` beside the tiles.
    public func tile(atX x: Double, y: Double) -> Int? {
        rectangles.firstIndex { $0.contains(x: x, y: y) }
    }

    func use() throws(RenderingError) {
        do throws(GLError) { try context.use() } catch { throw RenderingError(error) }
    }

    /// Draws to whatever is bound.
    func draw(_ size: VideoSize, topIsFirstRow: Bool, depth: Int = 8) throws(RenderingError) {
        guard size.width > 0, size.height > 0 else { return }
        if placedFor != size { place(size) }
        isStale = false
        #if DEBUG
            // What went wrong before is not a tile's fault.
            do throws(GLError) { try context.check("Before drawing the wall") } catch { throw RenderingError(error) }
        #endif
        DrawTarget.setViewport(width: size.width, height: size.height)
        DrawTarget.clear(red: 0, green: 0, blue: 0)
        let target = TileTarget(
            size: size, topIsFirstRow: topIsFirstRow, depth: depth, colors: colorTarget, conversion: colorConversion)
        for index in visible where rectangles[index].width > 0 && rectangles[index].height > 0 {
            tiles[index].draw(in: rectangles[index], target, tools, text)
        }
        do throws(GLError) {
            try drawOverlay(target)
            #if DEBUG
                try context.check("Drawing the wall")
            #endif
        } catch {
            throw RenderingError(error)
        }
    }

    /// The indices of the tiles that are seen.
    private var visible: Range<Int> {
        if let focus, tiles.indices.contains(focus) { return focus..<focus + 1 }
        return tiles.indices
    }

    private func forgetPlaces() {
        placedFor = nil
        rectangles = []
        isStale = true
    }

    private func place(_ size: VideoSize) {
        placedFor = size
        placedRatios = tiles.map(\.aspectRatio)
        rectangles = layout.tiles(aspectRatios: placedRatios, in: size)
        guard let focus, tiles.indices.contains(focus) else { return }
        rectangles = tiles.indices.map { index in
            index == focus
                ? Rectangle(x: 0, y: 0, width: size.width, height: size.height)
                : Rectangle(x: 0, y: 0, width: 0, height: 0)
        }
    }

    private func drawOverlay(_ target: TileTarget) throws(GLError) {
        guard let overlay else {
            overlayText = nil
            return
        }
        let margin = 6
        let room = VideoSize(width: target.size.width - 4 * margin, height: target.size.height - 4 * margin)
        let style = TextDrawer.Style(fontSize: 14, paper: SIMD4(0, 0, 0, 0.6))
        try text.prepare(&overlayText, overlay, style, room: room)
        guard let size = overlayText?.size, size.width <= room.width else { return }
        text.draw(&overlayText, x: margin, y: margin, margin: margin, target)
    }
}
