import CVitrailFFmpeg
import MediaIO

/// A decoder's process: decodes what it is sent, until nobody sends any more.
final class SandboxServer {
    /// More than a decoder and a wall ever hold.
    private static let mostHeld = 256
    private let channel: SandboxChannel
    private let memory: SharedFrameMemory
    private let decoderMemory = DecoderMemory()
    private var answer = SandboxWriter()
    /// The pictures that the other process uses.
    private var held: [UInt64: UnsafeMutablePointer<AVFrame>] = [:]
    private var lastToken: UInt64 = 0

    init(_ channel: SandboxChannel, _ memory: SharedFrameMemory) {
        (self.channel, self.memory) = (channel, memory)
        decoderMemory.memory = memory
    }

    /// Returns when the other end is gone, or says what makes no sense.
    func run() {
        do throws(SandboxReader.Fault) {
            guard var reader = channel.receive(), try reader.take() == SandboxRequest.open.rawValue else { return }
            let order = try SandboxOrder(from: &reader)
            let name = String(decoding: try reader.takeBytes(), as: UTF8.self)
            var options = MediaPacketDecoder.Options()
            (options.threadCount, options.isLive) = (order.threadCount, order.isLive)
            options.name = name.isEmpty ? nil : name
            answer.clear()
            do throws(StreamError) {
                let context = try DecoderContext(
                    order.track, order.size, options, decoderMemory, reduction: order.reduction)
                answer.put(UInt8(0))
                guard channel.send(&answer) else { return }
                try serve(context)
            } catch {
                answer.put(UInt8(error.code == .noMemory ? 2 : 1))
                answer.put(error.description)
                _ = channel.send(&answer)
            }
        } catch {
            // Whoever asked for nonsense is not answered.
        }
    }

    private func serve(_ context: consuming DecoderContext) throws(StreamError) {
        var packet = av_packet_alloc()
        defer { av_packet_free(&packet) }
        guard let packet else { throw StreamError(.noMemory, "There is not enough memory for a packet.") }
        while var reader = channel.receive() {
            do throws(SandboxReader.Fault) {
                let request = SandboxRequest(rawValue: try reader.take())
                if try reader.take(UInt8.self) != 0 { context.flush() }
                context.setOmitting(try reader.take(UInt8.self) != 0)
                for _ in 0..<(try reader.takeCount(Self.mostHeld)) {
                    var frame = held.removeValue(forKey: try reader.take())
                    av_frame_free(&frame)
                }
                switch request {
                case .decode:
                    try SandboxPacket.take(from: &reader, into: packet)
                    reply(min(context.send(packet), 0), context)
                    av_packet_unref(packet)
                case .end: reply(min(context.send(nil), 0), context)
                case .open, nil: return
                }
            } catch {
                return
            }
        }
    }

    /// Receives all pictures and sends them, after the last failure.
    private func reply(_ result: Int32, _ context: borrowing DecoderContext) {
        var (failure, isEnd, count) = (result, false, UInt32(0))
        var pictures = SandboxWriter()
        // One that cannot be decoded does not hold up those after it.
        for _ in 0...MediaPacketDecoder.maximumReady {
            var frame = av_frame_alloc()
            guard let picture = frame else { break }
            let result = context.receive(picture)
            guard result >= 0, held.count < Self.mostHeld, share(picture) else {
                av_frame_free(&frame)
                isEnd = result == vitrail_averror_eof
                if result == vitrail_averror_try_again || isEnd { break }
                failure = result < 0 ? result : vitrail_averror(ENOMEM)
                continue
            }
            lastToken += 1
            guard
                SandboxPicture.put(
                    picture, lastToken, in: UnsafeRawBufferPointer(memory.bytes), to: &pictures)
            else { return av_frame_free(&frame) }
            held[lastToken] = picture
            count += 1
        }
        answer.clear()
        answer.put(failure)
        answer.put(UInt8(isEnd ? 1 : 0))
        answer.put(Int64(context.codedSize?.width ?? 0))
        answer.put(Int64(context.codedSize?.height ?? 0))
        answer.put(count)
        answer.append(pictures)
        _ = channel.send(&answer)
    }

    /// Copies a picture that its decoder has put elsewhere; false if there is no room.
    private func share(_ picture: UnsafeMutablePointer<AVFrame>) -> Bool {
        if DecoderMemory.memory(of: picture) === memory { return true }
        let frame = picture.pointee
        let count = av_image_get_buffer_size(AVPixelFormat(rawValue: frame.format), frame.width, frame.height, 64)
        guard count > 0, let buffer = DecoderMemory.buffer(byteCount: Int(count), in: memory) else { return false }
        guard vitrail_move_picture(picture, buffer) >= 0 else {
            var buffer: UnsafeMutablePointer<AVBufferRef>? = buffer
            av_buffer_unref(&buffer)
            return false
        }
        return true
    }
}
