import CVitrailFFmpeg
import MediaIO
import VitrailSupport

/// A packet that is sent to the decoder.
struct OwnedPacket: ~Copyable {
    private let packet: UnsafeMutablePointer<AVPacket>

    init() throws(StreamError) {
        guard let packet = av_packet_alloc() else {
            throw StreamError(.noMemory, "There is not enough memory for a packet.", underlying: ENOMEM)
        }
        self.packet = packet
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&packet)
    }

    /// Refers to FFmpeg's packet, its side data included.
    func refer(to shared: SharedPacket) throws(StreamError) {
        guard av_packet_ref(packet, shared.packet) >= 0 else { throw Self.noMemory }
    }

    /// Refers to the bytes of a packet, or copies them if zeros must be added behind them.
    func refer(to other: EncodedPacket) throws(StreamError) {
        guard other.isPadded else {
            try allocate(other.byteCount)
            return other.withUnsafeBytes { [packet] in Self.fill(packet, $0) }
        }
        let owner = Unmanaged.passRetained(other).toOpaque()
        let (first, count) = other.withUnsafeBytes { ($0.baseAddress, $0.count) }
        // FFmpeg does not write to a buffer that is marked as read-only.
        let bytes = UnsafeMutableRawPointer(mutating: first)?.assumingMemoryBound(to: UInt8.self)
        let free: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?) -> Void = { owner, _ in
            if let owner { Unmanaged<EncodedPacket>.fromOpaque(owner).release() }
        }
        guard let buffer = av_buffer_create(bytes, count + EncodedPacket.padding, free, owner, vitrail_buffer_readonly)
        else {
            Unmanaged<EncodedPacket>.fromOpaque(owner).release()
            throw Self.noMemory
        }
        packet.pointee.buf = buffer
        (packet.pointee.data, packet.pointee.size) = (bytes, Int32(count))
        packet.pointee.flags = other.isKeyFrame ? AV_PKT_FLAG_KEY : 0
    }

    /// Copies bytes.
    func copy(_ bytes: [UInt8]) throws(StreamError) {
        try allocate(bytes.count)
        bytes.withUnsafeBytes { [packet] in Self.fill(packet, $0) }
    }

    private func allocate(_ count: Int) throws(StreamError) {
        guard av_new_packet(packet, Int32(clamping: count)) >= 0 else { throw Self.noMemory }
    }

    private static func fill(_ packet: UnsafeMutablePointer<AVPacket>, _ bytes: UnsafeRawBufferPointer) {
        guard let first = bytes.baseAddress else { return }
        UnsafeMutableRawPointer(packet.pointee.data).copyMemory(from: first, byteCount: bytes.count)
    }

    /// Sets the times, in nanoseconds; `nil` for none.
    func setTimes(_ presentation: Duration?, _ decoding: Duration?, _ duration: Duration = .zero) {
        packet.pointee.pts = presentation?.wholeNanoseconds ?? vitrail_no_timestamp
        packet.pointee.dts = decoding?.wholeNanoseconds ?? vitrail_no_timestamp
        packet.pointee.duration = duration.wholeNanoseconds
    }

    func withMutable(_ body: (UnsafeMutablePointer<AVPacket>) -> Int32) -> Int32 { body(packet) }

    func with(_ body: (UnsafePointer<AVPacket>) -> Int32) -> Int32 { body(packet) }

    /// Releases the bytes.
    func clear() { av_packet_unref(packet) }

    private static var noMemory: StreamError {
        StreamError(.noMemory, "There is not enough memory for a packet.", underlying: ENOMEM)
    }
}
