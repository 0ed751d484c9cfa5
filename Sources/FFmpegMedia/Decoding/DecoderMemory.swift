import CVitrailFFmpeg
import MediaIO

/// Has decoders allocate their frames in a ``FrameMemory`` while there is one.
///
/// Decoders also read from that memory: they predict frames from earlier ones.
///
/// **Thread:** any: decoders allocate on their own threads. It must outlive the decoders.
final class DecoderMemory: Sendable {
    private let current = Monitor<(any FrameMemory)?>(nil)

    /// The memory in which the next frames are allocated, as long as it has room; `nil` for FFmpeg's own memory.
    var memory: (any FrameMemory)? {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    /// Makes a decoder allocate its frames here; call this before the decoder is opened.
    func attach(to context: UnsafeMutablePointer<AVCodecContext>) {
        vitrail_set_get_buffer(context, Self.getBuffer, Unmanaged.passUnretained(self).toOpaque())
    }

    /// The memory that a decoded frame is in; `nil` for FFmpeg's own.
    static func memory(of frame: UnsafePointer<AVFrame>) -> (any FrameMemory)? {
        // Decoders copy this pointer to frames derived from others, so check that the buffer belongs to it, too.
        guard let block = frame.pointee.opaque, let buffer = frame.pointee.buf.0, av_buffer_get_opaque(buffer) == block
        else { return nil }
        return Unmanaged<DecodedBlock>.fromOpaque(block).takeUnretainedValue().memory
    }

    private static let getBuffer:
        @convention(c) (UnsafeMutablePointer<AVCodecContext>?, UnsafeMutablePointer<AVFrame>?, Int32) -> Int32 = {
            context, frame, flags in
            guard let context, let frame, let opaque = context.pointee.opaque else { return vitrail_averror(EINVAL) }
            let memory = Unmanaged<DecoderMemory>.fromOpaque(opaque).takeUnretainedValue().memory
            if let memory, allocate(frame, for: context, in: memory) { return 0 }
            return avcodec_default_get_buffer2(context, frame, flags)
        }

    /// Allocates a frame; false if there is no room, or the decoder or the format needs other memory.
    private static func allocate(
        _ frame: UnsafeMutablePointer<AVFrame>, for context: UnsafeMutablePointer<AVCodecContext>,
        in memory: any FrameMemory
    ) -> Bool {
        // A frame that will be converted is read only by the converter, so the sink's memory would gain nothing.
        guard DeliveredFormat.of(ffmpeg: frame.pointee.format)?.isLent == true else { return false }
        let byteCount = vitrail_lay_out(context, frame, nil)
        guard byteCount > 0, let buffer = buffer(byteCount: Int(byteCount), in: memory) else { return false }
        _ = vitrail_lay_out(context, frame, buffer)
        frame.pointee.opaque = av_buffer_get_opaque(buffer)
        return true
    }

    /// Allocates a buffer of FFmpeg's in a memory; `nil` if there is no room.
    static func buffer(byteCount: Int, in memory: any FrameMemory) -> UnsafeMutablePointer<AVBufferRef>? {
        guard let block = memory.allocate(byteCount: byteCount) else { return nil }
        let owner = Unmanaged.passRetained(DecodedBlock(block, memory)).toOpaque()
        let start = block.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let free: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?) -> Void = { owner, _ in
            if let owner { Unmanaged<DecodedBlock>.fromOpaque(owner).release() }
        }
        guard let buffer = av_buffer_create(start, byteCount, free, owner, 0) else {
            Unmanaged<DecodedBlock>.fromOpaque(owner).release()
            return nil
        }
        return buffer
    }
}

/// The memory block that holds a frame; it is released with the last reference to the frame.
private final class DecodedBlock: Sendable {
    let memory: any FrameMemory
    private let block: FrameMemoryBlock

    init(_ block: FrameMemoryBlock, _ memory: any FrameMemory) { (self.block, self.memory) = (block, memory) }

    deinit { block.release() }
}
