// The code of the page about the module.
import MediaEngine
import MediaIO

func pushing(_ frame: VideoFrame) throws {
    let engine = MediaEngine()
    let capture = try engine.channel().enableCustomCapture()
    capture.push(frame)
}
