import MediaIO
import VitrailGL

/// The output of `vitrail info` without an input.
struct MachineReport: Codable, Hashable {
    struct OpenGL: Codable, Hashable {
        var vendor: String
        var renderer: String
        var version: String
        var maximumTextureSize: Int
        var isSoftware: Bool

        init(_ information: GLInformation) {
            vendor = information.vendor
            renderer = information.renderer
            version = information.version
            maximumTextureSize = information.maximumTextureSize
            isSoftware = information.isSoftware
        }
    }

    /// What `vitrail render` draws with.
    struct Renderer: Codable, Hashable {
        /// `gpu` or `cpu`.
        var kind: String
        var name: String
        /// Why it was chosen.
        var reason: String
        /// How frames reach the GPU, and why; `nil` for the CPU.
        var upload: String?
    }

    var version: String
    var renderer: Renderer
    /// `nil` without OpenGL.
    var openGL: OpenGL?
    /// Why there is no OpenGL, and what was tried.
    var openGLProblem: String?

    /// A name and a value per line.
    var rows: [[String]] {
        [
            ["vitrail", version],
            ["renderer", "\(renderer.kind): \(renderer.name) (\(renderer.reason))"],
        ] + (renderer.upload.map { [["upload", $0]] } ?? []) + (openGL?.rows ?? [["OpenGL", openGLProblem ?? "none"]])
    }
}

extension MachineReport.OpenGL {
    /// A name and a value per line.
    var rows: [[String]] {
        [
            ["OpenGL vendor", vendor],
            ["OpenGL renderer", renderer + (isSoftware ? " (software: the CPU draws)" : "")],
            ["OpenGL version", version],
            ["largest texture", "\(maximumTextureSize)x\(maximumTextureSize)"],
        ]
    }
}

/// The output of `vitrail info` for an input.
struct InputReport: InspectionReport, Codable, Hashable {
    /// The input as typed, without secrets.
    var input: String
    var container: String
    var codec: String?
    var format: String?
    var width: Int
    var height: Int
    var displayWidth: Int
    var displayHeight: Int
    var matrix: String
    var range: String
    var primaries: String
    var transfer: String
    var chromaLocation: String
    /// The part that is shown, `WIDTHxHEIGHT+X+Y`, or `nil` for all.
    var crop: String?
    var rotation: Int
    var mirror: String
    var pixelAspectRatio: String
    var framesPerSecond: String?
    var durationInSeconds: Double?

    init(input: String, info: StreamInfo) {
        self.input = input
        container = info.container
        codec = info.codec
        format = info.format?.rawValue
        (width, height) = (info.size.width, info.size.height)
        let shown = info.displaySize
        (displayWidth, displayHeight) = (shown.width, shown.height)
        matrix = info.colorSpace.matrix.rawValue
        range = info.colorSpace.range.rawValue
        primaries = info.colorSpace.primaries.rawValue
        transfer = info.colorSpace.transfer.rawValue
        chromaLocation = info.chromaLocation.rawValue
        crop = info.attributes.crop?.cropDescription
        rotation = info.attributes.rotation.rawValue
        mirror = info.attributes.mirror.rawValue
        pixelAspectRatio =
            "\(info.attributes.pixelAspectRatio.numerator):\(info.attributes.pixelAspectRatio.denominator)"
        framesPerSecond = info.frameRate.map(\.description)
        durationInSeconds = info.duration.map { $0 / .seconds(1) }
    }

    /// A name and a value per line; unknown values are left out.
    var tables: [[[String]]] {
        let known: [(String, String?)] = [
            ("container", container),
            ("codec", codec),
            ("format", format),
            ("size", "\(width)x\(height)"),
            ("shown as", displayWidth == width && displayHeight == height ? nil : "\(displayWidth)x\(displayHeight)"),
            ("colour", "\(matrix) \(range), primaries \(primaries), transfer \(transfer)"),
            ("chroma", chromaLocation),
            ("crop", crop),
            ("rotation", rotation == 0 ? nil : "\(rotation) clockwise"),
            ("mirror", mirror == "none" ? nil : mirror),
            ("pixel shape", pixelAspectRatio),
            ("frame rate", framesPerSecond.map { $0 + " per second" }),
            ("duration", durationInSeconds.map { "\(($0 * 1000).rounded() / 1000) s" }),
        ]
        return [known.compactMap { name, value in value.map { [name, $0] } }]
    }
}
