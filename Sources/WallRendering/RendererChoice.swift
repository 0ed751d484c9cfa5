internal import Glibc

/// Which renderer draws.
public enum RendererChoice: String, CaseIterable, Sendable {
    /// A GPU if there is one, else the CPU, which is much faster than OpenGL in software.
    case auto
    /// OpenGL, whatever its driver.
    case gpu
    /// The CPU.
    case cpu

    /// Whether the kernel has a driver for a GPU: with a render node, NVIDIA's own, or that of WSL.
    ///
    /// Without one, OpenGL need not be opened to find that out, which would take longer than drawing a picture.
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
