import MediaIO

/// What can follow the `?` of an input.
enum InputOption: String, CaseIterable, Sendable {
    case format
    case size
    case fps
    case stride
    case matrix
    case range
    case chroma
    case rotate
    case mirror
    case content
    case label
    case loop

    /// The values that fit, for help and for errors.
    var values: String {
        switch self {
        case .format: Self.names(of: PixelFormat.self)
        case .size: "WIDTHxHEIGHT, each at least 1"
        case .fps: "N or N/D, such as 30 or 30000/1001"
        case .stride: "bytes from one row of the first plane to the next"
        case .matrix: Self.names(of: ColorSpace.Matrix.self)
        case .range: Self.names(of: ColorSpace.Range.self)
        case .chroma: Self.names(of: ChromaLocation.self)
        case .rotate: VideoRotation.allCases.map { "\($0.rawValue)" }.joined(separator: ", ") + " (clockwise)"
        case .mirror: Self.names(of: VideoMirror.self)
        case .content: Self.names(of: ContentMode.self)
        case .label: "the text on the tile"
        case .loop: "yes, no"
        }
    }

    /// Writes a value into options.
    ///
    /// - Returns: false when the value does not fit.
    func apply(_ value: String, to options: inout InputOptions) -> Bool {
        func set<Value>(_ path: WritableKeyPath<InputOptions, Value?>, _ value: Value?) -> Bool {
            options[keyPath: path] = value
            return value != nil
        }
        switch self {
        case .format: return set(\.format, PixelFormat(rawValue: value))
        case .size: return set(\.size, VideoSize(value))
        case .fps: return set(\.frameRate, Rational(value))
        case .stride: return set(\.bytesPerRow, Self.number(value))
        case .matrix: return set(\.matrix, ColorSpace.Matrix(rawValue: value))
        case .range: return set(\.range, ColorSpace.Range(rawValue: value))
        case .chroma: return set(\.chroma, ChromaLocation(rawValue: value))
        case .rotate: return set(\.rotation, Self.number(value, from: 0).flatMap(VideoRotation.init(rawValue:)))
        case .mirror: return set(\.mirror, VideoMirror(rawValue: value))
        case .content: return set(\.contentMode, ContentMode(rawValue: value))
        case .label: return set(\.label, value.isEmpty ? nil : value)
        case .loop: return set(\.loops, ["yes": true, "no": false][value])
        }
    }

    /// Digits only: `Int` would take a sign as well.
    private static func number(_ text: String, from least: Int = 1) -> Int? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int32(text), number >= least else {
            return nil
        }
        return Int(number)
    }

    private static func names<Value: CaseIterable & RawRepresentable<String>>(of type: Value.Type) -> String {
        type.allCases.map(\.rawValue).joined(separator: ", ")
    }
}

/// What the options of one input say; `nil` where they say nothing.
struct InputOptions: Hashable, Sendable {
    var format: PixelFormat?
    var size: VideoSize?
    var frameRate: Rational?
    var bytesPerRow: Int?
    var matrix: ColorSpace.Matrix?
    var range: ColorSpace.Range?
    var chroma: ChromaLocation?
    var rotation: VideoRotation?
    var mirror: VideoMirror?
    var contentMode: ContentMode?
    var label: String?
    var loops: Bool?
}
