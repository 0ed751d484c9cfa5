import Dispatch
import MediaEngine
import MediaIO
import VideoSources

/// ZEGO's `ViewController`: captures when it is told to, and renders what comes of it.
final class VideoHandler: CustomCaptureHandler, CustomRenderHandler {
    /// The shared "sendCustomVideoCapture…" of ZEGO's engine, for one channel.
    let capture = Monitor<CustomCapture?>(nil)
    let rendered = DispatchSemaphore(value: 0)
    private let queue = DispatchQueue(label: "capture")

    // MARK: Custom capture

    func onStart(_ channel: PublishChannel) {
        print("start capturing for the channel \(channel.rawValue)")
        queue.async { self.captureOutput() }
    }

    func onStop(_ channel: PublishChannel) { print("stop capturing for the channel \(channel.rawValue)") }

    /// Stands for the callback of your camera.
    private func captureOutput() {
        guard let capture = capture.withLock({ $0 }),
            let reader = try? TestPatternReader(
                pattern: .clock, size: VideoSize(width: 320, height: 240), frameRate: Rational(30), format: .nv12)
        else { return }
        // It refuses frames when it is stopped, which ends this.
        while let frame = try? reader.next(), capture.push(frame) == .delivered {}
    }

    // MARK: Custom render

    func didCapture(_ frame: VideoFrame, channel: PublishChannel, flip: VideoMirror) {
        log("preview of the channel \(channel.rawValue), flip \(flip)", frame)
    }

    func didReceive(_ frame: VideoFrame, streamID: String) { log("stream \(streamID)", frame) }

    private func log(_ what: String, _ frame: VideoFrame) {
        guard let format = frame.image.format else { return }
        print("\(what): format \(format.rawValue), \(frame.image.size)")
        rendered.signal()
    }
}
