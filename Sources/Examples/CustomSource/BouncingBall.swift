import Dispatch
import MediaIO

/// A white bouncing ball: a source with its own clock and no input.
final class BouncingBall: VideoSource {
    private struct State {
        var consumer: (any VideoFrameConsumer)?
        var timer = 0
        var index = 0
    }

    let name = "ball"
    private let size = VideoSize(width: 320, height: 180)
    private let state = Monitor(State())
    private let queue = DispatchQueue(label: "ball")
    private let pool = PixelBufferPool()

    func initialize(consumer: any VideoFrameConsumer) throws(StreamError) { state.withLock { $0.consumer = consumer } }

    func start() throws(StreamError) {
        let timer = state.withLock { $0.timer }
        queue.async { self.tick(timer) }
    }

    func stop() {
        state.withLock { $0.timer += 1 }
        // The queue is serial: when this returns, no tick is running, and later ones deliver nothing.
        queue.sync {}
    }

    func dispose() { state.withLock { $0.consumer = nil } }

    private func tick(_ timer: Int) {
        let next = state.withLock { state -> (consumer: (any VideoFrameConsumer)?, index: Int)? in
            state.index += 1
            return state.timer == timer ? (state.consumer, state.index) : nil
        }
        guard let (consumer, index) = next, let pixels = try? paint(index) else { return }
        consumer?.consume(VideoFrame(pixels, presentationTime: Rational(60).time(ofFrame: index)))
        queue.asyncAfter(deadline: .now() + .milliseconds(16)) { self.tick(timer) }
    }

    private func paint(_ index: Int) throws(StreamError) -> PixelBuffer {
        try pool.makeBuffer(format: .i420, size: size) { planes in
            let (x, y) = (20 + abs(index * 5 % 560 - 280), 160 - abs(index * 7 % 280 - 140))
            for (plane, description) in planes.format.planes.enumerated() {
                for row in 0..<description.height(size) {
                    planes.withRow(row, ofPlane: plane) { samples in
                        for column in samples.indices {
                            let isBall = (column - x) * (column - x) + (row - y) * (row - y) < 400
                            samples[column] = plane > 0 ? 128 : isBall ? 235 : 40
                        }
                    }
                }
            }
        }
    }
}
