import MediaEngine
import MediaIO
import Testing

/// A renderer of the program's own gets the frames of all streams.
@Suite(.timeLimit(.minutes(30))) struct CustomRenderTests {
    final class Renderer: CustomRenderHandler {
        struct Call: Hashable {
            let stream: StreamID
            let format: PixelFormat?
            let strides: [Int]
            let flip: VideoMirror
            let mirror: VideoMirror
            let isRawData: Bool
        }

        let calls = Journal<Call>()

        func didCapture(_ frame: VideoFrame, of stream: StreamID, flip: VideoMirror) {
            add(frame, stream, flip)
        }

        func didReceive(_ frame: VideoFrame, of stream: StreamID) { add(frame, stream, .unmirrored) }

        private func add(_ frame: VideoFrame, _ stream: StreamID, _ flip: VideoMirror) {
            guard let buffer = try? frame.pixelBuffer else { return }
            let strides = (0..<buffer.planeCount).map { index in buffer.withPlane(index) { $0.bytesPerRow } }
            calls.add(
                Call(
                    stream: stream, format: frame.image.format, strides: strides, flip: flip,
                    mirror: frame.attributes.mirror, isRawData: buffer.withRawFrame { _ in } != nil))
        }
    }

    @Test(
        arguments: CustomRenderConfiguration.FormatFamily.allCases, [false, true])
    func framesOfAllStreams(_ family: CustomRenderConfiguration.FormatFamily, _ engineRenders: Bool) throws {
        let engine = VideoEngine()
        let renderer = Renderer()
        engine.setCustomRender(
            CustomRenderConfiguration(bufferKind: .rawData, formatFamily: family, engineRenders: engineRenders),
            handler: renderer)
        let (local, remote) = (FrameMailbox(), FrameMailbox())
        let capture = try engine.channel(.third).enableCustomCapture()
        try engine.startPreview(canvas: local, for: .third)
        let door = PushSource(name: "door")
        try engine.startPlayingStream("door", from: door, canvas: remote)
        #expect(capture.push(try markedFrame(1, .nv12)) == .delivered)
        engine.channel(.third).mirrorMode = .off
        #expect(capture.push(try markedFrame(1, .nv12)) == .delivered)
        #expect(door.push(try markedFrame(2, .uyvy)) == .delivered)
        let calls = renderer.calls.entries
        #expect(calls.map(\.stream) == [.local(.third), .local(.third), "door"])
        #expect(calls.allSatisfy { $0.format == (family == .rgb ? .bgra32 : .i420) && $0.isRawData })
        #expect(calls.allSatisfy { $0.strides.count == (family == .rgb ? 1 : 3) && $0.strides[0] >= 4 })
        // The renderer is told to mirror; the frame is not mirrored already.
        #expect(calls.map(\.flip) == [.horizontal, .unmirrored, .unmirrored])
        #expect(calls.allSatisfy { $0.mirror == .unmirrored })
        #expect(local.statistics.received == (engineRenders ? 2 : 0))
        #expect(remote.statistics.received == (engineRenders ? 1 : 0))
        engine.dispose()
    }

    @Test func itEndsWithTheNextStart() throws {
        let engine = VideoEngine()
        let renderer = Renderer()
        let capture = try engine.channel().enableCustomCapture()
        engine.setCustomRender(handler: renderer)
        try engine.startPreview()
        capture.push(try markedFrame(1))
        engine.setCustomRender(handler: nil)
        engine.stopPreview()
        try engine.startPreview()
        capture.push(try markedFrame(2))
        #expect(renderer.calls.entries.count == 1)
        engine.dispose()
    }
}
