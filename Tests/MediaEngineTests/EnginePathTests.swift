import MediaEngine
import MediaIO
import TestSupport
import Testing

/// What a pushed frame costs on its way through an engine.
@Suite(.enabled(if: HeapCounter.isAvailable, "A sanitizer has its own."), .timeLimit(.minutes(25)))
struct EnginePathTests {
    @Test func pushesAllocateNothing() throws {
        let engine = VideoEngine()
        defer { engine.dispose() }
        let source = PushSource(name: "door")
        let canvas = FrameMailbox()
        try engine.startPlayingStream("door", from: source, canvas: canvas)
        try engine.setRemoteVideoRenderer(
            FrameHandler(bufferKind: .rawData, pixelFormats: [.nv12, .i420]) { _ in }, for: "door")
        let preview = FrameMailbox()
        let capture = try engine.channel().enableCustomCapture()
        try engine.startPreview(canvas: preview)
        let size = VideoSize(width: 1920, height: 1080)
        let bytes = [UInt8](repeating: 1, count: PixelFormat.i420.packedByteCount(size))
        func push() throws {
            try bytes.withUnsafeBytes { bytes in
                _ = try source.push(copying: bytes, format: .i420, size: size)
                _ = try capture.push(copying: bytes, format: .i420, size: size)
            }
        }
        for _ in 0..<5 { try push() }
        let allocations = try HeapCounter.count { for _ in 0..<100 { try push() } }
        #expect(allocations == 0)
        #expect(canvas.statistics.received == 105 && preview.statistics.received == 105)
    }
}
