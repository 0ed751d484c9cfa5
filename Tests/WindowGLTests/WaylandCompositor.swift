import Foundation
import TestSupport

/// A Wayland compositor in a window of a virtual display; it ends with the last reference.
///
/// Without any display it would have no seat, which GLFW 3.4 dereferences (glfw issue 2517).
final class WaylandCompositor {
    private let display: VirtualDisplay
    private let process: LineProcess
    private let folder: URL

    /// Starts it.
    ///
    /// - Parameter seconds: for how long it shows windows without any input, then it stops without telling its clients;
    ///   0 for ever.
    /// - Throws: if it does not start.
    init(showsFor seconds: Int) throws {
        display = try VirtualDisplay()
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("vitrail-wl-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let command = """
            exec weston --backend=x11-backend.so --use-pixman --socket=vitrail --width=1024 --height=768 \
            --idle-time=\(seconds) 2>&1
            """
        process = try LineProcess(
            "/bin/sh", ["-c", command],
            environment: ["XDG_RUNTIME_DIR": folder.path, "WAYLAND_DISPLAY": nil, "DISPLAY": display.name])
        // Launched when the compositor's loop runs, so the socket is there.
        try process.wait(for: "weston-desktop-shell'")
    }

    deinit {
        process.terminate()
        try? FileManager.default.removeItem(at: folder)
    }

    /// The environment of its clients.
    ///
    /// - Parameter library: the folder with GLFW for Wayland.
    /// - Returns: the variables to change.
    func environment(library: String?) -> [String: String?] {
        ["XDG_RUNTIME_DIR": folder.path, "WAYLAND_DISPLAY": "vitrail", "DISPLAY": nil, "LD_LIBRARY_PATH": library]
    }
}
