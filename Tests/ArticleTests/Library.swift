// Code of the page about the library.
import MediaIO
import VideoWall

func library(tile: WallTile, bytes: UnsafeRawBufferPointer) async throws {
    let source = PushSource(name: "door")
    let stream = VideoStream(source: source, sinks: [tile.mailbox])
    try await stream.open()
    try source.push(copying: bytes, format: .nv12, size: VideoSize(width: 1280, height: 720))
}
