// The code of the article of the same name.
import FFmpegMedia
import MediaEngine
import MediaIO
import VideoWall

func webRTC(
    y: PixelBuffer.Plane, u: PixelBuffer.Plane, v: PixelBuffer.Plane, width: Int, height: Int,
    packed: UnsafeRawBufferPointer, strides: [Int], microseconds: Int,
    isKeyFrame: Bool, keep: AnyObject, wall: Wall
) throws {
    let engine = VideoEngine(decoder: { packet throws(StreamError) in try MediaPacketDecoder(for: packet) })
    let track = PushSource(name: "track")
    let stream = try engine.startPlayingStream("track", from: track)
    let tile = wall.addTile(named: "track")
    try stream.add(tile.mailbox)
    stream.remove(tile.mailbox)
    try stream.add(FrameHandler { frame in print(frame.image.size) })
    let size = VideoSize(width: width, height: height)
    let time = Duration.microseconds(microseconds)
    nonisolated(unsafe) let keep = keep
    var frame = try VideoFrame(
        lending: packed, format: .i420, size: size, bytesPerRow: strides, presentationTime: time,
        rotation: .clockwise270, release: { withExtendedLifetime(keep) {} })
    frame.attributes.colorTags.matrix = .bt709
    let buffer = try PixelBuffer(lending: [y, u, v], format: .i420, size: size) { withExtendedLifetime(keep) {} }
    track.push(VideoFrame(buffer))
    track.push(frame)
    try track.push(copying: packed, format: .i420, size: size, bytesPerRow: strides, presentationTime: time)
    let encoded = PushSource(name: "packets", bufferKind: .encoded)
    let packet = try EncodedPacket(copying: packed, codec: .vp9, size: size, isKeyFrame: isKeyFrame)
    encoded.push(VideoFrame(.encoded(packet), presentationTime: time))
    let wants = track.wants
    print(wants.maximumPixels ?? .max, wants.maximumFrameRate ?? 0, wants.isVisible)
    let sink = ConvertingSink(FrameHandler(pixelFormats: [.i420]) { frame in print(frame.image.size) })
    try stream.add(sink)
    tile.mirror = .horizontal
    engine.dispose()
}
