// The code of the article of the same name.
import FFmpegMedia
import MediaEngine
import MediaIO
import VideoWall

final class AgoraCamera: VideoSource {
    let name = "camera"
    let bufferKind: BufferKind? = .pixelBuffer
    let contentHint = VideoContentHint.motion
    let captureType = VideoCaptureType.camera

    func initialize(consumer: any VideoFrameConsumer) throws(StreamError) {}
    func start() throws(StreamError) {}
    func stop() {}
    func dispose() {}

    func deliver(
        to consumer: any VideoFrameConsumer, _ buffer: PixelBuffer, _ bytes: UnsafeRawBufferPointer, _ size: VideoSize,
        at time: Duration
    ) throws {
        var attributes = FrameAttributes()
        attributes.rotation = .clockwise90
        consumer.consume(VideoFrame(buffer, attributes: attributes, presentationTime: time))
        consumer.consume(try VideoFrame(copying: bytes, format: .i420, size: size, presentationTime: time))
    }
}

final class AgoraView: VideoSink {
    let bufferKind: BufferKind? = .rawData
    let pixelFormats: [PixelFormat] = [.nv12]

    func initialize() throws(StreamError) {}
    func start() throws(StreamError) {}
    func stop() {}
    func dispose() {}

    func consume(_ frame: VideoFrame) {
        guard let buffer = try? frame.pixelBuffer else { return }
        buffer.withRawFrame { raw in draw(raw.bytes, raw.layout) }
        turn(frame.attributes.rotation)
    }

    private func draw(_ bytes: UnsafeRawBufferPointer, _ layout: RawFrameLayout) {}
    private func turn(_ rotation: VideoRotation) {}
}

func agoraEngine(camera: AgoraCamera, view: AgoraView, source: any VideoSource, wall: Wall) throws {
    let engine = VideoEngine(decoder: { packet throws(StreamError) in try MediaPacketDecoder(for: packet) })
    try engine.setVideoSource(camera)
    _ = engine.channel().source
    try engine.setLocalVideoRenderer(view)
    try engine.startPlayingStream("1001", from: source)
    try engine.setRemoteVideoRenderer(view, for: "1001")
    let tile = wall.addTile(named: "local video")
    try engine.startPreview(canvas: tile.mailbox)
    engine.stopPreview()
    engine.channel().mirrorMode = .previewOnly
    tile.contentMode = .fill
    try engine.channel().startPublishing()
    engine.stopPlayingStream("1001")
    engine.dispose()
}

func agoraPush(
    engine: VideoEngine, buffer: PixelBuffer, bytes: UnsafeRawBufferPointer, stride: Int, width: Int, height: Int,
    names: [UInt32], fence: UInt, group: AnyObject, time: Duration, giveBack: @escaping @Sendable () -> Void
) throws {
    let capture = try engine.channel().enableCustomCapture(.pixelBuffer)
    var frame = VideoFrame(buffer)
    frame.presentationTime = time
    frame.attributes.rotation = .clockwise180
    frame.attributes.crop = Rectangle(x: 8, y: 0, width: width - 16, height: height)
    let result = capture.push(frame)
    print(result)
    let size = VideoSize(width: width, height: height)
    try capture.push(copying: bytes, format: .bgra32, size: size, bytesPerRow: [stride * 4], presentationTime: time)
    let image = try TextureImage(
        names: names, format: .rgba32, size: size, fence: fence, shareGroup: ObjectIdentifier(group), release: giveBack)
    capture.push(VideoFrame(.texture(image)))
    _ = PixelFormat(agoraNumber: 12)
    _ = PixelFormat.i420.names(in: .agora)
}
