import MediaIO

/// Agora's `AgoraCameraSourceMediaIO`: a video source of one's own.
final class CameraSource: VideoSource {
    let name = "camera"
    let bufferKind: BufferKind? = .pixelBuffer
    let contentHint = VideoContentHint.none
    let captureType = VideoCaptureType.camera
    /// Has the consumer, and refuses what comes before the start and after the stop.
    private let frames = PushSource(name: "camera")
    private let device = CaptureDevice()

    func initialize(consumer: any VideoFrameConsumer) throws(StreamError) { try frames.initialize(consumer: consumer) }

    func start() throws(StreamError) {
        try frames.start()
        device.startCapture { [frames] pixels, time in
            frames.push(VideoFrame(pixels, attributes: FrameAttributes(rotation: .upright), presentationTime: time))
        }
    }

    func stop() {
        frames.stop()
        device.stopCapture()
    }

    func dispose() { frames.dispose() }
}
