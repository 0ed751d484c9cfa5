import Dispatch
import MediaEngine
import MediaIO
import VideoSources

/// ZEGO's `ViewController`: captures when the engine asks for it, and renders the frames that come back.
final class VideoHandler: CustomCaptureHandler, CustomRenderHandler {
    /// The shared "sendCustomVideoCapture…" of ZEGO's engine, for one channel.
    let capture = Monitor<CustomCapture?>(nil)
    let previewed = DispatchSemaphore(value: 0)
    let received = DispatchSemaphore(value: 0)
    private let queue = DispatchQueue(label: "capture")

    // MARK: Custom capture

    func streamDidStart(_ stream: StreamID) {
        print("start capturing for \(stream)")
        queue.async { self.captureOutput() }
    }

    func streamDidStop(_ stream: StreamID) { print("stop capturing for \(stream)") }

    /// Stands for the callback of your camera.
    private func captureOutput() {
        guard let capture = capture.withLock({ $0 }),
            let reader = try? TestPatternReader(
                pattern: .clock, size: VideoSize(width: 320, height: 240), frameRate: Rational(30), format: .nv12)
        else { return }
        // Once it is stopped, it refuses frames, which ends this loop.
        while let frame = try? reader.next(), capture.push(frame) == .delivered {}
    }

    // MARK: Custom render

    func didCapture(_ frame: VideoFrame, of stream: StreamID, flip: VideoMirror) {
        log("preview of \(stream), flip \(flip)", frame)
        previewed.signal()
    }

    func didReceive(_ frame: VideoFrame, of stream: StreamID) {
        log("\(stream)", frame)
        received.signal()
    }

    private func log(_ what: String, _ frame: VideoFrame) {
        guard let format = frame.image.format else { return }
        print("\(what): format \(format.rawValue), \(frame.image.size)")
    }
}
