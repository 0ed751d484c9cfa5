import Glibc
public import MediaIO

/// Which camera is meant: by its node, its name or its identity.
public struct CameraSelector: Hashable, Sendable, CustomStringConvertible {
    /// As given; empty for the first camera.
    public let text: String

    /// Selects a camera.
    ///
    /// - Parameter text: a path (`/dev/video0`, or a link to it); a camera's ``CameraDevice/identity``,
    ///   ``CameraDevice/bus``, ``CameraDevice/serial`` or ``CameraDevice/name``; a part of one camera's name
    ///   or else identity, in any case; or nothing for the first camera.
    public init(_ text: String) { self.text = text }

    /// For errors.
    public var description: String { text.isEmpty ? "the first camera" : text }

    /// Finds the camera.
    ///
    /// - Throws: ``StreamError/Code/cannotOpen``, with the cameras that there are.
    public func find(among cameras: [CameraDevice]) throws(StreamError) -> CameraDevice {
        if text.hasPrefix("/") || text.hasPrefix("./") {
            let target = Self.target(of: text)
            if let camera = cameras.first(where: { $0.path == target }) { return camera }
            throw missing("There is no camera at \(text)", cameras)
        }
        if text.isEmpty {
            if let camera = cameras.first { return camera }
            throw missing("There is no camera", cameras)
        }
        if let camera = cameras.first(where: { $0.identity == text }) { return camera }
        if let camera = cameras.first(where: { $0.bus == text || $0.serial == text }) { return camera }
        let part = text.lowercased()
        var close = cameras.filter { $0.name == text }
        if close.isEmpty { close = cameras.filter { $0.name.lowercased().contains(part) } }
        if close.isEmpty { close = cameras.filter { $0.identity.lowercased().contains(part) } }
        if close.count == 1 { return close[0] }
        throw missing(close.isEmpty ? "There is no camera “\(text)”" : "Several cameras are called “\(text)”", cameras)
    }

    /// Whether a path leads to a node of the kernel's video subsystem, even one that does not capture: radio, VBI,
    /// touch.
    package static func isVideoNode(_ path: String) -> Bool {
        var status = stat()
        // The number 81 is that of video4linux in the kernel's list of devices.
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR && status.st_rdev >> 8 & 0xfff == 81
    }

    private func missing(_ problem: String, _ cameras: [CameraDevice]) -> StreamError {
        let list = cameras.map { "\($0.name) (\($0.identity), \($0.path))" }.joined(separator: "; ")
        let hint = cameras.isEmpty ? "connect one." : "there is: \(list)."
        // A node that cannot be opened may be the wanted camera, so the error names its problem, too.
        let locked = cameras.compactMap(\.problem).first.map { " \($0)" } ?? ""
        return StreamError(.cannotOpen, "\(problem): \(hint)\(locked)", underlying: ENOENT)
    }

    /// Where a link leads, such as those in `/dev/v4l/by-id`.
    private static func target(of path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}
