import Dispatch
import MediaIO
import VideoWall

/// Agora's `AgoraMetalRender`: a custom renderer, which gets the frames in NV12 and shows them on a wall.
final class WallSink: VideoSink {
    let bufferKind: BufferKind? = .pixelBuffer
    let pixelFormats: [PixelFormat] = [.nv12]
    /// Where the wall finds the newest frame.
    let mailbox = FrameMailbox()
    /// Signalled for each frame.
    let arrived = DispatchSemaphore(value: 0)

    // A sink may also have `initialize()`, `start()`, `stop()` and `dispose()`; this one needs none of them.

    func consume(_ frame: VideoFrame) {
        mailbox.put(frame)
        arrived.signal()
    }
}
