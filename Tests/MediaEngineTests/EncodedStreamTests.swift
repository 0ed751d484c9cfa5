import FFmpegMedia
import MediaEngine
import MediaIO
import Testing

/// Packets reach sinks that ask for them, and pictures the others.
@Suite(.timeLimit(.minutes(30))) struct EncodedStreamTests {
    /// A decoder of packets whose first byte is what their picture is filled with.
    final class MarkDecoder: PacketDecoder {
        func decode(_ encoded: EncodedPacket, at time: Duration) throws(StreamError) -> VideoFrame? {
            let packet = encoded.withUnsafeBytes { Array($0) }
            let mark = packet[0]
            return VideoFrame(
                try PixelBuffer(format: .gray8, size: VideoSize(width: 4, height: 2)) { planes in
                    planes.withPlane(0) { $0.update(repeating: mark) }
                }, presentationTime: time)
        }
    }

    static func packet(_ mark: UInt8, isKeyFrame: Bool = true, sequence: Int64? = nil) throws -> VideoFrame {
        let packet = try [mark].withUnsafeBytes {
            try EncodedPacket(
                copying: $0, codec: .vp8, size: VideoSize(width: 4, height: 2), isKeyFrame: isKeyFrame,
                sequence: sequence)
        }
        return VideoFrame(.encoded(packet))
    }

    @Test func eachSinkGetsItsKind() throws {
        let engine = VideoEngine(decoder: { _ in MarkDecoder() })
        let local = engine.channel()
        let arrived = Journal<Int>()
        let packets = RecordingSink(.encoded) { _ in arrived.add(1) }
        let pictures = RecordingSink(.pixelBuffer, [.gray8]) { _ in arrived.add(1) }
        try local.add(packets, for: .publishing)
        try local.add(pictures, for: .preview)
        let handler = CaptureJournal()
        let capture = try local.enableCustomCapture(.encoded, handler: handler)
        #expect(local.source === capture)
        try local.startPreview()
        try local.startPublishing()
        #expect(capture.push(try markedFrame(1)) == .wrongKind(.encoded))
        for mark in [UInt8(7), 8, 9] { #expect(capture.push(try Self.packet(mark)) == .delivered) }
        arrived.await(6)
        #expect(packets.frames.count == 3 && packets.frames.allSatisfy { $0.image.isOf(.encoded) })
        #expect(pictures.marks == [7, 8, 9])
        #expect(local.statistics(of: pictures)?.skipped == 0)
        #expect(local.statistics(of: pictures)?.problem == nil)
        // Once each, however often the decoding around the capture stops it.
        local.stopPreview()
        local.stopPublishing()
        try local.setVideoSource(nil)
        try local.enableCustomCapture(handler: handler)
        try local.startPreview()
        handler.journal.await(4)
        // Publishing joins the preview, and needs a key frame to begin with.
        #expect(
            handler.journal.entries == [
                "start the channel main", "key frame of the channel main", "stop the channel main",
                "start the channel main",
            ])
        engine.dispose()
    }

    /// An RTC program answers with a picture loss indication to its peer.
    @Test func aLostPacketAsksTheHandlerForAKeyFrame() throws {
        let engine = VideoEngine(decoder: { _ in MarkDecoder() })
        let local = engine.channel()
        let handler = CaptureJournal()
        let capture = try local.enableCustomCapture(.encoded, handler: handler)
        let arrived = Journal<Int>()
        let pictures = RecordingSink(.pixelBuffer, [.gray8]) { _ in arrived.add(1) }
        try local.add(pictures, for: .preview)
        try local.startPreview()
        #expect(capture.push(try Self.packet(1, sequence: 0)) == .delivered)
        #expect(capture.push(try Self.packet(3, isKeyFrame: false, sequence: 2)) == .delivered)
        handler.journal.await(2)
        #expect(capture.push(try Self.packet(4, sequence: 3)) == .delivered)
        arrived.await(2)
        #expect(pictures.marks == [1, 4])
        #expect(handler.journal.entries == ["start the channel main", "key frame of the channel main"])
        engine.dispose()
    }

    @Test func withoutADecoderTheReasonIsInTheStatistics() throws {
        let engine = VideoEngine()
        let source = PushSource(name: "door", bufferKind: .encoded)
        let (packets, pictures) = (RecordingSink(.encoded), RecordingSink())
        let stream = try engine.startPlayingStream("door", from: source, canvas: pictures)
        try stream.add(packets)
        source.push(try Self.packet(1))
        #expect(packets.frames.count == 1 && pictures.frames.isEmpty)
        #expect(stream.statistics(of: pictures)?.problem?.contains("decoder") == true)
        // The other way round.
        try stream.setVideoSource(PushSource(name: "pictures"))
        (stream.source as? PushSource)?.push(try markedFrame(2))
        #expect(packets.frames.count == 1 && pictures.marks == [2])
        engine.dispose()
    }

    /// A custom renderer may take packets, too.
    @Test func packetsForACustomRenderer() throws {
        final class Renderer: CustomRenderHandler {
            let count = Journal<StreamID>()
            func didCapture(_ frame: VideoFrame, of stream: StreamID, flip: VideoMirror) {}
            func didReceive(_ frame: VideoFrame, of stream: StreamID) {
                if frame.image.isOf(.encoded) { count.add(stream) }
            }
        }
        let engine = VideoEngine()
        let renderer = Renderer()
        engine.setCustomRender(CustomRenderConfiguration(bufferKind: .encoded), handler: renderer)
        let source = PushSource(name: "door", bufferKind: .encoded)
        try engine.startPlayingStream("door", from: source)
        source.push(try Self.packet(1))
        #expect(renderer.count.entries == ["door"])
        engine.dispose()
    }

    /// A picture by libavcodec.
    @Test func motionJPEGIsDecoded() throws {
        let engine = VideoEngine(decoder: { packet throws(StreamError) in try MediaPacketDecoder(for: packet) })
        let events = Journal<String>()
        let source = PushSource(name: "camera", bufferKind: .encoded)
        try engine.startPlayingStream(
            "camera", from: source,
            canvas: FrameHandler(onCondition: { events.add("\($0)") }) { _ in events.add("picture") })
        // Noise is no picture, and the stream goes on.
        let noise = try [UInt8](repeating: 7, count: 100).withUnsafeBytes {
            try EncodedPacket(copying: $0, codec: .motionJPEG, size: VideoSize(width: 8, height: 8), isKeyFrame: true)
        }
        for _ in 0..<3 { source.push(VideoFrame(.encoded(noise))) }
        source.report(.ended)
        events.await(1)
        #expect(events.entries == ["ended"])
        engine.dispose()
    }
}
