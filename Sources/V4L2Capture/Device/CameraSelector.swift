import Glibc
public import MediaIO

/// Which camera is meant: by its node, its name or its identity.
public struct CameraSelector: Hashable, Sendable, CustomStringConvertible {
    /// As given; empty for the first camera.
    public let text: String

    /// Selects a camera.
    ///
    /// - Parameter text: a path (`/dev/video0`, or a link to it); a camera's ``CameraDevice/identity``,
    ///   ``CameraDevice/bus``, ``CameraDevice/serial`` or ``CameraDevice/name``; a part of one camera's name, in any case;
    ///   or nothing for the first camera.
    public init(_ text: String) { self.text = text }

    /// For errors.
    public var description: String { text.isEmpty ? "the first camera" : text }

    /// Finds the camera.
    ///
    /// - Throws: ``StreamError/Code/cannotOpen``, with the cameras that there are.
    public func find(among cameras: [CameraDevice]) throws(StreamError) -> CameraDevice {
        if text.hasPrefix("/") {
            let target = Self.target(of: text)
            if let camera = cameras.first(where: { $0.path == target }) { return camera }
            throw missing("\(text) is not a camera", cameras)
        }
        if text.isEmpty {
            if let camera = cameras.first { return camera }
            throw missing("There is no camera", cameras)
        }
        let exact = cameras.filter { [$0.identity, $0.bus, $0.serial, $0.name].contains(text) }
        if let camera = exact.first { return camera }
        let close = cameras.filter { $0.name.lowercased().contains(text.lowercased()) }
        if close.count == 1 { return close[0] }
        throw missing(close.isEmpty ? "There is no camera “\(text)”" : "Several cameras are called “\(text)”", cameras)
    }

    private func missing(_ problem: String, _ cameras: [CameraDevice]) -> StreamError {
        let list = cameras.map { "\($0.name) (\($0.identity), \($0.path))" }.joined(separator: "; ")
        let hint = cameras.isEmpty ? "connect one." : "there is: \(list)."
        return StreamError(.cannotOpen, "\(problem): \(hint)", underlying: ENOENT)
    }

    /// Where a link leads, such as those in `/dev/v4l/by-id`.
    private static func target(of path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}
