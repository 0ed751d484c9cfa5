import MediaIO
import SoftwareRendering
import VideoWall
import VitrailGL

/// A window that shows what the CPU has drawn.
///
/// The picture in memory has a copy in a texture, and both keep their pixels. Only what has changed since the last
/// picture is copied into the texture, and from there only what the window's back buffer does not show yet.
final class SoftwareWindowTarget: WindowTarget, SoftwareTarget {
    var size = VideoSize(width: 0, height: 0)
    private let renderer: SoftwareRenderer
    private let context: GLContext
    private let buffer: (() -> (presentCount: Int, age: Int))?
    private var history = DamageHistory()
    private var drawn: SoftwarePicture?
    private var twin: Framebuffer?
    /// What the back buffer does not show, in reused memory.
    private var stale: [Rectangle] = []

    init(_ renderer: SoftwareRenderer, _ context: GLContext, _ buffer: (() -> (presentCount: Int, age: Int))?) {
        (self.renderer, self.context, self.buffer) = (renderer, context, buffer)
    }

    func invalidate() { history.invalidate() }

    func picture() throws(RenderingError) -> SoftwarePicture {
        if let drawn, drawn.size == size { return drawn }
        // Software drivers have windows in this format, so that nothing is converted.
        let made = try renderer.makePicture(size: size, format: .bgra8)
        try use()
        do throws(GLError) {
            twin = try Framebuffer(context, .bgra8, width: size.width, height: size.height)
        } catch {
            throw RenderingError(.device, error.description)
        }
        drawn = made
        history.invalidate()
        return made
    }

    func show(_ scene: WallScene, drawn parts: [Rectangle]) throws(RenderingError) -> Bool {
        try use()
        if context.isLost {
            throw RenderingError(.contextLost, "The graphics driver has reset the GPU that shows the window.")
        }
        context.prepareForDrawing()
        for index in parts.indices { upload(parts[index]) }
        let buffer = buffer?()
        let extent =
            if let buffer {
                history.draw(scene, presentCount: buffer.presentCount, age: buffer.age, &stale)
            } else {
                history.draw(scene, &stale)
            }
        guard extent != .nothing else { return false }
        // Mesa notices here that the window has another size.
        context.setViewport(width: size.width, height: size.height)
        if extent == .all || buffer == nil {
            stale.removeAll(keepingCapacity: true)
            stale.append(scene.bounds)
        }
        for index in stale.indices { twin?.copyToWindow(stale[index].region, height: size.height) }
        return true
    }

    private func upload(_ part: Rectangle) {
        guard let drawn else { return }
        twin?.texture.upload(part.region, of: drawn.bytes, bytesPerRow: drawn.bytesPerRow)
    }

    private func use() throws(RenderingError) {
        do throws(GLError) { try context.use() } catch { throw RenderingError(.device, error.description) }
    }
}

extension Rectangle {
    /// The same as a tuple, for OpenGL.
    fileprivate var region: (x: Int, y: Int, width: Int, height: Int) { (x, y, width, height) }
}
