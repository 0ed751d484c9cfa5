internal import Glibc

/// One packet of an encoded track: a picture, a piece of sound, or what else the track has.
///
/// It is what files, networks, cameras and programs deliver before anything is decoded. It also travels as a frame:
/// ``FrameImage/encoded(_:)``.
///
/// **Thread:** any. **Cost:** making one copies the bytes once, or shares them.
public final class EncodedPacket: Sendable {
    /// How the units of H.264 and HEVC are told apart.
    public enum Framing: Hashable, Sendable {
        /// Each unit follows a start code (Annex B of ITU-T H.264 and H.265). Use this for all other codecs, too.
        case startCodes
        /// Each unit follows its length, a big-endian number of 1, 2 or 4 bytes (ISO/IEC 14496-15), as in MP4.
        case lengths(byteCount: Int)
    }

    /// When a packet is decoded and shown, and when it was captured and received.
    public struct Timing: Hashable, Sendable {
        /// When it is shown, on the clock of its stream; `nil` if the sender does not say it.
        public var presentation: Duration?
        /// When it is decoded, on the same clock; `nil` if the sender does not say it.
        public var decoding: Duration?
        /// How long it is shown; `nil` if unknown.
        public var duration: Duration?
        /// When it arrived here, on the monotonic clock (CLOCK_MONOTONIC); `nil` for stored media.
        public var arrival: Duration?
        /// When it was captured, since 1970-01-01 00:00 UTC by the sender's clock; `nil` if the sender does not say it.
        public var capture: Duration?

        /// Creates times; what is unknown is `nil`.
        public init(
            presentation: Duration? = nil, decoding: Duration? = nil, duration: Duration? = nil,
            arrival: Duration? = nil, capture: Duration? = nil
        ) {
            self.presentation = presentation
            self.decoding = decoding
            self.duration = duration
            self.arrival = arrival
            self.capture = capture
        }
    }

    /// What its packet's sender and the way here say of it.
    public struct Marks: Hashable, Sendable {
        /// Whether decoding can begin with this packet.
        public var isKeyFrame: Bool
        /// The number of the packet, one more than that of the packet before it in decoding order; `nil` if it has
        /// none.
        ///
        /// A missing number means a lost packet. Numbers have 64 bits and do not wrap around: extend the numbers of a
        /// protocol that has fewer bits. RTP numbers the parts of pictures: number the pictures yourself, or set
        /// ``discontinuity`` where one of its numbers is missing.
        ///
        /// A packet that is up to 15 behind the newest one came twice or too late, and is not decoded. One that is
        /// further behind, or more than 10,000 ahead, begins a new count, after a loss of unknown length. If a sender
        /// may begin anew sooner than that, set ``discontinuity`` on its first packet.
        public var sequence: Int64?
        /// Whether packets before this one were lost, for senders without numbers.
        public var discontinuity: Bool
        /// Whether parts of the packet itself are lost or wrong.
        public var isCorrupt: Bool

        /// Creates marks.
        public init(
            isKeyFrame: Bool, sequence: Int64? = nil, discontinuity: Bool = false, isCorrupt: Bool = false
        ) {
            self.isKeyFrame = isKeyFrame
            self.sequence = sequence
            self.discontinuity = discontinuity
            self.isCorrupt = isCorrupt
        }
    }

    /// Bytes that stay the same and in place as long as their owner exists.
    private struct SharedBytes: @unchecked Sendable {
        // Unchecked: whoever shares them promises that nobody writes to them.
        let bytes: UnsafeRawBufferPointer
        let owner: any AnyObject & Sendable
    }

    /// The most bytes in a packet: far more than any picture has.
    public static let maximumByteCount = 1 << 28
    /// The zeros behind copied bytes, beyond which no decoder reads ahead.
    package static let padding = 64

    /// The track that it belongs to.
    public let track: TrackInfo
    /// Its times.
    public let timing: Timing
    /// Whether it is a key frame, its number, and whether something is missing.
    public let marks: Marks
    private let shared: SharedBytes

    /// Copies a packet.
    ///
    /// - Parameters:
    ///   - bytes: all of its bytes, at least 1 and at most ``maximumByteCount``.
    ///   - track: the track that it belongs to.
    ///   - timing: its times.
    ///   - marks: whether decoding can begin with it, its number, and whether something is missing.
    /// - Throws: ``StreamError/Code/sizeOutOfRange`` if the track states a size with a side outside of
    ///   1…``PixelBuffer/maximumSide``; ``StreamError/Code/malformed`` for no or too many bytes, and for
    ///   ``Framing/lengths(byteCount:)`` with a codec other than H.264 and HEVC or with another number of bytes;
    ///   ``StreamError/Code/noMemory``.
    public convenience init(
        copying bytes: UnsafeRawBufferPointer, of track: TrackInfo, timing: Timing = Timing(), marks: Marks
    ) throws(StreamError) {
        try Self.validate(bytes.count, track)
        guard let copy = PacketMemory(copying: bytes) else {
            throw StreamError(.noMemory, "There is no memory for a packet of \(bytes.count) bytes.", underlying: ENOMEM)
        }
        self.init(SharedBytes(bytes: copy.bytes, owner: copy), track, timing, marks)
    }

    /// Shares a packet's bytes.
    ///
    /// - Parameters:
    ///   - bytes: all of its bytes, at least 1 and at most ``maximumByteCount``, which nobody may write to from now on.
    ///   - owner: keeps the bytes as long as it exists; released with the packet, on any thread.
    ///   - track: the track that it belongs to.
    ///   - timing: its times.
    ///   - marks: whether decoding can begin with it, its number, and whether something is missing.
    /// - Throws: what ``init(copying:of:timing:marks:)`` throws.
    public convenience init(
        sharing bytes: UnsafeRawBufferPointer, owner: any AnyObject & Sendable, of track: TrackInfo,
        timing: Timing = Timing(), marks: Marks
    ) throws(StreamError) {
        try Self.validate(bytes.count, track)
        self.init(SharedBytes(bytes: bytes, owner: owner), track, timing, marks)
    }

    /// Copies a packet of video that comes without a container.
    ///
    /// - Parameters:
    ///   - bytes: all of its bytes, at least 1 and at most ``maximumByteCount``.
    ///   - codec: the codec.
    ///   - size: the size of the picture, each side 1…``PixelBuffer/maximumSide``.
    ///   - isKeyFrame: whether decoding can begin with it.
    ///   - framing: how the units of H.264 and HEVC are told apart.
    ///   - configuration: the configuration record or parameter sets, if they are not in the packets; otherwise empty.
    ///   - sequence: its number in decoding order, without wrapping around; `nil` for none.
    ///   - discontinuity: whether packets before it were lost.
    /// - Throws: what ``init(copying:of:timing:marks:)`` throws.
    public convenience init(
        copying bytes: UnsafeRawBufferPointer, codec: PacketCodec, size: VideoSize, isKeyFrame: Bool,
        framing: Framing = .startCodes, configuration: [UInt8] = [], sequence: Int64? = nil, discontinuity: Bool = false
    ) throws(StreamError) {
        try self.init(
            copying: bytes,
            of: TrackInfo(codec: codec, framing: framing, configuration: configuration, size: size),
            marks: Marks(isKeyFrame: isKeyFrame, sequence: sequence, discontinuity: discontinuity))
    }

    /// A packet of a copy that was made of its bytes.
    convenience init(
        _ bytes: UnsafeRawBufferPointer, _ chunk: PacketChunk, of track: TrackInfo, _ timing: Timing, _ marks: Marks
    ) {
        self.init(SharedBytes(bytes: bytes, owner: chunk), track, timing, marks)
    }

    private init(_ shared: SharedBytes, _ track: TrackInfo, _ timing: Timing, _ marks: Marks) {
        (self.shared, self.track, self.timing, self.marks) = (shared, track, timing, marks)
    }

    private static func validate(_ byteCount: Int, _ track: TrackInfo) throws(StreamError) {
        if let size = track.size { try PixelBuffer.validate(size) }
        guard (1...maximumByteCount).contains(byteCount) else {
            throw StreamError(
                .malformed,
                "A packet of \(track.codec) has \(byteCount) bytes, but it must have 1 to \(maximumByteCount).")
        }
        if case .lengths(let count) = track.framing {
            guard track.codec == .h264 || track.codec == .hevc, [1, 2, 4].contains(count) else {
                throw StreamError(
                    .malformed,
                    "A packet of \(track.codec) cannot have lengths of \(count) bytes: only H.264 and HEVC have "
                        + "lengths, of 1, 2 or 4 bytes.")
            }
        }
    }

    /// The number of its bytes.
    public var byteCount: Int { shared.bytes.count }

    /// Lends its bytes for the duration of a call.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(shared.owner) {} }
        return try body(shared.bytes)
    }

    /// What keeps the bytes.
    package var owner: any AnyObject & Sendable { shared.owner }
    /// Whether ``padding`` zeros follow its bytes.
    package var isPadded: Bool { shared.owner is PacketMemory || shared.owner is PacketChunk }

    /// The codec.
    public var codec: PacketCodec { track.codec }
    /// Whether decoding can begin with it.
    public var isKeyFrame: Bool { marks.isKeyFrame }
}

/// A copy of a packet's bytes, followed by zeros.
private final class PacketMemory: @unchecked Sendable {
    // Unchecked: written once, before it is shared.
    private let memory: UnsafeMutableRawPointer
    private let count: Int

    init?(copying bytes: UnsafeRawBufferPointer) {
        count = bytes.count
        guard let memory = malloc(count + EncodedPacket.padding) else { return nil }
        self.memory = memory
        if let first = bytes.baseAddress { memory.copyMemory(from: first, byteCount: count) }
        memset(memory + count, 0, EncodedPacket.padding)
    }

    deinit { free(memory) }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory, count: count) }
}
