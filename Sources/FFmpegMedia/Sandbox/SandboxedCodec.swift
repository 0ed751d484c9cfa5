import CVitrailFFmpeg
import MediaIO

/// A decoder in a process of its own, with the calls of libavcodec.
///
/// If the process ends, which it does at a decoder's fault or at anything that it may not do, every further packet fails:
/// another decoder must be made.
///
/// **Thread:** one at a time; pictures may be released on any. **Cost:** a message and its answer for each packet, whose
/// bytes are copied; pictures are not.
final class SandboxedCodec {
    private let process: SandboxProcess
    private var message = SandboxWriter()
    private var pictures: [SandboxPicture] = []
    private var isAtEnd = false
    /// What the process is told with the next packet.
    private var (mustFlush, isOmitting) = (false, false)
    /// The size of the picture received last, before a reduction.
    private(set) var codedSize: VideoSize?
    /// Why it cannot decode any more.
    private(set) var fault: String?

    /// Opens a decoder.
    ///
    /// - Throws: what opening it here would throw; ``StreamError/Code/malformed`` if the process ends at it.
    init(
        _ track: TrackInfo, _ size: VideoSize?, _ options: MediaPacketDecoder.Options, reduction: Int
    ) throws(StreamError) {
        process = try SandboxProcess()
        message.put(SandboxRequest.open.rawValue)
        SandboxOrder(
            track, size, threadCount: options.threadCount, isLive: options.isLive, reduction: reduction
        ).put(to: &message)
        message.put(options.name ?? "")
        var answer = process.exchange(&message)
        guard let code = try? answer?.take(UInt8.self) else {
            let reason = process.end() ?? "its process does not answer"
            throw StreamError(
                .malformed, "\(options.name ?? "This track") cannot be decoded as \(track.codec): \(reason).")
        }
        guard code != 0 else { return }
        let text = (try? answer?.takeBytes()).map { String(decoding: $0, as: UTF8.self) } ?? ""
        throw StreamError(code == 2 ? .noMemory : .unsupported, text)
    }

    deinit { process.end() }

    private func begin(_ request: SandboxRequest) {
        message.clear()
        message.put(request.rawValue)
        message.put(UInt8(mustFlush ? 1 : 0))
        message.put(UInt8(isOmitting ? 1 : 0))
        mustFlush = false
        let released = process.takeReleased()
        message.put(UInt32(released.count))
        for token in released { message.put(token) }
    }

    /// Sends a packet, or `nil` for the end, and takes its pictures; FFmpeg's result.
    func send(_ packet: UnsafePointer<AVPacket>?) -> Int32 {
        guard fault == nil else { return vitrail_averror_external }
        begin(packet == nil ? .end : .decode)
        if let packet { SandboxPacket.put(packet, to: &message) }
        do throws(SandboxReader.Fault) {
            guard var reader = process.exchange(&message) else { throw SandboxReader.Fault() }
            let answer = try SandboxAnswer(from: &reader, memoryByteCount: process.memory.count)
            (isAtEnd, codedSize) = (answer.isAtEnd, answer.codedSize)
            pictures += answer.pictures
            return answer.result
        } catch {
            fault = process.end() ?? "its process does not answer"
            return vitrail_averror_external
        }
    }

    /// Receives the next picture; FFmpeg's result.
    func receive(_ frame: UnsafeMutablePointer<AVFrame>) -> Int32 {
        guard !pictures.isEmpty else { return isAtEnd ? vitrail_averror_eof : vitrail_averror_try_again }
        let picture = pictures.removeFirst()
        let owner = Unmanaged.passRetained(Use(picture.token, process)).toOpaque()
        let free: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?) -> Void = { owner, _ in
            if let owner { Unmanaged<Use>.fromOpaque(owner).release() }
        }
        // All of the memory: FFmpeg only counts its users.
        let start = process.memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
        guard let buffer = av_buffer_create(start, process.memory.count, free, owner, vitrail_buffer_readonly) else {
            Unmanaged<Use>.fromOpaque(owner).release()
            return vitrail_averror(ENOMEM)
        }
        picture.fill(frame, process.memory, buffer)
        return 0
    }

    /// Discards all packets sent so far.
    func flush() {
        pictures.removeAll()
        (isAtEnd, mustFlush) = (false, true)
    }

    /// Starts or stops leaving out frames that no other frame is decoded from.
    func setOmitting(_ isOmitting: Bool) { self.isOmitting = isOmitting }

    /// A picture in use, wherever that is; its memory stays as long.
    private final class Use: Sendable {
        private let token: UInt64
        private let process: SandboxProcess

        init(_ token: UInt64, _ process: SandboxProcess) { (self.token, self.process) = (token, process) }

        deinit { process.release(token) }
    }
}
