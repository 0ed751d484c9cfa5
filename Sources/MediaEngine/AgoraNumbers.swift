public import MediaIO

/// Agora's numbers of formats, in SDK 3 and 4: `AgoraVideoFrame.format`, `AgoraVideoPixelFormat`, `VIDEO_PIXEL_FORMAT`.
extension PixelFormat {
    /// The numbers of frames in memory, then those of a `CVPixelBuffer`.
    private static let agoraNumbers: [(number: Int, format: PixelFormat)] = [
        (1, .i420), (2, .bgra32), (3, .nv21), (4, .rgba32), (7, .argb32), (8, .nv12), (16, .i422), (18, .i010),
        (12, .nv12), (13, .i420), (14, .bgra32), (15, .p010),
    ]

    /// The format with Agora's number; `nil` for others: 0 is unknown, 5 is IMC2, and 10, 11 and 17 are textures.
    public init?(agoraNumber number: Int) {
        guard let row = Self.agoraNumbers.first(where: { $0.number == number }) else { return nil }
        self = row.format
    }

    /// Agora's number of this format in memory; `nil` if it has none.
    public var agoraNumber: Int? { Self.agoraNumbers.first { $0.format == self }?.number }
}
