internal import Glibc

/// Which renderer draws.
public enum RendererChoice: String, CaseIterable, Sendable {
    /// A GPU if there is one, else the CPU: software OpenGL is slower by far.
    case auto
    /// OpenGL, whatever its driver.
    case gpu
    /// The CPU.
    case cpu

    /// Whether a driver of the kernel offers a GPU: a render node, NVIDIA's own, or that of Windows below this system.
    ///
    /// Without one, OpenGL need not be opened to know what it is, which takes longer than to draw a picture.
    static var hasGPU: Bool {
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
