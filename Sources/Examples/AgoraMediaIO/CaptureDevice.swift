import Dispatch
import MediaIO
import VideoSources

/// Stands for the capture library of your camera: it calls back on a queue of its own, with memory that it reuses.
final class CaptureDevice: Sendable {
    typealias Callback = @Sendable (PixelBuffer, Duration) -> Void

    private let queue = DispatchQueue(label: "capture")
    private let run = Monitor(0)

    func startCapture(_ onFrame: @escaping Callback) {
        let number = run.withLock { $0 }
        queue.async { self.capture(0, number, onFrame) }
    }

    func stopCapture() {
        run.withLock { $0 += 1 }
        queue.sync {}
    }

    private func capture(_ index: Int, _ number: Int, _ onFrame: @escaping Callback) {
        let size = VideoSize(width: 640, height: 480)
        guard run.withLock({ $0 }) == number,
            let pattern = try? TestPatternReader(pattern: .clock, size: size, frameRate: Rational(30), format: .nv12),
            let frame = try? pattern.frame(at: index), let pixels = try? frame.pixelBuffer
        else { return }
        onFrame(pixels, frame.presentationTime ?? .zero)
        queue.asyncAfter(deadline: .now() + .milliseconds(33)) { self.capture(index + 1, number, onFrame) }
    }
}
