import FrameConversion
import MediaIO
import VideoWall

/// A picture of a whole wall without the wall's effects, as the frame of a tile that has them.
///
/// **Thread:** render thread.
final class WholePicture {
    /// Draws that tile.
    let painter: TilePainter
    private var picture: SoftwarePicture?
    private let pool = PixelBufferPool()
    private var frame: VideoFrame?
    private var number = 0

    init(_ wall: Wall.ID) { painter = TilePainter(wall) }

    /// Where the wall is drawn.
    func picture(_ size: VideoSize, _ renderer: SoftwareRenderer) throws(RenderingError) -> SoftwarePicture {
        if let picture, picture.size == size { return picture }
        let made = try renderer.makePicture(size: size, format: .rgba8)
        (picture, frame) = (made, nil)
        return made
    }

    /// Makes a frame of the picture, which other threads may read while the next picture is drawn.
    func update(hasChanged: Bool, _ colors: ColorSpace) throws(RenderingError) {
        guard hasChanged || frame == nil, let picture else { return }
        do throws(StreamError) {
            let buffer = try pool.makeBuffer(format: .rgbx32, size: picture.size) { planes in
                try planes.withPlaneBytes(0) { bytes in
                    try picture.readPixels(into: bytes, bytesPerRow: planes.bytesPerRow(0))
                }
            }
            frame = VideoFrame(buffer, attributes: FrameAttributes(colorSpace: colors))
            number += 1
        } catch {
            throw RenderingError(error)
        }
    }

    /// The tile; `nil` before there is a frame.
    func tile(_ scene: WallScene) -> WallScene.Tile? {
        frame.map { scene.whole($0, number: number, scene.effects) }
    }
}
