import FFmpegMedia
import MediaIO
import VitrailSupport

/// An output beside the window: `FILE`, `URL`, `v4l2:DEVICE`, `pipewire:NAME` or `gst:PIPELINE`, with options after a `?` or,
/// in a URL, a `#`.
///
/// As in inputs (``URLOptions``), parameters of a URL that are none of these options are left to the receiver.
struct LiveOutputSpecification: Hashable, Sendable {
    /// An option that can follow.
    enum Option: String, CaseIterable {
        case size, fps, codec, crf, bitrate, lossless, gop, tune, depth, colorspace, sdp, secret

        /// The accepted values, for help and errors.
        var values: String {
            switch self {
            case .size: "WIDTHxHEIGHT, each up to \(LiveOutputSpecification.longestSide), by default 1280x720"
            case .fps: "N or N/D, 0.1 to 240, by default 25"
            case .codec: VideoEncoding.codecs.map(\.rawValue).joined(separator: ", ")
            case .crf: "a number, the lower the better"
            case .bitrate: "bits per second, such as 4M or 800k"
            case .lossless: "yes, no"
            case .gop: "the most pictures between key frames, else those of 2 s"
            case .tune: VideoEncoding.Tuning.allCases.map(\.rawValue).joined(separator: ", ") + ", by default live"
            case .depth: "the bits of a sample: 8, 10"
            case .colorspace:
                VideoEncoding.Colors.allCases.map(\.rawValue).joined(separator: ", ") + ", by default bt709"
            case .secret: "env:NAME or file:PATH, the password of the URL's user"
            case .sdp: "the file for the description of rtp://, else wall.sdp"
            }
        }
    }

    /// What it writes to.
    enum Form: Hashable, Sendable {
        case file(path: String, MediaContainer)
        case destination(MediaDestination)
        /// A video device that takes pictures, such as a loopback camera.
        case device(path: String)
        /// A camera of the desktop, by PipeWire.
        case pipeWire(name: String)
        /// A pipeline of GStreamer, in the notation of `gst-launch-1.0`.
        case pipeline(String)
    }

    /// What it writes to.
    private(set) var form: Form
    /// The size of its pictures.
    private(set) var size = VideoSize(width: 1280, height: 720)
    /// Its pictures per second.
    private(set) var frameRate = Rational(25)
    /// How they are encoded.
    private(set) var encoding = VideoEncoding(tuning: .live)
    /// The output without its options and secrets, for people.
    private(set) var name: String
    private var rates = 0
    private var sessionPath: String?
    private var secret: String?

    /// What encoders and renderers take.
    private static let longestSide = 16_384

    /// Reads an output.
    ///
    /// - Parameter text: the argument as typed.
    /// - Throws: ``ProgramError/Status/usage``, naming what is accepted.
    init(_ text: String) throws(ProgramError) {
        let typed = MediaLocation.hidingSecrets(in: text)
        let scheme = InputSpecification.scheme(of: text)
        let isPipeline = text.hasPrefix(InputSpecification.pipelinePrefix)
        let mark =
            isPipeline
            ? Self.pipelineOptions(text) : (scheme == nil ? nil : text.lastIndex(of: "#")) ?? text.firstIndex(of: "?")
        var address = mark.map { String(text[..<$0]) } ?? text
        let pieces = InputSpecification.pieces(mark.map { String(text[text.index(after: $0)...]) })
        var rest: [Substring] = []
        // All properties need a value before a method can be called.
        (form, name) = (.file(path: "", .mp4), typed)
        for piece in pieces {
            let option = Option(rawValue: String(piece.prefix { $0 != "=" }))
            let value = String(piece.dropFirst((option?.rawValue.count ?? 0) + 1))
            if let option, set(option, piece.contains("=") ? value : "yes") { continue }
            let isOurs = scheme == nil || mark.map { text[$0] == "#" } == true
            guard !isOurs, option == nil else { throw Self.refusal(typed, piece, option) }
            rest.append(piece)
        }
        if !rest.isEmpty { address += "?" + rest.joined(separator: "&") }
        guard rates < 2 else {
            throw ProgramError(.usage, "\(typed): crf, bitrate and lossless exclude each other: choose one.")
        }
        if let secret {
            do throws(ProgramError) {
                address = try SecretReference(secret).inserted(into: address)
            } catch {
                throw ProgramError(.usage, "\(typed): \(error.description).")
            }
        }
        form = try Self.form(address, scheme, sessionPath, typed)
        name = MediaLocation.hidingSecrets(in: isPipeline ? address.trimmed : address)
        switch form {
        case .pipeline, .device, .pipeWire:
            // What encodes and shows them needs even ones.
            size = VideoSize(width: (size.width + 1) & ~1, height: (size.height + 1) & ~1)
            guard encoding == VideoEncoding(tuning: .live) else {
                throw ProgramError(.usage, "\(typed): of the options, only size and fps apply: nothing is encoded.")
            }
        case .file, .destination: break
        }
        if sessionPath != nil, scheme != "rtp" {
            throw ProgramError(.usage, "\(typed): sdp applies to rtp:// only; omit it.")
        }
    }

    /// Begins the path of a video device, which one in `/dev` does not need.
    private static let devicePrefix = "v4l2:"

    /// Where the options of a pipeline begin: after its last `?`, if options follow it.
    private static func pipelineOptions(_ text: String) -> String.Index? {
        guard let mark = text.lastIndex(of: "?") else { return nil }
        let names = InputSpecification.pieces(String(text[text.index(after: mark)...])).map { piece in
            Option(rawValue: String(piece.prefix { $0 != "=" }))
        }
        return names.isEmpty || names.contains(nil) ? nil : mark
    }

    private static func form(
        _ address: String, _ scheme: String?, _ sessionPath: String?, _ typed: String
    ) throws(ProgramError) -> Form {
        switch scheme {
        case nil where address.hasPrefix(InputSpecification.pipelinePrefix):
            let description = String(address.dropFirst(InputSpecification.pipelinePrefix.count)).trimmed
            guard !description.isEmpty else {
                throw ProgramError(
                    .usage, "gst: needs a pipeline, as in 'gst:x264enc ! mpegtsmux ! filesink location=a.ts'.")
            }
            return .pipeline(description)
        case "rtp": return .destination(.session(url: address, path: sessionPath ?? "wall.sdp"))
        case let scheme? where MediaDestination.networkSchemes.contains(scheme):
            return .destination(.network(url: address))
        case _?: break
        case nil where address.hasPrefix(devicePrefix):
            guard address != devicePrefix else {
                throw ProgramError(.usage, "v4l2: needs a device, as in v4l2:/dev/video9.")
            }
            return .device(path: String(address.dropFirst(devicePrefix.count)))
        case nil where address.hasPrefix(InputSpecification.pipeWirePrefix):
            let name = String(address.dropFirst(InputSpecification.pipeWirePrefix.count))
            guard !name.isEmpty, !["camera", "screen"].contains(name) else {
                throw ProgramError(.usage, "\(typed): choose a name for the camera, as in pipewire:wall.")
            }
            return .pipeWire(name: name)
        case nil where address.hasPrefix("/dev/video"): return .device(path: address)
        case nil where pathExtension(address) == "m3u8":
            // FFmpeg makes the names of segments of it, and players read them as addresses.
            guard !address.contains("%"), !FilePath.pieces(address).name.contains(":") else {
                throw ProgramError(.usage, "\(typed): choose a name for the playlist without : and %.")
            }
            return .destination(.playlist(path: address))
        case nil: if let container = MediaContainer(path: address) { return .file(path: address, container) }
        }
        let schemes = (MediaDestination.networkSchemes + ["rtp"]).map { $0 + "://" }.joined(separator: " ")
        throw ProgramError(
            .usage,
            "\(typed) is no output for a stream: use a file (.mp4, .mov, .mkv, .webm, .ts), a playlist (.m3u8), a loopback camera (/dev/video9), a camera of the desktop (pipewire:wall), gst: and a pipeline, or one of \(schemes)"
        )
    }

    private static func refusal(_ typed: String, _ piece: Substring, _ option: Option?) -> ProgramError {
        if let option {
            let value = Secrets.shown(piece, of: typed)
            return ProgramError(
                .usage, "\(typed): “\(value)” is not a value of \(option.rawValue); use \(option.values).")
        }
        let names = Option.allCases.map(\.rawValue).joined(separator: ", ")
        let name = Secrets.shown(piece.prefix { $0 != "=" }, of: typed)
        return ProgramError(.usage, "\(typed): the option “\(name)” does not exist; use one of \(names).")
    }

    /// Sets an option; false if the value is not accepted.
    private mutating func set(_ option: Option, _ value: String) -> Bool {
        switch option {
        case .size:
            let sides = 1...Self.longestSide
            guard let size = VideoSize(value), sides.contains(size.width), sides.contains(size.height) else {
                return false
            }
            self.size = size
        case .fps:
            guard let rate = Rational(value), (0.1...240).contains(rate.value) else { return false }
            frameRate = rate
        case .codec:
            let codec = PacketCodec(rawValue: value)
            guard VideoEncoding.codecs.contains(codec) else { return false }
            encoding.codec = codec
        case .crf:
            guard let quality = Double(value), quality.isFinite else { return false }
            (encoding.rate, rates) = (.quality(quality), rates + 1)
        case .bitrate:
            guard let rate = BitRate(argument: value) else { return false }
            (encoding.rate, rates) = (.bitRate(rate.bitsPerSecond), rates + 1)
        case .lossless:
            guard let isOn = ["yes": true, "no": false][value] else { return false }
            if isOn { (encoding.rate, rates) = (.lossless, rates + 1) }
        case .gop:
            guard let count = Int(value), (1...100_000).contains(count) else { return false }
            encoding.keyFrameInterval = count
        case .tune:
            guard let tuning = VideoEncoding.Tuning(rawValue: value) else { return false }
            encoding.tuning = tuning
        case .depth:
            guard let depth = Int(value), [8, 10].contains(depth) else { return false }
            encoding.depth = depth
        case .colorspace:
            guard let colors = VideoEncoding.Colors(rawValue: value) else { return false }
            encoding.colors = colors
        case .secret: secret = value
        case .sdp:
            guard let path = Secrets.percentDecoded(value[...]), !path.isEmpty else { return false }
            sessionPath = path
        }
        return true
    }
}
