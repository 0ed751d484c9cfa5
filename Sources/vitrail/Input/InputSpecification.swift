import FFmpegMedia
import Glibc
import MediaIO
import PipeWireMedia
import V4L2Capture
import VideoSources
import VitrailSupport

/// One input of the command line: `PATH`, `URL`, `-`, `test:PATTERN`, `pipewire:NODE` or `gst:PIPELINE`, with options after
/// a `?` or, in a URL, a `#`.
struct InputSpecification: Hashable, Sendable {
    /// The kind of input.
    enum Kind: Hashable, Sendable {
        /// A Y4M file.
        case y4m(path: String)
        /// A file of planes without a header.
        case raw(path: String)
        /// Y4M on standard input.
        case standardInput
        /// A media file.
        case media(path: String)
        /// A media stream.
        case url(String)
        /// A session description, whose streams are received.
        case session(path: String)
        /// A generated test pattern.
        case test(TestPattern)
        /// A camera, by device or by name.
        case camera(String)
        /// A pipeline of GStreamer, in the notation of `gst-launch-1.0`.
        case pipeline(String)
        /// A camera, a screen or another program's pictures, by PipeWire.
        case pipeWire(PipeWireInput)
    }

    /// The kind of input, and its location.
    let kind: Kind
    /// The options after the `?`.
    var options: InputOptions
    /// The input as typed, but without secrets, for reports and errors.
    let typed: String
    /// The input without its options, and with its secrets.
    let address: String
    /// The options as text.
    let settings: [InputOption: String]
    /// Remarks for the user on how the argument was read.
    private(set) var notes: [String] = []

    /// Reads an input.
    ///
    /// - Parameters:
    ///   - text: the argument as typed.
    ///   - isComplete: false if other options may follow, which are checked with these then.
    ///   - exists: whether a path exists; an existing path is used literally, even if it contains a `?`.
    /// - Throws: ``ProgramError/Status/usage``, naming what is accepted.
    init(
        _ text: String, isComplete: Bool = true, exists: (String) -> Bool = fileExists
    ) throws(ProgramError) {
        var (name, query) = Self.split(text, exists)
        typed = MediaLocation.hidingSecrets(in: text)
        switch Self.scheme(of: name) {
        case let scheme? where MediaLocation.networkSchemes.contains(scheme) && !exists(name):
            let url = try URLOptions(text, typed)
            try Self.checkTrust(url.options, scheme, typed)
            (kind, options, notes) = (.url(url.address), url.options, url.notes)
            (address, settings) = (url.address, url.settings)
            return
        case "file" where !exists(name): name = try Self.path(ofURL: name, typed)
        case let scheme? where !exists(name):
            let known = (MediaLocation.networkSchemes + ["file"]).map { $0 + "://" }.joined(separator: " ")
            throw ProgramError(.usage, "\(typed) is not a file, and \(scheme):// is not one of \(known)")
        default: break
        }
        let kind = try Self.kind(of: name, exists)
        self.kind = kind
        var reader = OptionReader(subject: typed, allowed: kind.options)
        for piece in Self.pieces(query) { try reader.read(piece) }
        if isComplete { try Self.check(reader.options, of: kind, typed) }
        (address, options, settings) = (name, reader.options, reader.settings)
    }

    /// Reads an input of a document.
    ///
    /// - Parameters:
    ///   - input: the input, whose address has no options.
    ///   - isSubstream: whether it has the options of a main stream, of which some may not apply to it.
    ///   - exists: whether a path exists.
    /// - Throws: ``ProgramError/Status/usage``, naming what is accepted.
    init(
        _ input: WallInput, isSubstream: Bool = false, exists: (String) -> Bool = fileExists
    ) throws(ProgramError) {
        let address = try input.addressWithSecret()
        typed = MediaLocation.hidingSecrets(in: input.address)
        let scheme = Self.scheme(of: address).flatMap { MediaLocation.networkSchemes.contains($0) ? $0 : nil }
        kind = scheme != nil && !exists(address) ? .url(address) : try Self.kind(of: address, exists)
        var settings = input.settings
        settings[.label] = input.name
        settings[.effect] = input.effects
        let allowed = kind.options
        if isSubstream { settings = settings.filter { allowed.contains($0.key) } }
        var reader = OptionReader(subject: typed, allowed: allowed)
        try reader.read(settings)
        if let scheme { try Self.checkTrust(reader.options, scheme, typed) }
        try Self.check(reader.options, of: kind, typed)
        (self.address, options, self.settings) = (address, reader.options, settings)
    }

    private static func checkTrust(
        _ options: InputOptions, _ scheme: String, _ typed: String
    ) throws(ProgramError) {
        guard scheme != "rtsps" || options.authority == nil else {
            throw ProgramError(
                .usage,
                "\(typed): ca does not apply to rtsps://, whose servers FFmpeg cannot verify: use tls=insecure instead if you trust the network."
            )
        }
    }

    /// The name to display: the last part of the path, or the URL without secrets.
    var name: String {
        switch kind {
        case .y4m(let path), .raw(let path), .media(let path), .session(let path):
            path.split(separator: "/").last.map(String.init) ?? path
        case .standardInput: "standard input"
        case .url(let address): MediaLocation.network(url: address).description
        case .test(let pattern): pattern.rawValue
        case .camera(let name): name.hasPrefix("/") ? name : "camera:\(MediaLocation.hidingSecrets(in: name))"
        case .pipeline(let description): MediaLocation.hidingSecrets(in: "gst:\(description)")
        case .pipeWire(let input): MediaLocation.hidingSecrets(in: "\(input)")
        }
    }

    /// What identifies the connection that shows it; `nil` for inputs that are opened for each tile.
    var connection: Connection? {
        switch kind {
        case .url, .session, .camera, .pipeline, .pipeWire: opening
        case .y4m, .raw, .standardInput, .media, .test: nil
        }
    }

    /// What matters when the input is opened: what options change in its pictures does not.
    var opening: Connection { Connection(kind: kind, options: options.ofConnection) }

    /// A connection, which several tiles may share.
    struct Connection: Hashable, Sendable {
        fileprivate let kind: Kind
        fileprivate let options: InputOptions
    }

    /// Whether the input never ends.
    var isEndless: Bool {
        if case .test = kind { return true }
        return options.loops == true
    }

    /// The file that must exist, or `nil` if the input is not a file.
    var path: String? {
        switch kind {
        case .y4m(let path), .raw(let path), .media(let path), .session(let path): path
        case .standardInput, .url, .test, .camera, .pipeline, .pipeWire: nil
        }
    }

    /// Whether it reads a file, which may have another name.
    func reads(_ file: String) -> Bool {
        path.map { FilePath.isSame($0, file) } ?? false
    }

    /// The default size of a test pattern.
    static let testPatternSize = VideoSize(width: 1280, height: 720)

    /// Whether `path` exists.
    static func fileExists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    // MARK: Name

    /// Splits at the last `?` whose left side exists, or else at the first one.
    private static func split(_ text: String, _ exists: (String) -> Bool) -> (name: String, query: String?) {
        if text.hasPrefix(pipelinePrefix) { return splitPipeline(text) }
        if exists(text) { return (text, nil) }
        let marks = text.indices.filter { text[$0] == "?" }
        guard let mark = marks.last(where: { exists(String(text[..<$0])) }) ?? marks.first else { return (text, nil) }
        return (String(text[..<mark]), String(text[text.index(after: mark)...]))
    }

    /// Before a pipeline.
    static let pipelinePrefix = "gst:"

    /// What inputs begin with that are neither paths nor URLs.
    static let prefixes = ["test:", "camera:", pipelinePrefix, pipeWirePrefix]

    /// Before what PipeWire has.
    static let pipeWirePrefix = "pipewire:"

    /// Splits a pipeline at its last `?` if options follow it: others belong to addresses in the pipeline.
    private static func splitPipeline(_ text: String) -> (name: String, query: String?) {
        guard let mark = text.lastIndex(of: "?") else { return (text, nil) }
        let query = String(text[text.index(after: mark)...])
        let names = pieces(query).map { InputOption(rawValue: String($0.prefix { $0 != "=" })) }
        return names.isEmpty || names.contains(nil) ? (text, nil) : (String(text[..<mark]), query)
    }

    private static func kind(of name: String, _ exists: (String) -> Bool) throws(ProgramError) -> Kind {
        guard !name.isEmpty else {
            throw ProgramError(
                .usage, "An input is empty: give a path, a URL, - for Y4M on standard input, or test:bars.")
        }
        // A file of that name is ./-, by convention.
        if name == "-" { return .standardInput }
        // This includes links, such as those that udev makes in /dev/v4l/by-id.
        if CameraSelector.isVideoNode(name) { return .camera(name.hasPrefix("/") ? name : "./\(name)") }
        if exists(name), !name.hasPrefix("/dev/video"), !name.hasPrefix("/dev/v4l/") { return kind(ofPath: name) }
        if name.hasPrefix("test:") {
            let pattern = String(name.dropFirst("test:".count))
            guard let known = TestPattern(rawValue: pattern) else {
                let names = TestPattern.allCases.map { "test:\($0.rawValue)" }.joined(separator: ", ")
                throw ProgramError(
                    .usage,
                    "There is no test pattern “\(MediaLocation.hidingSecrets(in: pattern))”: use one of \(names).")
            }
            return .test(known)
        }
        if name.hasPrefix(pipelinePrefix) {
            let description = String(name.dropFirst(pipelinePrefix.count)).trimmed
            guard !description.isEmpty else {
                throw ProgramError(.usage, "gst: needs a pipeline, as in 'gst:v4l2src ! jpegdec'.")
            }
            return .pipeline(description)
        }
        if name.hasPrefix(pipeWirePrefix) {
            guard let input = PipeWireInput(String(name.dropFirst(pipeWirePrefix.count))) else {
                throw ProgramError(
                    .usage,
                    "pipewire: needs a name, as in pipewire:screen, pipewire:camera, or one that vitrail devices lists."
                )
            }
            return .pipeWire(input)
        }
        if name.hasPrefix("camera:") {
            // The reason why a camera is missing names it, on its tile, too. An address may have a password in it.
            guard !name.contains("://") else {
                throw ProgramError(
                    .usage, "\(MediaLocation.hidingSecrets(in: name)) is no camera: write an address without “camera:”."
                )
            }
            return .camera(String(name.dropFirst("camera:".count)))
        }
        // Cameras that are not connected yet have no device file.
        if name.hasPrefix("/dev/video") || name.hasPrefix("/dev/v4l/") { return .camera(name) }
        return kind(ofPath: name)
    }

    private static func kind(ofPath path: String) -> Kind {
        switch pathExtension(path) {
        case "y4m": return .y4m(path: path)
        case "sdp": return .session(path: path)
        default: break
        }
        return RawReader.format(ofFileNamed: path) == nil ? .media(path: path) : .raw(path: path)
    }

    /// The scheme before `://` in lower case, or `nil` if that is not a scheme.
    static func scheme(of name: String) -> String? {
        guard let colon = name.firstIndex(of: ":"), name[colon...].hasPrefix("://") else { return nil }
        let scheme = name[..<colon].lowercased()
        let isScheme = scheme.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (0x30...0x39).contains(byte)
                || "+-.".utf8.contains(byte)
        }
        return isScheme && !scheme.isEmpty ? scheme : nil
    }

    /// The path of a `file://` URL.
    ///
    /// - Parameters:
    ///   - url: the URL, without options.
    ///   - typed: the same without secrets, for errors.
    /// - Returns: the path, decoded.
    /// - Throws: ``ProgramError/Status/usage`` if it is no file on this computer.
    static func path(ofURL url: String, _ typed: String) throws(ProgramError) -> String {
        let rest = url.dropFirst("file://".count)
        let path = rest.lowercased().hasPrefix("localhost/") ? rest.dropFirst("localhost".count) : rest
        guard path.hasPrefix("/"), let decoded = Secrets.percentDecoded(path), !decoded.utf8.contains(0) else {
            throw ProgramError(
                .usage, "\(typed) is not the address of a file here: write it as file:///PATH, or only /PATH.")
        }
        return decoded
    }

    // MARK: Options

    /// Checks options that depend on the kind of input, or on each other.
    private static func check(_ options: InputOptions, of kind: Kind, _ typed: String) throws(ProgramError) {
        switch kind {
        case .raw where options.size == nil:
            throw ProgramError(
                .usage,
                "\(typed): the size of raw video must be given: add ?size=WIDTHxHEIGHT (and format, fps, stride).")
        case .raw, .test:
            // The size of other inputs is known only once they are open.
            let size = options.size ?? testPatternSize
            if let crop = options.crop, !crop.lies(in: size) {
                throw ProgramError(.usage, "\(typed): the crop \(crop.cropDescription) does not fit in \(size).")
            }
        default: break
        }
    }

    /// The parts of what follows a `?` or a `#`.
    static func pieces(_ query: String?) -> [Substring] {
        guard let query, !query.isEmpty else { return [] }
        return query.split(separator: "&", omittingEmptySubsequences: false)
    }
}

extension InputSpecification.Kind {
    /// The options that this kind of input accepts.
    var options: [InputOption] {
        let picture: [InputOption] = [
            .matrix, .range, .primaries, .transfer, .chroma, .swapuv, .crop, .sar, .rotate, .mirror, .content, .filter,
            .effect,
            .label,
        ]
        return switch self {
        case .y4m: picture + [.loop]
        case .media: picture + [.loop, .deinterlace]
        case .url: picture + [.loop, .record, .latency, .deinterlace, .tls, .ca]
        case .session: picture + [.record, .latency, .deinterlace]
        case .raw: [.format, .size, .fps, .stride] + picture + [.loop]
        case .standardInput: picture
        case .test: [.format, .size, .fps, .utc] + picture
        case .camera: [.format, .size, .fps, .record, .buffering, .deinterlace] + picture
        case .pipeline: picture + [.loop]
        case .pipeWire: picture
        }
    }

    /// Whether the frames are generated, in the colours that the options ask for.
    var isGenerated: Bool {
        if case .test = self { return true }
        return false
    }
}
