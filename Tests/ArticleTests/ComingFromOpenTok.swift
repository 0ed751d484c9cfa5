// The code of the article of the same name.
import MediaEngine
import MediaIO
import VideoWall

final class BasicRender: VideoSink {
    let pixelFormats: [PixelFormat] = [.i420]
    let demand: SinkDemand? = SinkDemand(VideoSinkWants(maximumPixels: 640 * 360, maximumFrameRate: Rational(15)))

    func consume(_ frame: VideoFrame) {
        guard let buffer = try? frame.pixelBuffer else { return }
        for row in 0..<buffer.size.height {
            buffer.withRow(row, ofPlane: 0) { luma in show(luma) }
        }
        print(buffer.format, buffer.withPlane(0) { $0.bytesPerRow }, buffer.size.width, buffer.size.height)
        print(frame.presentationTime ?? .zero, frame.attributes.rotation)
    }

    private func show(_ luma: Span<UInt8>) {}
}

final class BasicCapture: VideoSource {
    let name = "camera"
    let contentHint = VideoContentHint.details
    private let frames = PushSource(name: "camera")

    func initialize(consumer: any VideoFrameConsumer) throws(StreamError) { try frames.initialize(consumer: consumer) }
    func start() throws(StreamError) { try frames.start() }
    func stop() { frames.stop() }
    func dispose() { frames.dispose() }

    func captured(_ bytes: UnsafeRawBufferPointer, _ buffer: PixelBuffer, _ size: VideoSize, at time: Duration) throws {
        try frames.push(copying: bytes, format: .nv12, size: size, presentationTime: time, rotation: .clockwise90)
        frames.push(VideoFrame(buffer, presentationTime: time))
    }
}

func openTok(renderer: BasicRender, capture: BasicCapture, source: any VideoSource, wall: Wall) throws {
    let engine = VideoEngine()
    try engine.setVideoSource(capture)
    try engine.setLocalVideoRenderer(renderer)
    let subscriber = try engine.startPlayingStream("stream", from: source)
    try subscriber.setVideoRenderer(renderer)
    let tile = wall.addTile(named: "stream")
    try subscriber.add(tile.mailbox)
    tile.contentMode = .fill
    tile.effects = EffectChain([
        try Effect("vec4 effect(vec2 uv) { return vec4(vec3(luma(sample(uv).rgb)), 1.0); }", file: "black and white")
    ])
    engine.dispose()
}
