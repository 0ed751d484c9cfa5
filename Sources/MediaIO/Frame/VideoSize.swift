/// A width and a height in pixels, both at least 1 in the size of a frame.
public struct VideoSize: Hashable, Sendable, CustomStringConvertible {
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int

    /// Creates a size from a width and a height in pixels.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Width divided by height.
    public var aspectRatio: Double { Double(width) / Double(height) }

    /// The size after a quarter turn.
    public var transposed: VideoSize { VideoSize(width: height, height: width) }

    /// The command-line form: `1280x720`.
    public var description: String { "\(width)x\(height)" }
}

extension VideoSize {
    /// Reads `WIDTHxHEIGHT`, digits only; `nil` for anything else, zero included.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let width = Int(parts[0]), let height = Int(parts[1]), width > 0, height > 0
        else { return nil }
        self.init(width: width, height: height)
    }
}
