import MediaIO
import VideoWall
import VitrailGL
import VitrailShaders

/// Draws coverage images with premultiplied-alpha blending, and keeps those of the present scene on the GPU.
final class OverlayDrawer {
    /// An image on the GPU.
    private final class Entry {
        // Retained so that its address stays unique.
        let image: CoverageImage
        let texture: Texture
        /// The last scene that had it.
        var sceneNumber = -1

        init(_ image: CoverageImage, _ texture: consuming Texture) {
            self.image = image
            self.texture = texture
        }
    }

    private let context: GLContext
    private let picture: QuadProgram
    private let lumaScale: Uniform
    private let color: Uniform
    private let background: Uniform
    private let sampler: Sampler
    private let vertices: VertexArray
    private var entries: [ObjectIdentifier: Entry] = [:]
    /// The images that the driver rejected, which are not tried again.
    private var rejected: [ObjectIdentifier: CoverageImage] = [:]
    /// The wall whose scene was drawn last.
    private var wall: Wall.ID?
    /// Why an image of that scene is not drawn; `nil` if all are.
    private var failure: String?

    init(_ context: GLContext) throws(GLError) {
        self.context = context
        picture = try QuadProgram(context, title: "overlay", fragment: [ShaderSource(ShaderLibrary.textFragment)])
        lumaScale = try picture.program.uniform("lumaScale")
        color = try picture.program.uniform("textColor")
        background = try picture.program.uniform("background")
        sampler = try Sampler(context, .nearest)
        vertices = try VertexArray(context)
        picture.program.use()
        try picture.program.uniform("plane0").set(0)
    }

    /// Releases the images that the scene no longer has.
    func keepOnly(imagesOf scene: WallScene) {
        var count = mark(scene.overlays, scene.number)
        for index in scene.tiles.indices { count += mark(scene.tiles[index].overlays, scene.number) }
        if entries.count > count { entries = entries.filter { $0.value.sceneNumber == scene.number } }
        wall = scene.wall
        if !rejected.isEmpty { forgetRejected(notIn: scene) }
    }

    private func forgetRejected(notIn scene: WallScene) {
        let images = Set((scene.overlays + scene.tiles.flatMap(\.overlays)).map { ObjectIdentifier($0.image) })
        rejected = rejected.filter { images.contains($0.key) }
        if rejected.isEmpty { failure = nil }
    }

    /// Why an image on a wall is not drawn; `nil` if all are.
    func failure(on id: Wall.ID) -> String? { id == wall ? failure : nil }

    /// Marks the images of a scene, and returns the number of new ones.
    private func mark(_ overlays: [WallOverlay], _ sceneNumber: Int) -> Int {
        var count = 0
        for index in overlays.indices {
            guard let entry = entries[ObjectIdentifier(overlays[index].image)] else { continue }
            if entry.sceneNumber != sceneNumber { count += 1 }
            entry.sceneNumber = sceneNumber
        }
        return count
    }

    /// Draws the overlays that intersect a rectangle.
    func draw(_ overlays: [WallOverlay], _ part: Rectangle, _ view: TargetView) {
        // By index: in debug builds an array's iterator allocates.
        for index in overlays.indices where overlays[index].bounds.intersects(part) { draw(overlays[index], view) }
    }

    /// Draws an overlay.
    ///
    /// An image that the driver rejects is omitted and reported: the rest of the picture is more important.
    private func draw(_ overlay: WallOverlay, _ view: TargetView) {
        guard rejected[ObjectIdentifier(overlay.image)] == nil else { return }
        let texture: Entry
        do throws(GLError) {
            texture = try entry(overlay.image)
        } catch {
            rejected[ObjectIdentifier(overlay.image)] = overlay.image
            failure = "A text or mark of \(overlay.image.size) pixels cannot be drawn: \(error.description)"
            return
        }
        context.setBlending(.over)
        if overlay.background.w > 0 {
            draw(texture, in: overlay.bounds, view, color: .zero, background: view.colors.shown(overlay.background))
        }
        draw(texture, in: overlay.rectangle, view, color: view.colors.shown(overlay.color), background: .zero)
        context.setBlending(.off)
    }

    private func entry(_ image: CoverageImage) throws(GLError) -> Entry {
        if let made = entries[ObjectIdentifier(image)] { return made }
        let entry = Entry(image, try Texture(context, .r8, width: image.size.width, height: image.size.height))
        image.bytes.withUnsafeBytes { entry.texture.upload($0, bytesPerRow: image.bytesPerRow) }
        entries[ObjectIdentifier(image)] = entry
        return entry
    }

    private func draw(
        _ overlay: Entry, in rectangle: Rectangle, _ view: TargetView, color: SIMD4<Float>, background: SIMD4<Float>
    ) {
        let (width, height) = (overlay.texture.width, overlay.texture.height)
        let placement = FramePlacement(
            rectangle: rectangle, source: Rectangle(x: 0, y: 0, width: width, height: height), view)
        picture.use(placement)
        lumaScale.set(1 / SIMD2(Float(width), Float(height)))
        self.color.set(color)
        self.background.set(background)
        overlay.texture.bind(unit: 0, sampler)
        vertices.drawRectangle()
    }
}
