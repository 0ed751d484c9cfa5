import FFmpegMedia
import MediaIO
import V4L2Capture
import VideoWall

/// An option that can follow the `?` of an input.
enum InputOption: String, CaseIterable, Sendable {
    case format
    case size
    case fps
    case stride
    case matrix
    case range
    case primaries
    case transfer
    case chroma
    case swapuv
    case crop
    case sar
    case rotate
    case mirror
    case content
    case filter
    case effect
    case label
    case loop
    case utc
    case record
    case buffering
    case latency
    case deinterlace
    case tls
    case ca

    /// Whether it is yes or no, and yes if it stands alone.
    var isSwitch: Bool { [.loop, .swapuv, .record, .utc].contains(self) }

    /// The accepted values, for help and errors.
    var values: String {
        switch self {
        case .format: "the name of a pixel format, such as i420, yuv420p10le or v4l2:YUYV"
        case .size: "WIDTHxHEIGHT, each at least 1"
        case .fps: "N or N/D, such as 30 or 30000/1001"
        case .stride: "bytes from one row of the first plane to the next"
        case .matrix: Self.names(of: ColorSpace.Matrix.self)
        case .range: Self.names(of: ColorSpace.Range.self)
        case .primaries: Self.names(of: ColorSpace.Primaries.self)
        case .transfer: Self.names(of: ColorSpace.Transfer.self)
        case .chroma: Self.names(of: ChromaLocation.self)
        case .crop: "WIDTHxHEIGHT+X+Y, the part to show, in pixels from the upper left"
        case .sar: "N:D, the aspect ratio of a pixel, 1:100 to 100:1"
        case .rotate: VideoRotation.allCases.map { "\($0.rawValue)" }.joined(separator: ", ") + " (clockwise)"
        case .mirror: Self.names(of: VideoMirror.self)
        case .content: Self.names(of: ContentMode.self)
        case .filter: Self.names(of: ScalingFilter.self)
        case .effect: "EFFECT:PARAMETER=VALUE:…,EFFECT…, see vitrail effects; none"
        case .label: "the text on the tile"
        case .loop, .swapuv, .record: "yes, no"
        case .utc: "yes, no: whether a test pattern shows the time of day, UTC, instead of the time since its start"
        case .buffering: Self.names(of: CameraRequest.Buffering.self) + ": what matters more when frames are late"
        case .latency:
            "0 to 2000 milliseconds that pictures are held, or two bounds such as 0-300; without, 0-500"
        case .deinterlace: Self.names(of: Deinterlacing.self) + ": auto for what the stream marks as interlaced"
        case .tls: "verify, insecure: whether the server's certificate must be valid"
        case .ca: "the path of a PEM file with the certificates to trust"
        }
    }

    /// The error for a value that is not accepted, with the accepted ones.
    ///
    /// - Parameters:
    ///   - typed: the value as typed.
    ///   - value: the decoded value, or `nil` if its escapes are broken.
    /// - Returns: a sentence.
    func refusal(_ typed: Substring, _ value: String?) -> String {
        // A list of all format names would fill a page.
        if self == .format, let value { return PixelFormat.refusal(of: value) }
        return "“\(typed)” is not a value of \(rawValue); use \(values)."
    }

    /// Sets a value in the options.
    ///
    /// - Returns: false if the value is not accepted.
    func apply(_ value: String, to options: inout InputOptions) -> Bool {
        func set<Value>(_ path: WritableKeyPath<InputOptions, Value?>, _ value: Value?) -> Bool {
            options[keyPath: path] = value
            return value != nil
        }
        switch self {
        case .format:
            options.formatTags = PixelFormat.colorTags(impliedBy: value)
            return set(\.format, PixelFormat(named: value))
        case .size: return set(\.size, VideoSize(value))
        case .fps: return set(\.frameRate, Rational(value))
        case .stride: return set(\.bytesPerRow, Self.number(value))
        case .matrix: return set(\.matrix, ColorSpace.Matrix(rawValue: value))
        case .range: return set(\.range, ColorSpace.Range(rawValue: value))
        case .primaries: return set(\.primaries, ColorSpace.Primaries(rawValue: value))
        case .transfer: return set(\.transfer, ColorSpace.Transfer(rawValue: value))
        case .chroma: return set(\.chroma, ChromaLocation(rawValue: value))
        case .crop: return set(\.crop, Rectangle(crop: value))
        case .sar:
            // The same limits as FFmpegMedia has for files.
            let isUsual = { (ratio: Rational) in (0.01...100).contains(ratio.value) }
            return set(\.pixelAspectRatio, Rational(value).flatMap { isUsual($0) ? $0 : nil })
        case .rotate: return set(\.rotation, Self.number(value, from: 0).flatMap(VideoRotation.init(rawValue:)))
        case .mirror: return set(\.mirror, VideoMirror(rawValue: value))
        case .content: return set(\.contentMode, ContentMode(rawValue: value))
        case .filter: return set(\.filter, ScalingFilter(rawValue: value))
        // OptionReader reads effect chains itself, because their errors say more than the accepted values.
        case .effect: return false
        case .label: return set(\.label, value.isEmpty ? nil : value)
        case .loop: return set(\.loops, ["yes": true, "no": false][value])
        case .utc: return set(\.isUniversal, ["yes": true, "no": false][value])
        case .record: return set(\.records, ["yes": true, "no": false][value])
        case .swapuv: return set(\.swapsChroma, ["yes": true, "no": false][value])
        case .buffering: return set(\.buffering, CameraRequest.Buffering(rawValue: value))
        case .latency: return set(\.playout, PlayoutDelay(milliseconds: value))
        case .deinterlace: return set(\.deinterlacing, Deinterlacing(rawValue: value))
        case .tls: return set(\.verifiesServer, ["verify": true, "insecure": false][value])
        case .ca: return set(\.authority, InputSpecification.fileExists(value) ? value : nil)
        }
    }

    /// Accepts digits only: `Int` would accept a sign, too.
    fileprivate static func number(_ text: String, from least: Int = 1) -> Int? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int32(text), number >= least else {
            return nil
        }
        return Int(number)
    }

    private static func names<Value: CaseIterable & RawRepresentable<String>>(of type: Value.Type) -> String {
        type.allCases.map(\.rawValue).joined(separator: ", ")
    }
}

extension Rectangle {
    /// Reads `WIDTHxHEIGHT+X+Y`; neither side may be 0.
    init?(crop text: String) {
        let parts = text.split(separator: "+", omittingEmptySubsequences: false)
        guard parts.count == 3, let size = VideoSize(String(parts[0])),
            let x = InputOption.number(String(parts[1]), from: 0), let y = InputOption.number(String(parts[2]), from: 0)
        else { return nil }
        self.init(x: x, y: y, width: size.width, height: size.height)
    }
}

extension PlayoutDelay {
    /// Reads `MILLISECONDS` or `MILLISECONDS-MILLISECONDS`.
    init?(milliseconds text: String) {
        let bounds = text.split(separator: "-", omittingEmptySubsequences: false).map { bound in
            InputOption.number(String(bound), from: 0).map { Duration.milliseconds($0) }
        }
        guard let first = bounds.first ?? nil, let last = bounds.last ?? nil, bounds.count <= 2, first <= last,
            last <= Self.maximum
        else { return nil }
        self.init(first, last)
    }
}

extension PixelFormat {
    /// The error for a name that no pixel format has.
    static func refusal(of name: String) -> String {
        let shown = MediaLocation.hidingSecrets(in: name)
        let prefix = shown.prefix { $0 != ":" }
        if prefix.utf8.count < shown.utf8.count, Vocabulary(rawValue: prefix.lowercased()) == nil {
            let known = Vocabulary.allCases.map { $0.rawValue + ":" }.joined(separator: " ")
            return "“\(shown)” is not a pixel format: “\(prefix):” is not one of \(known)"
        }
        let close = namesClose(to: name)
        let hint = close.isEmpty ? "" : "; similar names: \(close.joined(separator: ", "))"
        return "“\(shown)” is not a pixel format\(hint). vitrail formats lists all."
    }
}
