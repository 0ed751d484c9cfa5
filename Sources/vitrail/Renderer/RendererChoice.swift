import ArgumentParser
import GLRendering
import Glibc
import HeadlessGL
import SoftwareRendering
import VideoWall
import VitrailGL

/// Which renderer draws.
enum RendererChoice: String, CaseIterable, ExpressibleByArgument {
    /// A GPU if there is one, else the CPU: software OpenGL is slower by far.
    case auto
    /// OpenGL, whatever its driver.
    case gpu
    /// The CPU.
    case cpu

    static let help: ArgumentHelp = ArgumentHelp(
        "Renderer: auto (a GPU, or else the CPU), gpu (OpenGL, also a software driver) or cpu.", valueName: "name")

    /// Makes a renderer without a window.
    ///
    /// - Parameter threads: how many threads the CPU draws with; `nil` for one on each processor.
    /// - Returns: the renderer, and why it was chosen.
    /// - Throws: ``ProgramError/Status/unavailable`` for ``gpu`` without OpenGL.
    func makeRenderer(threads: Int? = nil) throws -> ChosenRenderer {
        switch self {
        case .cpu: return Self.software(threads, "--renderer cpu")
        case .gpu: return try ChosenRenderer(openHeadlessContext(), "--renderer gpu")
        case .auto:
            guard Self.hasGPU else { return Self.software(threads, "there is no GPU") }
            // `gpu` lists what was tried.
            guard let context = try? HeadlessContext.make() else { return Self.software(threads, "there is no OpenGL") }
            let information = context.information
            guard !information.isSoftware else {
                return Self.software(threads, "OpenGL is drawn by the CPU, too (\(information.renderer))")
            }
            return try ChosenRenderer(context, "it is a GPU")
        }
    }

    private static func software(_ threads: Int?, _ reason: String) -> ChosenRenderer {
        let renderer = SoftwareRenderer(threadCount: threads) { try GLRenderer(context: openHeadlessContext()) }
        return ChosenRenderer(renderer: renderer, reason: reason)
    }

    /// Whether a driver of the kernel offers a GPU: a render node, NVIDIA's own, or that of Windows below this system.
    ///
    /// Without one, OpenGL need not be opened to know what it is, which takes longer than to draw a picture.
    private static var hasGPU: Bool {
        let nodes: [String] = ["/dev/nvidiactl", "/dev/dxg", "/dev/mali0", "/dev/kgsl-3d0"]
        if nodes.contains(where: { access($0, F_OK) == 0 }) { return true }
        guard let folder = opendir("/dev/dri") else { return false }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasPrefix("renderD") || name.hasPrefix("card") { return true }
        }
        return false
    }
}

/// A renderer, and why it draws.
struct ChosenRenderer {
    let renderer: any WallRenderer
    /// Without a full stop.
    let reason: String
    /// Its context, if it has one.
    private(set) var context: GLContext?

    init(renderer: any WallRenderer, reason: String) { (self.renderer, self.reason) = (renderer, reason) }

    init(_ context: GLContext, _ reason: String) throws(RenderingError) {
        renderer = try GLRenderer(context: context)
        self.reason = reason
        self.context = context
    }

    /// `gpu`, or `cpu`.
    var kind: RendererChoice { context == nil ? .cpu : .gpu }
}
