// What of MediaIO can be an option's value. Public only because a conformance of public types is.
public import ArgumentParser
public import MediaIO
public import VideoWall

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

extension ColorSpace.Matrix: ExpressibleByArgument {}

extension ColorSpace.Range: ExpressibleByArgument {}
