import MediaIO

/// Agora's `AgoraCameraSourceMediaIO`: a custom video source.
final class CameraSource: VideoSource {
    let name = "camera"
    let bufferKind: BufferKind? = .pixelBuffer
    let contentHint = VideoContentHint.unspecified
    let captureType = VideoCaptureType.camera
    /// Passes frames on to the consumer, and refuses those before the start and after the stop.
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
