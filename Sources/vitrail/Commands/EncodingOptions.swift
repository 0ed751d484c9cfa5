import ArgumentParser
import FFmpegMedia
import MediaIO

/// The options of encoded output.
struct EncodingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Codec of an encoded file: h264, hevc, vp8, vp9, av1, mjpeg or ffv1; by default h264, in .webm vp9.",
            valueName: "name"))
    var codec: PacketCodec?

    @Option(
        help: ArgumentHelp(
            "Constant quality, the lower the better, as FFmpeg's -crf; for mjpeg as -q:v.", valueName: "number"))
    var crf: Double?

    @Option(help: ArgumentHelp("Average bits per second instead of a quality, as in 4M or 800k.", valueName: "rate"))
    var bitrate: BitRate?

    @Flag(help: "Lose nothing: with h264, hevc, vp9, av1 and ffv1.")
    var lossless = false

    @Option(
        help: ArgumentHelp(
            "Most pictures from one key frame to the next; by default those of 10 s, with --tune live of 2 s.",
            valueName: "pictures"))
    var gop: Int?

    @Option(
        help: ArgumentHelp(
            "What counts: live (speed; pictures leave the encoder at once) or quality (fewer bytes; by default).",
            valueName: "name"))
    var tune: VideoEncoding.Tuning?

    @Option(
        help: ArgumentHelp(
            "Bits per sample: 8 or 10; by default 8, with --colorspace bt2020 10. Not with vp8 and mjpeg.",
            valueName: "bits"))
    var depth: Int?

    @Option(help: ArgumentHelp("Colours of the file: bt709 (by default) or bt2020.", valueName: "name"))
    var colorspace: VideoEncoding.Colors?

    func validate() throws {
        guard [crf != nil, bitrate != nil, lossless].count(where: { $0 }) <= 1 else {
            throw ValidationError("--crf, --bitrate and --lossless exclude each other: choose one.")
        }
        if let depth, ![8, 10].contains(depth) {
            throw ValidationError("The value of --depth must be 8 or 10, not \(depth).")
        }
        if let gop, !(1...100_000).contains(gop) {
            throw ValidationError("The value of --gop must be a number of pictures from 1 to 100000, not \(gop).")
        }
    }

    /// The name of an option that was given; `nil` if there is none.
    var given: String? {
        [
            ("--codec", codec != nil), ("--crf", crf != nil), ("--bitrate", bitrate != nil), ("--lossless", lossless),
            ("--gop", gop != nil), ("--tune", tune != nil), ("--depth", depth != nil),
            ("--colorspace", colorspace != nil),
        ].first { $0.1 }?.0
    }

    /// The encoding that they describe.
    var encoding: VideoEncoding {
        VideoEncoding(
            codec: codec,
            rate: lossless ? .lossless : crf.map { .quality($0) } ?? bitrate.map { .bitRate($0.bitsPerSecond) },
            keyFrameInterval: gop, tuning: tune ?? .quality, depth: depth, colors: colorspace ?? .bt709)
    }
}

/// A number of bits per second, with FFmpeg's suffixes.
struct BitRate: ExpressibleByArgument, Hashable {
    /// The number, 1000…10⁹.
    let bitsPerSecond: Int

    /// Reads `4M`, `800k` or `4000000`.
    init?(argument: String) {
        let factors = ["k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9]
        let factor = argument.last.flatMap { factors[String($0)] }
        guard let number = Double(factor == nil ? argument : String(argument.dropLast())) else { return nil }
        let bits = number * (factor ?? 1)
        guard (1000...1e9).contains(bits) else { return nil }
        bitsPerSecond = Int(bits)
    }
}
