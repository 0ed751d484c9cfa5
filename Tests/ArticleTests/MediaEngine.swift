// The code of the page about the module.
import MediaEngine
import MediaIO
import VideoWall

func pushing(_ frame: VideoFrame) {
    let engine = VideoEngine()
    do throws(StreamError) {
        let capture = try engine.channel().enableCustomCapture()
        capture.push(frame)
    } catch {
        print(error.code == .wrongOrder, error.description)
    }
}

func playing(_ engine: VideoEngine, _ source: any VideoSource, _ tile: WallTile) async {
    do throws(StreamError) {
        try await engine.startPlayingStream("door", from: source, canvas: tile.mailbox)
    } catch {
        print(error.description)
    }
    for await event in engine.events { print(event) }
}

/// The module shares its name with no type in it, so qualified names work.
func qualified() -> MediaEngine.VideoEngine { MediaEngine.VideoEngine() }
