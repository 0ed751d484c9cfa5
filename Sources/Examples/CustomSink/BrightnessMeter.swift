import Dispatch
import MediaIO

/// A sink that measures a number of frames and keeps none of them.
final class BrightnessMeter: VideoSink {
    private let frameCount: Int
    private let levels = Monitor<[Int]>([])
    private let isComplete = DispatchSemaphore(value: 0)

    init(frameCount: Int) { self.frameCount = frameCount }

    /// Called on the source's thread, one call at a time: the source waits, so this must be quick.
    func consume(_ frame: VideoFrame) {
        // Frames of test patterns are planes in memory; others must be mapped, which can fail.
        guard let buffer = try? frame.pixelBuffer else { return }
        var sum = 0
        for row in 0..<buffer.size.height {
            buffer.withRow(row, ofPlane: 0) { samples in
                for column in samples.indices { sum += Int(samples[column]) }
            }
        }
        let level = sum / (buffer.size.width * buffer.size.height)
        let count = levels.withLock { levels in
            levels.append(level)
            return levels.count
        }
        if count == frameCount { isComplete.signal() }
    }

    /// Waits for the frames and returns their mean luma.
    func waitForLevels() -> [Int] {
        isComplete.wait()
        return levels.withLock { Array($0.prefix(frameCount)) }
    }
}
