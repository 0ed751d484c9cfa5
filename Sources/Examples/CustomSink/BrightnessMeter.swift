import Dispatch
import MediaIO
import Synchronization

/// A sink that looks at a number of frames and keeps none of them.
final class BrightnessMeter: VideoSink {
    private let frameCount: Int
    private let levels = Mutex<[Int]>([])
    private let isComplete = DispatchSemaphore(value: 0)

    init(frameCount: Int) { self.frameCount = frameCount }

    /// Called on the source's thread, one call at a time: the source waits, so this has to be quick.
    func consume(_ frame: VideoFrame) {
        let buffer = frame.pixelBuffer
        let level = buffer.withPlane(0) { plane in
            var sum = 0
            for row in 0..<buffer.size.height {
                // Rows may be padded: only the first `width` bytes of each carry samples.
                for column in 0..<buffer.size.width { sum += Int(plane.bytes[row * plane.bytesPerRow + column]) }
            }
            return sum / (buffer.size.width * buffer.size.height)
        }
        let count = levels.withLock { levels in
            levels.append(level)
            return levels.count
        }
        if count == frameCount { isComplete.signal() }
    }

    /// Waits for the frames and gives their mean luma.
    func waitForLevels() -> [Int] {
        isComplete.wait()
        return levels.withLock { Array($0.prefix(frameCount)) }
    }
}
