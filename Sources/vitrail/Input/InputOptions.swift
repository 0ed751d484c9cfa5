import FFmpegMedia
import MediaIO
import V4L2Capture
import VideoWall

/// The options of one input; `nil` for those not set.
struct InputOptions: Hashable, Sendable {
    var format: PixelFormat?
    /// The colour tags that the name of the format implies; other options take precedence.
    var formatTags = ColorTags()
    var size: VideoSize?
    var frameRate: Rational?
    var bytesPerRow: Int?
    var matrix: ColorSpace.Matrix?
    var range: ColorSpace.Range?
    var primaries: ColorSpace.Primaries?
    var transfer: ColorSpace.Transfer?
    var chroma: ChromaLocation?
    /// Whether Cb and Cr are swapped.
    var swapsChroma: Bool?
    var crop: Rectangle?
    var pixelAspectRatio: Rational?
    var rotation: VideoRotation?
    var mirror: VideoMirror?
    var contentMode: ContentMode?
    var filter: ScalingFilter?
    var effects: EffectChain?
    /// One note for each value that was clamped to the range of an effect's parameter.
    var effectNotes: [String] = []
    var label: String?
    var loops: Bool?
    /// Whether a test pattern shows the time of day.
    var isUniversal: Bool?
    /// Whether it is recorded.
    var records: Bool?
    var buffering: CameraRequest.Buffering?
    /// How long the pictures of a live stream are held.
    var playout: PlayoutDelay?
    var deinterlacing: Deinterlacing?
    var verifiesServer: Bool?
    /// The file with the certificates that are trusted instead of the system's.
    var authority: String?
}

extension InputOptions {
    /// A frame's attributes, with those that the options set replaced.
    ///
    /// - Parameter attributes: the frame's own.
    /// - Returns: the frame's own attributes where no option is set.
    func adjusted(_ attributes: FrameAttributes) -> FrameAttributes {
        var result = attributes
        result.colorTags = result.colorTags.overridden(by: colorTags)
        if let rotation { result.rotation = rotation }
        if let mirror { result.mirror = mirror }
        if let pixelAspectRatio { result.pixelAspectRatio = pixelAspectRatio }
        if let crop { result.crop = crop }
        return result
    }

    /// Those that matter when the input is opened and decoded.
    var ofConnection: InputOptions {
        var options = InputOptions()
        (options.format, options.size, options.frameRate) = (format, size, frameRate)
        (options.buffering, options.playout, options.loops) = (buffering, playout, loops)
        (options.verifiesServer, options.authority) = (verifiesServer, authority)
        (options.deinterlacing, options.isUniversal) = (deinterlacing, isUniversal)
        options.bytesPerRow = bytesPerRow
        return options
    }

    /// The colour tags that the options set, which take precedence over the stream's own tags and over every default.
    var colorTags: ColorTags {
        ColorTags(matrix: matrix, range: range, primaries: primaries, transfer: transfer, chromaLocation: chroma)
    }

    /// Which servers are trusted.
    var trust: TLSTrust {
        if verifiesServer == false { return .insecure }
        return authority.map { .authority(path: $0) } ?? .system
    }

    /// What is asked of a camera.
    var cameraRequest: CameraRequest {
        CameraRequest(format: format, size: size, frameRate: frameRate, buffering: buffering ?? .latency)
    }

    /// The notes on the colour tags after the options have replaced some of them.
    ///
    /// - Parameters:
    ///   - own: the tags without the options.
    ///   - notes: the notes on `own`.
    /// - Returns: the notes on the tags that take effect.
    func colorTagNotes(
        insteadOf own: ColorTags, _ notes: [ColorTags.Part: ColorTags.Note]
    ) -> [ColorTags.Part: ColorTags.Note] {
        var notes = notes
        for part in ColorTags.Part.allCases {
            if formatTags.name(of: part) != nil { notes[part] = .implied }
            guard colorTags.name(of: part) != nil else { continue }
            notes[part] = .set(insteadOf: own.said(of: part, notes), by: "set on the command line")
        }
        return notes
    }
}

extension Rectangle {
    /// Whether all of it lies within a frame of that size.
    func lies(in size: VideoSize) -> Bool {
        intersection(Rectangle(x: 0, y: 0, width: size.width, height: size.height)) == self
    }

    /// The syntax of the option: `WIDTHxHEIGHT+X+Y`.
    var cropDescription: String { "\(width)x\(height)+\(x)+\(y)" }
}
