import FFmpegMedia
import MediaIO
import PipeWireMedia

/// What an output must not be: an input, or another output.
extension LiveOutputSpecification {
    /// Refuses an input that this output makes.
    ///
    /// - Throws: ``ProgramError/Status/usage``.
    func check(isNot input: InputSpecification) throws(ProgramError) {
        guard leads(to: input) else { return }
        if case .pipeWire(.camera) = input.kind {
            throw ProgramError(
                .usage, "\(input.typed) may be \(name), the wall itself: name the camera, as vitrail devices does.")
        }
        throw ProgramError(.usage, "\(name) is both the input \(input.typed) and an output: choose another output.")
    }

    /// Whether it writes to what another output writes to, whatever their names are.
    func isSame(as other: LiveOutputSpecification) -> Bool {
        switch (form, other.form) {
        case (.file(let path, _), .file(let second, _)),
            (.destination(.playlist(let path)), .destination(.playlist(let second))),
            (.device(let path), .device(let second)):
            return FilePath.isSame(path, second)
        case (.destination(.network(let url)), .destination(.network(let second))),
            (.destination(.session(let url, _)), .destination(.session(let second, _))):
            return NetworkPlace(url) == NetworkPlace(second)
        default: return form == other.form
        }
    }

    /// Whether an input is what this output makes, so that the wall would show itself, or lose the input.
    private func leads(to input: InputSpecification) -> Bool {
        switch (form, input.kind) {
        case (.file(let path, _), _): return input.reads(path)
        case (.destination(.playlist(let path)), _):
            return input.reads(path) || input.path.map { Self.isSegment($0, of: path) } == true
        case (.destination(.session(let url, _)), .url(let address)): return Self.reaches(url, address)
        case (.destination(.session(_, let path)), _): return input.reads(path)
        case (.destination(.network(let url)), .url(let address)): return Self.reaches(url, address)
        case (.device(let path), .camera(let selector)): return path == selector
        // The camera that the desktop prefers may be the wall.
        case (.pipeWire(let name), .pipeWire(let input)): return input == .node(name) || input == .camera
        case (.destination(.network), _), (.pipeline, _), (.device, _), (.pipeWire, _): return false
        }
    }

    /// Whether what is sent to a URL comes back from another one.
    private static func reaches(_ url: String, _ address: String) -> Bool {
        guard let (to, from) = NetworkPlace(url).flatMap({ to in NetworkPlace(address).map { (to, $0) } }) else {
            return url == address
        }
        return to == from || to.isReceived(by: from)
    }

    /// Whether a file has the name of a segment of a playlist.
    private static func isSegment(_ path: String, of playlist: String) -> Bool {
        let (file, list) = (FilePath.pieces(path), FilePath.pieces(playlist))
        let begin = list.name.dropLast(".m3u8".count)
        guard file.name.hasPrefix(begin), file.name.hasSuffix(".ts") else { return false }
        let number = file.name.dropFirst(begin.count).dropLast(".ts".count)
        return !number.isEmpty && number.allSatisfy(\.isNumber) && FilePath.isSame(file.folder, list.folder)
    }
}

/// What a URL names, without its parameters, its user and the way it is written.
private struct NetworkPlace: Equatable {
    private let scheme: String
    private let host: String
    private let port: Int?
    private let path: Substring

    private static let ports = ["rtsp": 554, "rtsps": 322, "rtmp": 1935, "rtmps": 443, "http": 80, "https": 443]

    init?(_ url: String) {
        let end = url.prefix { $0 != "?" && $0 != "#" }
        guard let colon = end.firstRange(of: "://") else { return nil }
        let scheme = end[..<colon.lowerBound].lowercased()
        let rest = end[colon.upperBound...]
        var authority = rest.prefix { $0 != "/" }
        let path = rest[authority.endIndex...]
        if let at = authority.lastIndex(of: "@") { authority = authority[authority.index(after: at)...] }
        let mark = authority.lastIndex(of: ":").flatMap { authority[$0...].contains("]") ? nil : $0 }
        let host = (mark.map { authority[..<$0] } ?? authority).lowercased()
        // RTP is in datagrams of UDP.
        self.scheme = scheme == "rtp" ? "udp" : scheme
        self.host =
            switch host {
            case "", "0.0.0.0", "[::]": ""
            case "[::1]": "localhost"
            case _ where host.hasPrefix("127."): "localhost"
            default: host
            }
        port = mark.flatMap { Int(authority[authority.index(after: $0)...]) } ?? Self.ports[scheme]
        // What SRT publishes and reads has a name instead: streamid=publish:NAME (MediaMTX).
        let name = scheme == "srt" ? url.firstRange(of: "streamid=").map { url[$0.upperBound...] } : nil
        let identifier = name?.prefix { $0 != "&" && $0 != "#" }
        self.path = identifier?.split(separator: ":").last ?? (path == "/" ? "" : path)
    }

    /// Whether who waits at the other place, on any of this machine's addresses, gets what is sent here.
    func isReceived(by other: NetworkPlace) -> Bool {
        ["udp", "tcp", "srt"].contains(scheme) && scheme == other.scheme && port == other.port
            && path == other.path && (other.host.isEmpty || host.isEmpty) && ["", "localhost"].contains(host)
            && ["", "localhost"].contains(other.host)
    }
}
