// Types of the libraries that can be option values. Public only because conformances of public types are.
public import ArgumentParser
public import FFmpegMedia
public import GLRendering
public import MediaIO
public import VideoWall
public import WallRendering

extension VideoSize: ExpressibleByArgument {
    /// Reads `WIDTHxHEIGHT`.
    public init?(argument: String) { self.init(argument) }
}

extension Rational: ExpressibleByArgument {
    /// Reads `N` or `N/D`.
    public init?(argument: String) { self.init(argument) }
}

extension WallPart: ExpressibleByArgument {
    /// Reads `CxR+X+Y`.
    public init?(argument: String) { self.init(argument) }
}

extension ContentMode: ExpressibleByArgument {}

extension ColorConversionMode: ExpressibleByArgument {}

extension ScalingFilter: ExpressibleByArgument {}

extension RendererChoice: ExpressibleByArgument {}

extension UploadMethod: ExpressibleByArgument {}

extension ColorSpace.Matrix: ExpressibleByArgument {}

extension ColorSpace.Range: ExpressibleByArgument {}

extension VideoEncoding.Tuning: ExpressibleByArgument {}
extension VideoEncoding.Colors: ExpressibleByArgument {}

extension PacketCodec: ExpressibleByArgument {
    /// Reads the name of a codec that can be encoded.
    public init?(argument: String) {
        guard let codec = VideoEncoding.codecs.first(where: { $0.rawValue == argument.lowercased() }) else {
            return nil
        }
        self = codec
    }

    /// The names that can be read.
    public static var allValueStrings: [String] { VideoEncoding.codecs.map(\.rawValue) }
}
