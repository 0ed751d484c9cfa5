// The code of the article of the same name.
import MediaEngine
import MediaIO
import VideoWall

final class ZEGOHandler: CustomCaptureHandler, CustomRenderHandler {
    func streamDidStart(_ stream: StreamID) {}
    func streamDidStop(_ stream: StreamID) {}

    func didCapture(_ frame: VideoFrame, of stream: StreamID, flip: VideoMirror) {
        guard let buffer = try? frame.pixelBuffer else { return }
        print(buffer.format, buffer.size, buffer.withPlane(0) { $0.bytesPerRow }, flip)
        buffer.withRawFrame { raw in render(raw.bytes, raw.bytes.count) }
    }

    func didReceive(_ frame: VideoFrame, of stream: StreamID) {}

    private func render(_ bytes: UnsafeRawBufferPointer, _ count: Int) {}
}

func zegoCapture(
    engine: VideoEngine, handler: ZEGOHandler, buffer: PixelBuffer, texture: TextureImage, packet: EncodedPacket,
    bytes: UnsafeRawBufferPointer, time: Duration
) throws {
    let capture = try engine.channel(.main).enableCustomCapture(.pixelBuffer, handler: handler)
    capture.push(VideoFrame(buffer, presentationTime: time))
    capture.push(VideoFrame(.texture(texture), presentationTime: time))
    capture.push(VideoFrame(.encoded(packet), presentationTime: time))
    try capture.push(copying: bytes, format: .nv12, size: VideoSize(width: 1280, height: 720), presentationTime: time)
    _ = try EncodedPacket(copying: bytes, codec: .h264, size: VideoSize(width: 1280, height: 720), isKeyFrame: true)
    capture.deviceState = .occluded
    var turned = VideoFrame(.encoded(packet), presentationTime: time)
    turned.attributes.rotation = .clockwise90
    capture.push(turned)
    try engine.channel(.main).setVideoSource(nil)
    engine.channel(.main).publishedSize = VideoSize(width: 1280, height: 720)
    engine.channel(.main).aspectRatio = Rational(16, 9)
    engine.channel(.main).fillMode = .fit
    engine.channel(.main).mirrorMode = .all
    _ = try engine.channel(.aux).enableCustomCapture(handler: handler)
}

func zegoRender(handler: ZEGOHandler, source: any VideoSource, wall: Wall) throws {
    let engine = VideoEngine(onEvent: { event in
        switch event {
        case .firstFrame(let stream): print(stream, "has begun")
        case .device(let stream, let state): print(stream, state)
        case .condition(let stream, let condition): print(stream, condition)
        }
    })
    var configuration = CustomRenderConfiguration()
    configuration.bufferKind = .pixelBuffer
    configuration.formatFamily = .yuv
    configuration.engineRenders = true
    engine.setCustomRender(configuration, handler: handler)
    try engine.startPreview(canvas: wall.addTile(named: "preview").mailbox)
    try engine.channel(.main).startPublishing()
    try engine.startPlayingStream("door", from: source, canvas: wall.addTile(named: "door").mailbox)
    try engine.stream("door").setVideoSource(source)
    engine.stopPlayingStream("door")
    engine.channel(.main).stopPublishing()
    engine.stopPreview()
    engine.setCustomRender(configuration, handler: nil)
    engine.dispose()
    _ = PixelFormat.nv21.names(in: .zego)
}
