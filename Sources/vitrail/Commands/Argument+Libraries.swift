// Types of the libraries that can be option values. Public only because conformances of public types are.
public import ArgumentParser
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

extension ContentMode: ExpressibleByArgument {}

extension ColorConversionMode: ExpressibleByArgument {}

extension ScalingFilter: ExpressibleByArgument {}

extension RendererChoice: ExpressibleByArgument {}

extension UploadMethod: ExpressibleByArgument {}

extension ColorSpace.Matrix: ExpressibleByArgument {}

extension ColorSpace.Range: ExpressibleByArgument {}
