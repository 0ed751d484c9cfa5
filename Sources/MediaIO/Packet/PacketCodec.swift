/// A codec of encoded packets, by the name that FFmpeg has for it.
public struct PacketCodec: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name: `h264`, `aac`.
    public let rawValue: String

    /// Names a codec.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// One JPEG picture a packet.
    public static let motionJPEG = PacketCodec(rawValue: "mjpeg")
    /// H.264.
    public static let h264 = PacketCodec(rawValue: "h264")
    /// H.265.
    public static let hevc = PacketCodec(rawValue: "hevc")
    /// VP8 (RFC 6386).
    public static let vp8 = PacketCodec(rawValue: "vp8")
    /// VP9.
    public static let vp9 = PacketCodec(rawValue: "vp9")
    /// AV1, in temporal units.
    public static let av1 = PacketCodec(rawValue: "av1")

    /// The codecs of video that a packet without a container may have: those above.
    public static let video: [PacketCodec] = [.motionJPEG, .h264, .hevc, .vp8, .vp9, .av1]

    /// The name.
    public var description: String { rawValue }
}

extension PacketCodec {
    /// Whether decoding can begin with a packet, judging by its bytes, for senders that do not say it.
    ///
    /// - Parameter packet: a packet with start codes, as cameras have.
    /// - Returns: true for a picture that depends on no other: an IDR picture (ITU-T H.264, 7.4.1.2.4), an IRAP picture
    ///   (ITU-T H.265, 7.4.2.2), and any packet of other codecs.
    package func isKeyFrame(_ packet: UnsafeRawBufferPointer) -> Bool {
        switch self {
        case .h264: Self.hasUnit(packet) { $0 & 0x1F == 5 }
        case .hevc: Self.hasUnit(packet) { (16...23).contains($0 >> 1 & 0x3F) }
        default: true
        }
    }

    /// Whether the first byte after any start code is accepted.
    private static func hasUnit(_ packet: UnsafeRawBufferPointer, _ isFound: (UInt8) -> Bool) -> Bool {
        var place = 0
        while place + 3 < packet.count {
            if packet[place + 2] > 1 {
                place += 3
            } else if packet[place] == 0, packet[place + 1] == 0, packet[place + 2] == 1 {
                if isFound(packet[place + 3]) { return true }
                place += 4
            } else {
                place += 1
            }
        }
        return false
    }
}
